// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/caps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "sinew/core/error.h"
#include "sinew/measure/detail/owner.h"
#include "sinew/measure/detail/require.h"
#include "sinew/measure/rigid_fit.h"
#include "sinew/weights/bone_ends.h"

namespace sinew {
namespace {

struct FreeEnds {
  bool head = false, tail = false;
};

std::vector<FreeEnds> free_ends(const Skeleton& skeleton) {
  const BoneEnds ends = bone_ends(skeleton);
  std::vector<int> uses(ends.points.size(), 0);
  for (const auto& bone : ends.bones) {
    for (const int end : bone) ++uses[end];
  }
  const auto parents = parent_bones(skeleton);
  std::vector<FreeEnds> free(skeleton.bones.size());
  for (std::size_t b = 0; b < free.size(); ++b) {
    free[b].head = parents[b] < 0 && uses[ends.bones[b][0]] == 1;
    free[b].tail = uses[ends.bones[b][1]] == 1;
  }
  for (std::size_t b = 0; b < free.size(); ++b) {
    if (parents[b] < 0) continue;
    const std::size_t p = parents[b];
    const Vec3& start = skeleton.bones[b].head;
    free[p].tail = false;
    if (distance(start, skeleton.bones[p].head) <= distance(start, skeleton.bones[p].tail)) {
      free[p].head = false;
    }
  }
  return free;
}

struct Cap {
  std::vector<Vec3> rest, posed;
};

// Whether all points lie on a line, or in one place.
bool is_line(const std::vector<Vec3>& points, double length_of_bone) {
  Vec3 middle;
  for (const Vec3& p : points) middle = middle + p / static_cast<double>(points.size());
  Vec3 farthest;
  for (const Vec3& p : points) {
    if (length_squared(p - middle) > length_squared(farthest)) farthest = p - middle;
  }
  const Vec3 along = normalized(farthest);
  return std::all_of(points.begin(), points.end(), [&](const Vec3& p) {
    return !(length(cross(along, p - middle)) > least_size_to_fit * length_of_bone);
  });
}

// Squared extents along a direction and across it.
struct Extent {
  double along = 0, across = 0;
};

Extent extent_of(const std::vector<Vec3>& points, const Vec3& direction) {
  Vec3 middle;
  for (const Vec3& p : points) middle = middle + p / static_cast<double>(points.size());
  Extent extent;
  for (const Vec3& p : points) {
    const double along = dot(p - middle, direction);
    extent.along += along * along;
    extent.across += length_squared(p - middle - direction * along);
  }
  return extent;
}

double ratio(double posed, double rest, double least) {
  return rest > least ? std::sqrt(posed / rest) : 1;
}

CapError error_of(const Cap& cap, const BoneState& bone, bool at_tail) {
  CapError error;
  error.vertices = cap.rest.size();
  const RigidMotion motion = fit_rigid(cap.rest, cap.posed);
  double size = 0, squares = 0, largest = 0;
  for (std::size_t i = 0; i < cap.rest.size(); ++i) {
    const double off = length_squared(motion(cap.rest[i]) - cap.posed[i]);
    size += length_squared(cap.rest[i] - motion.from);
    squares += off;
    largest = std::max(largest, off);
  }
  error.size = std::sqrt(size / static_cast<double>(cap.rest.size()));
  error.rms = std::sqrt(squares / size);
  error.largest = std::sqrt(largest) / error.size;
  const Vec3& end = at_tail ? bone.tail : bone.head;
  const Vec3& posed_end = at_tail ? bone.posed_tail : bone.posed_head;
  error.missed =
      distance(motion(end), posed_end) /
      std::max(distance(bone.head, bone.tail), distance(bone.posed_head, bone.posed_tail));
  const Vec3 direction = normalized(bone.tail - bone.head);
  const Extent before = extent_of(cap.rest, direction);
  const Extent after = extent_of(cap.posed, rotate(bone.rotation, direction));
  const double least = least_size_to_fit * size;
  error.length = ratio(after.along, before.along, least);
  error.width = ratio(after.across, before.across, least);
  return error;
}

}  // namespace

std::vector<CapError> cap_errors(const Skeleton& skeleton, const Weights& weights,
                                 std::span<const BoneState> states, const std::vector<Vec3>& rest,
                                 const std::vector<Vec3>& deformed) {
  detail::require_same_mesh({}, rest, deformed);
  detail::require_same_rig(weights, rest.size(), skeleton.bones.size());
  if (states.size() != skeleton.bones.size()) {
    throw UsageError("the pose and the skeleton differ in their number of bones");
  }
  std::vector<std::array<Cap, 2>> caps(skeleton.bones.size());
  for (std::size_t v = 0; v < rest.size(); ++v) {
    const std::optional<std::size_t> owner = detail::only_bone(weights.row(v));
    if (!owner) continue;
    const Bone& bone = skeleton.bones[*owner];
    const Vec3 along = bone.tail - bone.head;
    const bool before = dot(rest[v] - bone.head, along) < 0;
    const bool beyond = dot(rest[v] - bone.tail, along) > 0;
    if (!before && !beyond) continue;
    Cap& cap = caps[*owner][beyond ? 1 : 0];
    cap.rest.push_back(rest[v]);
    cap.posed.push_back(deformed[v]);
  }
  const std::vector<FreeEnds> free = free_ends(skeleton);
  std::vector<CapError> result;
  for (std::size_t b = 0; b < caps.size(); ++b) {
    for (const bool at_tail : {false, true}) {
      const Cap& cap = caps[b][at_tail ? 1 : 0];
      if (!(at_tail ? free[b].tail : free[b].head) || cap.rest.size() < fewest_to_fit) continue;
      const Bone& bone = skeleton.bones[b];
      if (is_line(cap.rest, distance(bone.head, bone.tail))) continue;
      CapError error = error_of(cap, states[b], at_tail);
      error.bone = static_cast<int>(b);
      error.at_tail = at_tail;
      result.push_back(error);
    }
  }
  return result;
}

}  // namespace sinew
