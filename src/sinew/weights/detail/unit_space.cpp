// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/unit_space.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew::detail {
namespace {

double largest(const Vec3& p) { return std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)}); }

}  // namespace

UnitSpace unit_space(std::span<const Vec3> positions, const Skeleton& skeleton) {
  validate(skeleton);
  if (skeleton.bones.empty()) {
    throw InputError("skeleton", "it has no bones, and weights need at least one");
  }
  Vec3 low = skeleton.bones.front().head;
  Vec3 high = low;
  const auto include = [&](const Vec3& p) {
    low = component_min(low, p);
    high = component_max(high, p);
  };
  for (const Bone& bone : skeleton.bones) {
    include(bone.head);
    include(bone.tail);
  }
  for (std::size_t v = 0; v < positions.size(); ++v) {
    if (!is_finite(positions[v])) {
      throw InputError(fmt::format("vertex {}", v),
                       "has a coordinate that is not a finite number; remove or repair the vertex");
    }
    include(positions[v]);
  }
  UnitSpace space;
  // Halves, because the extent itself may be too large for a number.
  const double half = largest(high * 0.5 - low * 0.5);
  space.scale = std::ldexp(1.0, std::clamp(-std::ilogb(half) - 2, -1020, 1020));
  space.center = (low * 0.5 + high * 0.5) * space.scale;
  const double far = std::max(largest(low), largest(high)) * space.scale;
  space.rounding = 16 * std::numeric_limits<double>::epsilon() * std::max(far, 1.0);
  return space;
}

Segment segment(const Vec3& head, const Vec3& tail) {
  const Vec3 arm = tail - head;
  const double squared = length_squared(arm);
  return {head, arm, squared > std::numeric_limits<double>::min() ? 1 / squared : 0.0};
}

std::vector<Segment> bone_segments(const UnitSpace& space, const Skeleton& skeleton) {
  std::vector<Segment> segments;
  segments.reserve(skeleton.bones.size());
  for (const Bone& bone : skeleton.bones) {
    segments.push_back(segment(space.to_unit(bone.head), space.to_unit(bone.tail)));
  }
  return segments;
}

}  // namespace sinew::detail
