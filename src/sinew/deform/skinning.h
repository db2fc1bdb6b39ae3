// SPDX-License-Identifier: Apache-2.0
// Settings of the methods that blend the bones' transformations of a point: lbs, dqs, stbs-lbs,
// stbs-dqs, and unnamed variants.
#pragma once

#include <variant>
#include <vector>

namespace sinew {

class Method;

// How one bone moves a point.
enum class BoneMap {
  rigid,   // rotation and translation only (Jacobson and Sorkine 2011, eq. 2)
  matrix,  // the bone's affine map; a bone posed by its ends scales along its axis (eq. 3)
  stbs,    // stretchable and twistable (eq. 5)
};

// How the bones' transformations are blended.
struct LinearBlend {};
struct DualQuaternionBlend {};
// A mix of the two with one share in [0, 1] per vertex: 0 is linear, 1 is dual quaternion.
struct MixedBlend {
  std::vector<double> dual_quaternion_share;
};
using Blend = std::variant<LinearBlend, DualQuaternionBlend, MixedBlend>;

struct Skinning {
  BoneMap map = BoneMap::matrix;
  Blend blend;

  operator Method() const;
};

}  // namespace sinew
