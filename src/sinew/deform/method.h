// SPDX-License-Identifier: Apache-2.0
// The methods of deformation there are, each with its own data.
#pragma once

#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "sinew/rig/rig.h"

#ifdef SINEW_WITH_OCD
#include "sinew/deform/offset_curve.h"
#endif

namespace sinew {

// How one bone moves a point.
enum class BoneMap {
  rigid,   // rotation and translation only (seed 000 eq. 2)
  matrix,  // the bone's affine map; a bone posed by its ends scales along its axis (eq. 3)
  stbs,    // stretchable and twistable (eq. 5)
};

// How the bones' motions become one.
struct LinearBlend {};
struct DualQuaternionBlend {};
// Vertex by vertex between the two: 0 is linear, 1 is dual quaternion. One share per vertex.
struct MixedBlend {
  std::vector<double> dual_quaternion_share;
};
using Blend = std::variant<LinearBlend, DualQuaternionBlend, MixedBlend>;

struct Skinning {
  BoneMap map = BoneMap::matrix;
  Blend blend;
};

// Yang and Zhang's Stretch It (seed 002): linear skinning with the twist blended as an angle, and
// the shape pushed out again at the joints that would collapse.
struct StretchIt {
  std::vector<int> collapsing;  // bones whose heads are such joints
};

#ifdef SINEW_WITH_OCD
using Method = std::variant<Skinning, StretchIt, OffsetCurveArc, OffsetCurveSpline>;
#else
using Method = std::variant<Skinning, StretchIt>;
#endif

// The names of the command line: lbs, dqs, stbs-lbs, stbs-dqs, stretch-it, ocd-arc, ocd-spline.
std::span<const std::string_view> method_names();

// The method of that name with its default settings for the rig (stretch-it: every joint that bends
// collapses, that is each bone that hangs on another). Throws UsageError listing the names, with
// the nearest ones.
Method method_from_name(std::string_view name, const Rig& rig);

// Throws UsageError if a pose of `bone_count` bones is not one of the rig's, a setting of the
// method names a bone that the rig does not have, or a share of blending is not in [0, 1].
void check_fits(const Method& method, std::size_t bone_count, std::size_t rig_bone_count);

// Whether the method reads endpoint weights.
bool uses_endpoints(const Method& method);

}  // namespace sinew
