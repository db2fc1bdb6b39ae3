// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/method.h"

#include <string>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/suggest.h"
#include "sinew/deform/bone_state.h"

namespace sinew {
namespace {

constexpr std::string_view names[] = {
    "lbs",     "dqs",        "stbs-lbs", "stbs-dqs", "stretch-it",
#ifdef SINEW_WITH_OCD
    "ocd-arc", "ocd-spline",
#endif
};

std::vector<int> bending_joints(const Skeleton& skeleton) {
  std::vector<int> bones;
  const std::vector<int> parents = parent_bones(skeleton);
  for (std::size_t b = 0; b < parents.size(); ++b) {
    if (parents[b] >= 0) bones.push_back(static_cast<int>(b));
  }
  return bones;
}

}  // namespace

std::span<const std::string_view> method_names() { return names; }

Method method_from_name(std::string_view name, const Rig& rig) {
  if (name == "lbs") return Skinning{BoneMap::matrix, LinearBlend{}};
  if (name == "dqs") return Skinning{BoneMap::matrix, DualQuaternionBlend{}};
  if (name == "stbs-lbs") return Skinning{BoneMap::stbs, LinearBlend{}};
  if (name == "stbs-dqs") return Skinning{BoneMap::stbs, DualQuaternionBlend{}};
  if (name == "stretch-it") return StretchIt{bending_joints(rig.skeleton)};
#ifdef SINEW_WITH_OCD
  if (name == "ocd-arc") return OffsetCurveArc{.curves = default_curves(rig.skeleton)};
  if (name == "ocd-spline") return OffsetCurveSpline{.curves = default_curves(rig.skeleton)};
#endif
  const std::vector<std::string> known(std::begin(names), std::end(names));
  throw UsageError(formatted("there is no method '{}'{}; there are {}", name,
                             did_you_mean(name, known), joined(known, ", ")));
}

void check_fits(const Method& method, std::size_t bone_count, std::size_t rig_bone_count) {
  if (bone_count != rig_bone_count) {
    throw UsageError(
        formatted("the pose has {} bones, the rig has {}", bone_count, rig_bone_count));
  }
  const auto* skinning = std::get_if<Skinning>(&method);
  const auto* mixed = skinning ? std::get_if<MixedBlend>(&skinning->blend) : nullptr;
  for (std::size_t v = 0; mixed != nullptr && v < mixed->dual_quaternion_share.size(); ++v) {
    const double share = mixed->dual_quaternion_share[v];
    if (share >= 0 && share <= 1) continue;
    throw UsageError(formatted(
        "vertex {}: its share of dual-quaternion blending is {}; it must be in [0, 1]", v, share));
  }
  const auto* stretch_it = std::get_if<StretchIt>(&method);
  if (stretch_it == nullptr) return;
  for (const int bone : stretch_it->collapsing) {
    if (bone < 0 || static_cast<std::size_t>(bone) >= rig_bone_count) {
      throw UsageError(formatted("stretch-it is to push out at bone {}, but the rig has {}", bone,
                                 rig_bone_count));
    }
  }
}

bool uses_endpoints(const Method& method) {
  const auto* skinning = std::get_if<Skinning>(&method);
  return skinning != nullptr && skinning->map == BoneMap::stbs;
}

}  // namespace sinew
