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
// Unit dual quaternions, added and made unit (Kavan et al. 2008): no loss of volume in twists.
struct DualQuaternionBlend {};
// A mix of the two with one share in [0, 1] per vertex: 0 is linear, 1 is dual quaternion.
struct MixedBlend {
  std::vector<double> dual_quaternion_share;
};
// Any of the three.
using Blend = std::variant<LinearBlend, DualQuaternionBlend, MixedBlend>;

// The settings of lbs, dqs, stbs-lbs and stbs-dqs: one of each kind.
struct Skinning {
  BoneMap map = BoneMap::matrix;
  Blend blend;

  // The method with these settings.
  operator Method() const;
};

}  // namespace sinew
