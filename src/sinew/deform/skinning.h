// SPDX-License-Identifier: Apache-2.0
// Settings of the methods that blend what each bone makes of a point: lbs, dqs, stbs-lbs, stbs-dqs,
// and their variants without a name.
#pragma once

#include <variant>
#include <vector>

namespace sinew {

class Method;

// How one bone moves a point.
enum class BoneMap {
  rigid,   // rotation and translation only (seed 000 eq. 2)
  matrix,  // the bone's affine map; a bone posed by its ends scales along its axis (eq. 3)
  stbs,    // stretchable and twistable (eq. 5)
};

// How the bones' motions become one.
struct LinearBlend {};
// Unit dual quaternions, added and made unit (Kavan et al. 2008): no loss of volume in twists.
struct DualQuaternionBlend {};
// Vertex by vertex between the two: 0 is linear, 1 is dual quaternion. One share in [0, 1] per
// vertex.
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
