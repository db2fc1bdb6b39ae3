// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/on_bone.h"

#include <algorithm>
#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/mesh/triangle.h"

namespace sinew::detail {

double on_bone_tolerance(const Skeleton& skeleton, const std::vector<Vec3>& points) {
  std::vector<Vec3> ends;
  for (const Bone& bone : skeleton.bones) ends.insert(ends.end(), {bone.head, bone.tail});
  return 1e-6 * std::min(bounding_box(ends).diagonal(), bounding_box(points).diagonal());
}

std::optional<double> parameter_on(const Bone& bone, const Vec3& point, double tolerance) {
  const double t = closest_on_segment(point, bone.head, bone.tail);
  if (distance(lerp(bone.head, bone.tail, t), point) > tolerance) return std::nullopt;
  return t;
}

}  // namespace sinew::detail
