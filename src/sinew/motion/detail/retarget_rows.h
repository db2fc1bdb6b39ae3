// SPDX-License-Identifier: Apache-2.0
// The paired joints of two skeletons as rows, and what their rest poses have in common.
#pragma once

#include <vector>

#include "sinew/motion/joint_map.h"
#include "sinew/skeleton/human_joints.h"

namespace sinew::detail {

// Joints that hang together by pairs, from the root on.
struct RetargetRow {
  std::vector<JointIndex> sources, targets;
  HumanPart part = HumanPart::unknown;
  BodySide side = BodySide::none;
  JointIndex base;         // the nearest paired joint above the first source
  int source_parent = -1;  // the row of that joint
  int target_parent = -1;  // the row of the nearest paired joint above the first target
};

// Parents before children. Throws UsageError for joints that do not exist.
std::vector<RetargetRow> rows_of(const JointMap& map, const Skeleton& source,
                                 const Skeleton& target);

// The row of the hips; throws InputError if there is none.
int hips_row(const std::vector<RetargetRow>& rows, const Skeleton& source, const Skeleton& target);

// The joints as at rest or, where that differs from the bind pose, turned as at bind.
std::vector<Transform> reference_locals(const Skeleton& skeleton);

// Where the first joints of the rows are at rest, in world space.
struct RestPoints {
  std::vector<Vec3> source, target;
};

// How the two stand to each other at rest.
struct RestFit {
  Quat facing;     // turns the source's world to the target's
  Vec3 source_up;  // unit vectors
  Vec3 target_up;
  double scale = 1;
  std::vector<Quat> swings;  // per row: after the target's rest pose, in the target's world
};
RestFit fit_rest_poses(const std::vector<RetargetRow>& rows, int hips, const RestPoints& points);

// The height of the lowest foot or, without feet, of the lowest row.
double lowest(const std::vector<RetargetRow>& rows, const std::vector<Vec3>& points,
              const Vec3& up);

}  // namespace sinew::detail
