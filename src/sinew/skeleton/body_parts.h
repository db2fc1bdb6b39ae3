// SPDX-License-Identifier: Apache-2.0
// Guesses from a joint's name which part of the body it moves.
#pragma once

#include <string_view>

namespace sinew {

// What kind of part it is.
enum class BodyPart {
  unknown,  // the name does not say
  end,      // hand, foot, head, toes, jaw: moves as one piece
  trunk,    // hips, pelvis, chest: where limbs meet
  chain,    // spine, neck, tail, tentacle, finger, hair: several alike in a row
  limb,     // collar bone, upper arm, forearm, thigh, shin
  twist,    // a helper that already spreads a twist: lowerarm_twist_01_l, ForeArmRoll
};

// Goes by the words in the name, in the conventions of Mixamo, VRM, Rigify, Unreal's mannequin,
// Biped, the CMU database and most riggers: mixamorig:LeftForeArm, J_Bip_L_Hand, DEF-forearm.L,
// lowerarm_twist_01_l, lfemur, hand.R. `unknown` for other names, other languages, and an empty
// name.
BodyPart body_part(std::string_view joint_name);

// Which part of a body with two arms and two legs. A joint is called by the part that it moves: the
// elbow moves the forearm.
enum class HumanPart {
  unknown,    // none of these
  hips,       // the root of spine and legs
  spine,      // everything between hips and neck, the chest as well
  neck,       // between chest and head
  head,       // above the neck
  clavicle,   // between chest and upper arm
  upper_arm,  // from shoulder to elbow
  forearm,    // from elbow to wrist
  hand,       // the palm
  thumb,      // any of its joints, as for the other fingers
  index,      // the first finger
  middle,     // the second
  ring,       // the third
  little,     // the fourth
  thigh,      // from hip to knee
  shin,       // from knee to ankle
  foot,       // from ankle to ball
  toes,       // from the ball on
  // What the name alone leaves open; human_joints() decides by the joints around it:
  hip,       // a thigh, or a helper above it; without a side, hips is meant
  shoulder,  // a clavicle or an upper arm
  arm,       // any part of the arm
  leg,       // any part of the leg
};

// Which side of the body, as names say it.
enum class BodySide { none, left, right };

// What a name says. The part is unknown for helpers, ends and targets of inverse kinematics, too:
// forearm_twist, LeftToe_End, ik_hand_l.
struct NamedPart {
  HumanPart part = HumanPart::unknown;
  BodySide side = BodySide::none;

  friend bool operator==(const NamedPart&, const NamedPart&) = default;
};

// Goes by the same words as body_part(), and by left, right, l and r, also where they are stuck to
// a word (lfemur, leftarm). A finger's number tells which one it is in Biped's names alone.
NamedPart named_part(std::string_view joint_name);

}  // namespace sinew
