// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/bone_detail.h"

namespace sinew {

BoneDetail bone_detail(const Method& method) {
  const auto* skinning = std::get_if<Skinning>(&method);
  if (skinning == nullptr) return BoneDetail::all;
  if (skinning->map == BoneMap::stbs) return BoneDetail::ends;
  const bool is_linear = std::holds_alternative<LinearBlend>(skinning->blend);
  return skinning->map == BoneMap::matrix && is_linear ? BoneDetail::matrices : BoneDetail::turns;
}

}  // namespace sinew
