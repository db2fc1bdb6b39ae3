// SPDX-License-Identifier: Apache-2.0
// Stretchable, twistable bones in one pose, for many vertices.
#pragma once

#include <span>
#include <vector>

#include "sinew/core/mat3.h"
#include "sinew/deform/bone_state.h"
#include "sinew/deform/skin_rows.h"

namespace sinew::baking {

// Computes once what the bones do to every point. As reference::linear_blend() with BoneMap::stbs,
// up to rounding.
class PosedBones {
 public:
  explicit PosedBones(std::span<const BoneState> states);

  Vec3 blend(const Vec3& rest, std::span<const SkinInfluence> row) const;

 private:
  // A point at d from the head goes to place + e stretch + (along + cos around + sin aside) d,
  // with the twist's angle at e.
  struct PosedBone {
    Vec3 head, place, stretch;
    Mat3 turned;  // without a twist
    bool is_twisted = false;
    double twist_head = 0, twist_tail = 0;
    Mat3 along, around, aside;
  };
  std::vector<PosedBone> bones_;
};

}  // namespace sinew::baking
