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
// Biped and most riggers: mixamorig:LeftForeArm, J_Bip_L_Hand, DEF-forearm.L, lowerarm_twist_01_l,
// hand.R. `unknown` for other names, other languages, and an empty name.
BodyPart body_part(std::string_view joint_name);

}  // namespace sinew
