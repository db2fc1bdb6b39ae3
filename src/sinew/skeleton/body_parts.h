// SPDX-License-Identifier: Apache-2.0
// What a joint's name says about the part of the body it moves.
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

// By the words in the name, as Mixamo, VRM, Rigify, Unreal's mannequin, Biped and most riggers by
// hand have them: mixamorig:LeftForeArm, J_Bip_L_Hand, DEF-forearm.L, lowerarm_twist_01_l, hand.R.
// `unknown` for other names, other languages and none.
BodyPart body_part(std::string_view joint_name);

}  // namespace sinew
