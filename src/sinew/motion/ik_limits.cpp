// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/ik_limits.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/motion/detail/ik_clamp.h"

namespace sinew {
namespace {

void require_axis(const Vec3& axis) {
  if (std::fabs(length_squared(axis) - 1) <= 1e-6) return;
  throw UsageError("the axis of a limit is a vector of unit length");
}

void require_range(double min, double max) {
  if (min >= -pi && min <= 0 && max >= 0 && max <= pi) return;
  throw UsageError(formatted(
      "a limit goes from {} to {} degrees; it goes from -180 to 180 at most, and 0 is in it",
      significant(degrees(min), 4), significant(degrees(max), 4)));
}

void require_valid_range(const ConeLimit& limit) {
  require_axis(limit.axis);
  require_range(0, limit.swing);
  require_range(limit.twist_min, limit.twist_max);
}

void require_valid_range(const HingeLimit& limit) {
  require_axis(limit.axis);
  require_range(limit.min, limit.max);
}

void require_valid_range(const AxesLimit& limit) {
  for (int i = 0; i < 3; ++i) require_range(limit.min[i], limit.max[i]);
}

}  // namespace

void require_valid(const JointRange& range) {
  std::visit([](const auto& limit) { require_valid_range(limit); }, range);
}

void validate(std::span<const IkLimit> limits, std::size_t joint_count) {
  std::vector<char> seen(joint_count, 0);
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const int joint = limits[i].joint;
    const auto fail = [&](const std::string& problem) {
      throw InputError(formatted("limit {}", i), problem);
    };
    if (joint < 0 || joint >= int(joint_count)) {
      fail(formatted("there is no joint {}; there are {}", joint, joint_count));
    }
    if (seen[joint]) fail(formatted("joint {} has a limit already", joint));
    seen[joint] = 1;
    try {
      require_valid(limits[i].range);
    } catch (const UsageError& error) {
      fail(error.what());
    }
  }
}

std::vector<IkLimit> overruled(std::vector<IkLimit> limits, std::span<const IkLimit> given) {
  std::erase_if(limits, [&](const IkLimit& limit) {
    return std::any_of(given.begin(), given.end(),
                       [&](const IkLimit& other) { return other.joint == limit.joint; });
  });
  limits.insert(limits.end(), given.begin(), given.end());
  return limits;
}

Quat clamped(const Quat& turn, const JointRange& range) {
  return motion::clamped(turn, motion::clamp_of(range));
}

}  // namespace sinew
