// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/shepard.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/weights/detail/collect_rows.h"
#include "sinew/weights/detail/inverse_power.h"
#include "sinew/weights/detail/require.h"
#include "sinew/weights/detail/unit_space.h"

namespace sinew {
namespace {

// A joint that moves skin.
struct SkinJoint {
  std::vector<int> bones;
  std::vector<detail::Segment> to_children;  // those that no bone follows
};

std::vector<SkinJoint> skin_joints(const Skeleton& skeleton, const detail::UnitSpace& space) {
  std::vector<SkinJoint> of_joint(skeleton.joints.size());
  std::vector<int> first_bone(skeleton.joints.size(), -1);
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const std::size_t joint = skeleton.bones[b].joint;
    if (first_bone[joint] < 0) first_bone[joint] = static_cast<int>(b);
    of_joint[joint].bones.push_back(static_cast<int>(b));
  }
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
    const int parent = skeleton.joints[j].parent;
    if (parent == no_joint || first_bone[j] < 0) continue;
    SkinJoint& above = of_joint[parent];
    const bool followed = std::any_of(above.bones.begin(), above.bones.end(), [&](int b) {
      return skeleton.bones[b].tail_joint == static_cast<int>(j);
    });
    if (followed || above.bones.empty()) continue;
    const auto head_of = [&](int bone) { return space.to_unit(skeleton.bones[bone].head); };
    above.to_children.push_back(
        detail::segment(head_of(above.bones.front()), head_of(first_bone[j])));
  }
  of_joint.erase(std::remove_if(of_joint.begin(), of_joint.end(),
                                [](const SkinJoint& joint) { return joint.bones.empty(); }),
                 of_joint.end());
  return of_joint;
}

struct Scratch {
  std::vector<double> to_bones;  // squared distances
  std::vector<double> to_joints;
  std::vector<double> sorted;
  std::vector<double> shares;
};

}  // namespace

Weights shepard_weights(std::span<const Vec3> positions, const Skeleton& skeleton,
                        const ShepardOptions& options) {
  if (!(options.drop_rate > 0 && options.drop_rate <= 1000)) {
    throw UsageError(
        fmt::format("the drop rate is {}; it must be in (0, 1000]", options.drop_rate));
  }
  if (options.joints < 1) {
    throw UsageError(
        fmt::format("{} joints cannot influence a vertex; ask for 1 or more", options.joints));
  }
  detail::require_smallest(options.smallest);
  const detail::UnitSpace space = detail::unit_space(positions, skeleton);
  const std::vector<detail::Segment> segments = detail::bone_segments(space, skeleton);
  const std::vector<SkinJoint> joints = skin_joints(skeleton, space);
  const std::size_t kept = std::min(joints.size(), static_cast<std::size_t>(options.joints));

  const auto weights_at = [&](std::size_t v, std::vector<Influence>& influences, Scratch& s) {
    const Vec3 p = space.to_unit(positions[v]);
    for (std::size_t b = 0; b < segments.size(); ++b) {
      s.to_bones[b] = distance_squared(segments[b], p);
    }
    for (std::size_t j = 0; j < joints.size(); ++j) {
      double nearest = s.to_bones[joints[j].bones.front()];
      for (const int b : joints[j].bones) {
        nearest = std::min(nearest, s.to_bones[b]);
      }
      for (const detail::Segment& other : joints[j].to_children) {
        nearest = std::min(nearest, distance_squared(other, p));
      }
      s.to_joints[j] = nearest;
    }
    s.sorted = s.to_joints;
    const auto last = s.sorted.begin() + static_cast<std::ptrdiff_t>(kept) - 1;
    std::nth_element(s.sorted.begin(), last, s.sorted.end());
    const double farthest = *last * (1 + 2e-9) + space.rounding * space.rounding;
    s.shares = s.to_joints;
    detail::invert_distances(s.shares, options.drop_rate, space.rounding);

    const std::size_t first = influences.size();
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (s.to_joints[j] > farthest || s.shares[j] < options.smallest) continue;
      const std::vector<int>& bones = joints[j].bones;
      s.sorted.clear();
      for (const int b : bones) s.sorted.push_back(s.to_bones[b]);
      detail::invert_distances(s.sorted, options.drop_rate, space.rounding);
      double sum = 0;
      for (const double share : s.sorted) sum += share;
      for (std::size_t i = 0; i < bones.size(); ++i) {
        influences.push_back({bones[i], s.shares[j] * s.sorted[i] / sum});
      }
    }
    const auto by_bone = [](const Influence& a, const Influence& b) { return a.bone < b.bone; };
    std::sort(influences.begin() + static_cast<std::ptrdiff_t>(first), influences.end(), by_bone);
    detail::finish_row(influences, first, options.smallest);
  };
  return detail::collect_rows(
      positions.size(),
      [&] {
        return Scratch{
            std::vector<double>(segments.size()), std::vector<double>(joints.size()), {}, {}};
      },
      weights_at);
}

}  // namespace sinew
