// SPDX-License-Identifier: Apache-2.0
// Several handles at once: pins, weights, shared trunks.
#include <array>

#include <gtest/gtest.h>

#include "tests/motion/ik_rigs.h"

namespace sinew {
namespace {

TEST(Ik, pins_hold_what_carries_them_moves) {
  const Skeleton skeleton = two_arms();
  const auto rest = rest_of(skeleton);
  const auto before = places(skeleton, rest);
  const std::vector<IkHandle> handles{{6}, {10}, {0}};
  IkSolver solver(skeleton, handles);
  auto pose = rest;
  solver.solve(std::vector{IkGoal{}, IkGoal{}, at(before[0] + Vec3{0.004, 0.03, 0.01})}, pose);
  const auto after = places(skeleton, pose);
  EXPECT_LT(distance(after[6], before[6]), 1e-12);
  EXPECT_LT(distance(after[10], before[10]), 1e-12);
  EXPECT_GT(distance(after[2], before[2]), 0.01);
  EXPECT_LT(length_change(skeleton, rest, pose), 1e-12);
}

TEST(Ik, weights_fade_goals_pins_and_rotations_in) {
  const Skeleton skeleton = two_arms();
  const auto rest = rest_of(skeleton);
  const std::vector<IkHandle> handles{{6}, {0}};
  IkSolver solver(skeleton, handles);
  const auto solved = [&](double weight) {
    auto pose = rest;
    IkGoal pin;
    pin.keep_rotation = true;
    pin.weight = weight;
    solver.solve(std::vector{pin, at({0.05, 1.05, 0.1})}, pose);
    return pose;
  };
  // Without weight the arm hangs from the body as it did.
  const auto loose = solved(0);
  for (int j = 1; j < 11; ++j) EXPECT_EQ(loose[j], rest[j]) << j;
  auto last = loose;
  for (int i = 1; i <= 100; ++i) {
    const auto pose = solved(i / 100.0);
    EXPECT_LT(largest_turn_between(skeleton, last, pose), 0.03) << i;
    last = pose;
  }
  EXPECT_LT(distance(places(skeleton, last)[6], places(skeleton, rest)[6]), 1e-12);
}

TEST(Ik, half_a_weight_turns_a_joint_half_the_way) {
  const Skeleton skeleton = two_arms();
  const auto rest = rest_of(skeleton);
  const Quat before = to_transform(forward_kinematics(skeleton, rest)[6]).rotation;
  IkGoal goal;
  goal.rotation = rotation_about(Vec3{0, 1, 0}, 1.0) * before;
  goal.weight = 0.5;
  const auto pose = reach(skeleton, {6}, goal, rest);
  const Quat after = to_transform(forward_kinematics(skeleton, pose)[6]).rotation;
  EXPECT_NEAR(rotation_angle(conjugate(before) * after), 0.5, 1e-9);
}

TEST(Ik, handles_on_one_tree_share_its_trunk) {
  const Skeleton skeleton = two_arms();
  const auto rest = rest_of(skeleton);
  const std::vector<IkHandle> handles{{6, 0}, {10, 0}};
  IkSolver solver(skeleton, handles);
  auto pose = rest;
  // Both further to the left than the right arm alone can reach.
  const Vec3 left{0.5, 1.75, 0.25}, right{0.15, 1.3, 0.55};
  solver.solve(std::vector{at(left), at(right)}, pose);
  const auto after = places(skeleton, pose);
  EXPECT_LT(distance(after[6], left), 1e-9);
  EXPECT_LT(distance(after[10], right), 1e-9);
  EXPECT_LT(length_change(skeleton, rest, pose), 1e-12);
  EXPECT_GT(rotation_angle(conjugate(rest[0].rotation) * pose[0].rotation), 0.01);
}

TEST(Ik, a_handle_below_another_has_what_lies_between_for_itself) {
  const Skeleton skeleton = chain_skeleton({0.4, 0.4, 0.4, 0.4}, 0.25);
  const std::vector<IkHandle> handles{{2, 0}, {4, 0}};
  IkSolver solver(skeleton, handles);
  auto pose = rest_of(skeleton);
  const Vec3 middle{0.5, 0.35, 0.2}, end{0.6, 0.8, 0.5};
  solver.solve(std::vector{at(middle), at(end)}, pose);
  const auto after = places(skeleton, pose);
  EXPECT_LT(distance(after[2], middle), 1e-6);
  EXPECT_LT(distance(after[4], end), 1e-6);
  // With a rotation that the way to the end passes through.
  std::vector goals{at(middle), at(end)};
  goals[0].rotation = rotation_about(Vec3{0, 0, 1}, 1.2);
  const Vec3 next = middle + rotate(*goals[0].rotation, Vec3{0.4, 0, 0});
  goals[1] = at(next + normalized(Vec3{0.2, 0.3, 0.9}) * 0.4);
  pose = rest_of(skeleton);
  solver.solve(goals, pose);
  const auto frames = forward_kinematics(skeleton, pose);
  EXPECT_LT(rotation_angle(conjugate(*goals[0].rotation) * to_transform(frames[2]).rotation), 1e-7);
  EXPECT_LT(distance(frames[2].translation, middle), 1e-6);
  EXPECT_LT(distance(frames[4].translation, *goals[1].position), 1e-6);
  // As fast as Newton's method, which knows what the joint that keeps its rotation does.
  EXPECT_LT(solver.results()[1].iterations, 15);
}

TEST(Ik, weights_decide_between_goals_that_conflict) {
  // Two joints of one bone, asked to be further apart than it is long.
  const Skeleton skeleton = chain_skeleton({0.5, 0.5, 0.5}, 0.2);
  const std::vector<IkHandle> handles{{2, 0}, {3, 0}};
  std::array<double, 2> misses{};
  for (const bool first_is_light : {true, false}) {
    IkSolver solver(skeleton, handles);
    auto pose = rest_of(skeleton);
    std::vector goals{at({0.2, 0.9, 0.3}), at({0.2, -0.9, 0.3})};
    goals[first_is_light ? 0 : 1].weight = 0.1;
    solver.solve(goals, pose);
    misses[first_is_light ? 0 : 1] = distance(places(skeleton, pose)[2], *goals[0].position);
    EXPECT_LT(length_change(skeleton, rest_of(skeleton), pose), 1e-12);
  }
  EXPECT_LT(misses[1], 0.3 * misses[0]);
}

}  // namespace
}  // namespace sinew
