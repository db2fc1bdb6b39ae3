// SPDX-License-Identifier: Apache-2.0
// Settings of the methods that blend the bones' transformations of a point: lbs, dqs, stbs-lbs,
// stbs-dqs, mixed, stbs-mixed, and unnamed variants.
#pragma once

#include <optional>
#include <variant>

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
// A mix of the two by the rig's blend shares (Skin::blend_shares): 0 is linear, 1 is dual
// quaternion.
struct MixedBlend {
  // One share in [0, 1] for all vertices, instead of the rig's. Empty: the rig's or, if it has
  // none, default_blend_share.
  std::optional<double> share{};
};
// Any of the three.
using Blend = std::variant<LinearBlend, DualQuaternionBlend, MixedBlend>;

// The settings of lbs, dqs, mixed, stbs-lbs, stbs-dqs and stbs-mixed: one of each kind.
struct Skinning {
  BoneMap map = BoneMap::matrix;
  Blend blend;

  // The method with these settings.
  operator Method() const;
};

}  // namespace sinew
