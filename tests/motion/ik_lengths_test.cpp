// SPDX-License-Identifier: Apache-2.0
// What happens to the lengths of bones: kept, stretched beyond reach, free.
#include <limits>

#include <gtest/gtest.h>

#include "tests/motion/ik_rigs.h"

namespace sinew {
namespace {

TEST(Ik, an_unreachable_goal_straightens_the_chain_or_stretches_it) {
  for (const int bones : {1, 2, 4}) {
    const Skeleton skeleton = chain_skeleton(std::vector<double>(bones, 0.5), 0.3);
    const auto rest = rest_of(skeleton);
    const Vec3 goal = normalized(Vec3{0.3, 0.4, 0.5}) * (0.5 * bones + 1);
    const auto kept = reach(skeleton, {bones, 0}, at(goal), rest);
    EXPECT_LT(distance(end_of(skeleton, kept), normalized(goal) * (0.5 * bones)), 1e-7);
    EXPECT_LT(length_change(skeleton, rest, kept), 1e-12);
    const auto longer = reach(skeleton, {bones, 0, IkLengths::beyond_reach}, at(goal), rest);
    EXPECT_LT(distance(end_of(skeleton, longer), goal), 1e-12);
    // As stretch: children moved along the bones, all by the same factor; no scale.
    const double factor = length(goal) / (0.5 * bones);
    for (int j = 1; j <= bones; ++j) {
      EXPECT_LT(distance(longer[j].translation, rest[j].translation * factor), 1e-12);
      EXPECT_EQ(longer[j].scale, rest[j].scale);
      // The directions are those of the straight chain.
      EXPECT_LT(rotation_angle(conjugate(kept[j].rotation) * longer[j].rotation), 1e-7);
    }
  }
}

TEST(Ik, stiff_bones_stretch_less) {
  const Skeleton skeleton = chain_skeleton({0.5, 0.5, 0.5}, 0.3);
  IkOptions options;
  options.stiffness = {{0, 2}, {2, std::numeric_limits<double>::infinity()}};
  const Vec3 goal{0, 2.1, 0};
  const auto pose =
      reach(skeleton, {3, 0, IkLengths::beyond_reach}, at(goal), rest_of(skeleton), options);
  EXPECT_LT(distance(end_of(skeleton, pose), goal), 1e-12);
  EXPECT_NEAR(length(pose[1].translation), 0.5 + 0.2, 1e-12);
  EXPECT_NEAR(length(pose[2].translation), 0.5 + 0.4, 1e-12);
  EXPECT_EQ(pose[3].translation, skeleton.joints[3].rest.translation);
  // Nothing can give: as kept.
  options.stiffness = {{0, std::numeric_limits<double>::infinity()},
                       {1, std::numeric_limits<double>::infinity()},
                       {2, std::numeric_limits<double>::infinity()}};
  const auto rigid =
      reach(skeleton, {3, 0, IkLengths::beyond_reach}, at(goal), rest_of(skeleton), options);
  EXPECT_LT(length_change(skeleton, rest_of(skeleton), rigid), 1e-12);
}

TEST(Ik, within_reach_beyond_reach_is_kept) {
  const Skeleton skeleton = chain_skeleton({0.5, 0.4, 0.3}, 0.3);
  const IkGoal goal = at({0.4, 0.3, 0.6});
  EXPECT_EQ(reach(skeleton, {3, 0, IkLengths::beyond_reach}, goal, rest_of(skeleton)),
            reach(skeleton, {3, 0}, goal, rest_of(skeleton)));
}

TEST(Ik, softness_slows_the_chain_down_before_it_is_straight) {
  const Skeleton skeleton = chain_skeleton({0.5, 0.5}, 0.4);
  IkOptions options;
  options.softness = 0.1;
  double last = 0;
  for (double d = 0.8; d < 3; d += 0.01) {
    const auto kept = reach(skeleton, {2}, at({0, d, 0}), rest_of(skeleton), options);
    const double got = end_of(skeleton, kept).y;
    EXPECT_GT(got, last - 1e-12);
    EXPECT_LT(got, 1);
    if (d < 0.899) {
      EXPECT_NEAR(got, d, 1e-12);
    }
    last = got;
    const auto soft = reach(skeleton, {2, -1, IkLengths::beyond_reach}, at({0, d, 0}),
                            rest_of(skeleton), options);
    EXPECT_NEAR(end_of(skeleton, soft).y, d, 1e-12);
  }
  EXPECT_GT(last, 0.999);
}

TEST(Ik, a_dragged_joint_stretches_the_bones_on_both_sides) {
  const Skeleton skeleton = chain_skeleton({0.5, 0.4, 0.3}, 0.3);
  const auto rest = rest_of(skeleton);
  const auto before = places(skeleton, rest);
  const Vec3 goal = before[1] + Vec3{0.2, 0.3, 0.1};
  const auto pose = reach(skeleton, {1, -1, IkLengths::free}, at(goal), rest);
  const auto after = forward_kinematics(skeleton, pose);
  EXPECT_LT(distance(after[1].translation, goal), 1e-14);
  // All others stay, and so do the frames of those beyond.
  for (const int j : {0, 2, 3}) EXPECT_LT(distance(after[j].translation, before[j]), 1e-14) << j;
  const auto frames = forward_kinematics(skeleton, rest);
  for (const int j : {2, 3}) {
    const Quat turn = to_transform(frames[j]).rotation * conjugate(to_transform(after[j]).rotation);
    EXPECT_LT(rotation_angle(turn), 1e-7) << j;
  }
  // The bones point along their joints as before: stretch, no shear.
  EXPECT_LT(length(cross(normalized(pose[1].translation), Vec3{1, 0, 0})), 1e-14);
  EXPECT_LT(length(cross(normalized(pose[2].translation), Vec3{1, 0, 0})), 1e-14);
  for (int j = 0; j < 4; ++j) EXPECT_EQ(pose[j].scale, rest[j].scale);
}

TEST(Ik, children_of_a_dragged_joint_follow_if_asked_or_if_there_are_several) {
  const Skeleton skeleton = two_arms();
  const auto rest = rest_of(skeleton);
  const auto before = places(skeleton, rest);
  const Vec3 goal = before[5] + Vec3{0.1, 0.1, 0.1};
  const auto pose = reach(skeleton, {5, -1, IkLengths::free, IkChildren::follow}, at(goal), rest);
  EXPECT_EQ(pose[6], rest[6]);
  EXPECT_NEAR(distance(places(skeleton, pose)[6], goal), 0.25, 1e-14);
  // The chest has two arms. The spine's bone turns towards it, the hips stay.
  const auto chest = reach(skeleton, {2, -1, IkLengths::free}, at({0.1, 1.6, 0.1}), rest);
  for (int j = 3; j < 11; ++j) EXPECT_EQ(chest[j], rest[j]);
  EXPECT_EQ(chest[0], rest[0]);
  // A root moves all that it carries, whatever is said about lengths.
  const auto hips = reach(skeleton, {0}, at({0.3, 1.2, 0}), rest);
  for (int j = 1; j < 11; ++j) EXPECT_EQ(hips[j], rest[j]);
  EXPECT_EQ(places(skeleton, hips)[0], (Vec3{0.3, 1.2, 0}));
}

}  // namespace
}  // namespace sinew
