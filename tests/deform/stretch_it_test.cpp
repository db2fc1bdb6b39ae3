// SPDX-License-Identifier: Apache-2.0
// The facts of Stretch It (Yang and Zhang 2006).
#include "sinew/deform/stretch_it.h"

#include <gtest/gtest.h>

#include "sinew/deform/deform.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

std::vector<Vec3> stretch_it(const Rig& rig, const std::vector<BonePose>& poses) {
  return deform_reference(rig, bone_states(rig.skeleton, poses), {},
                          method_from_name("stretch-it", rig))
      .positions;
}

TEST(StretchIt, at_rest_nothing_moves) {
  const Rig rig = make_tube({.bones = 3});
  const auto result = stretch_it(rig, rest_bones(rig));
  for (std::size_t v = 0; v < result.size(); ++v) {
    EXPECT_LT(distance(result[v], rig.mesh.positions[v]), 1e-14);
  }
}

TEST(StretchIt, half_a_turn_of_the_middle_joint_keeps_the_radius_everywhere) {
  const Rig rig = make_tube({.bones = 3});
  auto poses = rest_bones(rig);
  poses[1].rotation = rotation_about(Vec3{1, 0, 0}, pi);
  poses[2].rotation = poses[1].rotation;  // the hand inherits the twist of the forearm
  const auto result = stretch_it(rig, poses);
  for (const Vec3& p : result) EXPECT_NEAR(std::hypot(p.y, p.z), 0.2, 1e-13);
}

TEST(StretchIt, an_inherited_twist_is_not_taken_back) {
  const Rig rig = make_tube({.bones = 3});
  auto poses = rest_bones(rig);
  poses[1].rotation = rotation_about(Vec3{1, 0, 0}, 1.0);
  poses[2].rotation = poses[1].rotation;
  const auto result = stretch_it(rig, poses);
  // The far end has turned by the whole angle.
  const std::size_t last = result.size() - 16;
  const Vec3 expected = rotate(*poses[1].rotation, rig.mesh.positions[last]);
  EXPECT_LT(distance(result[last], expected), 1e-13);
}

TEST(StretchIt, the_distance_to_the_joint_goes_to_the_mean_of_the_rigid_ones_by_the_weights) {
  const Rig rig = make_tube();
  auto poses = rest_bones(rig);
  const Quat bend = rotation_about(Vec3{0, 0, 1}, radians(100));
  poses[1].rotation = bend;
  poses[1].end = poses[1].start + rotate(bend, Vec3{1, 0, 0});
  const auto states = bone_states(rig.skeleton, poses);
  const Vec3 joint{1, 0, 0};
  const auto result = stretch_it(rig, poses);
  int checked = 0;
  for (std::size_t v = 0; v < result.size(); ++v) {
    const auto row = rig.skin.weights.row(v);
    if (row.size() != 2) continue;
    ++checked;
    double mean = 0;
    Vec3 blended;
    for (const Influence& i : row) {
      const Vec3 p = transform_point(states[i.bone].matrix, rig.mesh.positions[v]);
      mean += i.weight * distance(p, joint);
      blended += i.weight * p;
    }
    // All the way at equal weights, not at all where one bone has everything.
    const double share = 4 * row[0].weight * row[1].weight;
    EXPECT_NEAR(distance(result[v], joint), share * mean + (1 - share) * distance(blended, joint),
                1e-13);
  }
  EXPECT_EQ(checked, 144);
}

TEST(StretchIt, only_marked_joints_push_out) {
  const Rig rig = make_tube();
  auto poses = rest_bones(rig);
  poses[1].rotation = rotation_about(Vec3{0, 0, 1}, radians(100));
  poses[1].end = poses[1].start + rotate(*poses[1].rotation, Vec3{1, 0, 0});
  const auto states = bone_states(rig.skeleton, poses);
  const auto lbs = deform_reference(rig, states, {}, method_from_name("lbs", rig)).positions;
  const auto none = deform_reference(rig, states, {}, StretchIt{}).positions;
  const auto all = stretch_it(rig, poses);
  double moved = 0;
  for (std::size_t v = 0; v < lbs.size(); ++v) {
    EXPECT_LT(distance(none[v], lbs[v]), 1e-13);
    moved = std::max(moved, distance(all[v], lbs[v]));
  }
  EXPECT_GT(moved, 0.05);
}

TEST(StretchIt, a_vertex_at_the_joint_stays_put) {
  Rig rig = make_tube();
  rig.mesh.positions[0] = {1, 0, 0};
  rig.skin.weights.influences[0] = {0, 1.0};
  auto poses = rest_bones(rig);
  poses[1].rotation = rotation_about(Vec3{0, 0, 1}, 1.0);
  poses[1].end = poses[1].start + rotate(*poses[1].rotation, Vec3{1, 0, 0});
  EXPECT_LT(distance(stretch_it(rig, poses)[0], Vec3{1, 0, 0}), 1e-15);
}

}  // namespace
}  // namespace sinew
