// SPDX-License-Identifier: Apache-2.0
// One chain: how it bends, where it points, and its singular cases.
#include <gtest/gtest.h>

#include "tests/motion/ik_rigs.h"

namespace sinew {
namespace {

// The angle between the bones at a joint.
double bend_at(const std::vector<Vec3>& p, int joint) {
  const Vec3 a = p[joint] - p[joint - 1], b = p[joint + 1] - p[joint];
  return std::atan2(length(cross(a, b)), dot(a, b));
}

TEST(Ik, two_bones_obey_the_law_of_cosines) {
  const Skeleton skeleton = chain_skeleton({0.7, 0.4}, 0.6, {0.2, 0.1, -0.3});
  const Vec3 root{0.2, 0.1, -0.3};
  for (const Vec3 goal : {Vec3{0.5, 0.5, 0.2}, Vec3{0.4, -0.2, -0.9}, Vec3{-0.2, 0.3, 0.1}}) {
    const auto pose = reach(skeleton, {2}, at(goal), rest_of(skeleton));
    EXPECT_LT(distance(end_of(skeleton, pose), goal), 1e-12);
    EXPECT_LT(length_change(skeleton, rest_of(skeleton), pose), 1e-12);
    const double d = distance(root, goal);
    const double cosine = (d * d - 0.7 * 0.7 - 0.4 * 0.4) / (2 * 0.7 * 0.4);
    EXPECT_NEAR(std::cos(bend_at(places(skeleton, pose), 1)), cosine, 1e-12);
  }
}

TEST(Ik, the_elbow_of_two_bones_stays_a_hinge) {
  const Skeleton skeleton = chain_skeleton({0.7, 0.4}, 0.6);
  const auto pose = reach(skeleton, {2}, at({0.3, 0.5, 0.4}), rest_of(skeleton));
  // It bends about the axis it was bent about, without any twist.
  const Quat turn = conjugate(skeleton.joints[1].rest.rotation) * pose[1].rotation;
  EXPECT_LT(std::hypot(turn.x, turn.y), 1e-14);
  EXPECT_GT(rotation_angle(turn), 0.1);
}

TEST(Ik, a_goal_on_the_same_sphere_turns_the_chain_by_the_shortest_arc) {
  const Skeleton skeleton = chain_skeleton({0.7, 0.4, 0.3}, 0.4);
  const Vec3 before = end_of(skeleton, rest_of(skeleton));
  const Vec3 goal = normalized(Vec3{0.3, 0.5, 0.7}) * length(before);
  const auto pose = reach(skeleton, {3, 0}, at(goal), rest_of(skeleton));
  const Quat arc = rotation_between(normalized(before), normalized(goal));
  EXPECT_LT(rotation_angle(conjugate(arc) * pose[0].rotation), 1e-12);
  for (int j = 1; j < 4; ++j) {
    const Quat turn = conjugate(skeleton.joints[j].rest.rotation) * pose[j].rotation;
    EXPECT_LT(rotation_angle(turn), 1e-7) << j;
  }
}

TEST(Ik, a_chain_bends_towards_its_pole) {
  for (const double bend : {0.0, 0.5}) {
    for (const int bones : {2, 5}) {
      const Skeleton skeleton = chain_skeleton(std::vector<double>(bones, 1.0 / bones), bend);
      for (const Vec3 pole : {Vec3{0.3, 1, 0.2}, Vec3{0.1, -0.4, 1}, Vec3{0.5, 0, -3}}) {
        IkGoal goal = at({0.4, 0.1, 0.3});
        goal.pole = pole;
        const auto pose = reach(skeleton, {bones, 0}, goal, rest_of(skeleton));
        EXPECT_LT(distance(end_of(skeleton, pose), *goal.position), 1e-12);
        const auto p = places(skeleton, pose);
        Vec3 middle;
        for (int j = 1; j < bones; ++j) middle += p[j];
        const Vec3 along = normalized(*goal.position);
        const Vec3 side = middle - along * dot(middle, along);
        const Vec3 wanted = pole - along * dot(pole, along);
        EXPECT_LT(length(cross(normalized(side), normalized(wanted))), 1e-9);
        EXPECT_GT(dot(side, wanted), 0);
      }
    }
  }
}

TEST(Ik, a_straight_limb_bends_as_limbs_do) {
  // Without a pole: elbows forwards (+z), knees backwards.
  const Skeleton arm = chain_skeleton({0.3, 0.3}, 0);
  const auto bent = places(arm, reach(arm, {2}, at({0.5, 0, 0}), rest_of(arm)));
  EXPECT_LT(bent[1].z, -0.1);
  EXPECT_NEAR(bent[1].y, 0, 1e-12);
  Skeleton leg = arm;
  for (int j = 1; j < 3; ++j) leg.joints[j].rest.translation = {0, -0.4, 0};
  const auto knee = places(leg, reach(leg, {2}, at({0, -0.6, 0}), rest_of(leg)));
  EXPECT_GT(knee[1].z, 0.1);
  // Noise from a file is no bend.
  const Skeleton noisy = chain_skeleton({0.3, 0.3}, 3e-8);
  EXPECT_LT(places(noisy, reach(noisy, {2}, at({0.5, 0, 0}), rest_of(noisy)))[1].z, -0.1);
  const Skeleton hardly = chain_skeleton({0.3, 0.3, 0.2}, 5e-5);
  for (const int joint : {2, 3}) {
    const auto pose = reach(hardly, {joint, 0}, at({0.2, 0.3, 0.1}), rest_of(hardly));
    EXPECT_LT(distance(places(hardly, pose)[joint], {0.2, 0.3, 0.1}), 1e-12);
  }
}

TEST(Ik, a_goal_where_the_joint_is_keeps_every_bit) {
  const Skeleton skeleton = two_arms();
  const auto rest = rest_of(skeleton);
  const auto p = places(skeleton, rest);
  for (const int root : {-1, 0, 2}) {
    for (const IkLengths lengths : {IkLengths::kept, IkLengths::beyond_reach, IkLengths::free}) {
      EXPECT_EQ(reach(skeleton, {6, root, lengths}, at(p[6]), rest), rest);
      EXPECT_EQ(reach(skeleton, {6, root, lengths}, IkGoal{}, rest), rest);
    }
  }
  const std::vector<IkHandle> handles{{6, 0}, {10, 0}};
  IkSolver solver(skeleton, handles);
  auto pose = rest;
  solver.solve(std::vector{at(p[6]), at(p[10])}, pose);
  EXPECT_EQ(pose, rest);
  IkGoal turned = at(p[6]);
  turned.rotation = to_transform(forward_kinematics(skeleton, rest)[6]).rotation;
  EXPECT_EQ(reach(skeleton, {6}, turned, rest), rest);
}

TEST(Ik, the_same_input_gives_the_same_bits) {
  const Skeleton skeleton = two_arms();
  const std::vector<IkHandle> handles{{6, 0}, {10, 0}};
  IkSolver first(skeleton, handles), second(skeleton, handles);
  auto a = rest_of(skeleton), b = a, other = a;
  const std::vector goals{at({0.2, 1.9, 0.3}), at({-0.3, 1.2, 0.2})};
  first.solve(goals, a);
  // What was solved before leaves no trace.
  second.solve(std::vector{at({-1, 0, 2}), at({0.3, 0.2, -0.2})}, other);
  second.solve(goals, b);
  EXPECT_EQ(a, b);
}

TEST(Ik, a_goal_at_the_root_folds_the_chain) {
  // Equal bones reach it; unequal ones come as near as they can, on the side where they are.
  const Skeleton equal = chain_skeleton({0.5, 0.5}, 0.7);
  EXPECT_LT(length(end_of(equal, reach(equal, {2}, at({}), rest_of(equal)))), 1e-7);
  const Skeleton unequal = chain_skeleton({0.5, 0.2}, 0.7);
  const auto folded = reach(unequal, {2}, at({}), rest_of(unequal));
  EXPECT_NEAR(length(end_of(unequal, folded)), 0.3, 1e-12);
  EXPECT_GT(dot(end_of(unequal, folded), end_of(unequal, rest_of(unequal))), 0);
  const Skeleton longer = chain_skeleton({0.4, 0.4, 0.4, 0.4}, 0.2);
  EXPECT_LT(length(end_of(longer, reach(longer, {4, 0}, at({}), rest_of(longer)))), 1e-9);
}

TEST(Ik, zero_length_bones_do_not_count) {
  const Skeleton skeleton = chain_skeleton({0.5, 0, 0.5, 0}, 0.3);
  const Vec3 goal{0.3, 0.2, 0.5};
  // Two bones with length, by default.
  const std::vector<IkHandle> handles{{4}};
  EXPECT_EQ(IkSolver(skeleton, handles).chain(0).size(), 4u);
  const auto pose = reach(skeleton, {4}, at(goal), rest_of(skeleton));
  EXPECT_LT(distance(end_of(skeleton, pose), goal), 1e-12);
  const Skeleton nothing = chain_skeleton({0, 0}, 0.3);
  const auto same = reach(nothing, {2}, at(goal), rest_of(nothing));
  EXPECT_EQ(same, rest_of(nothing));
}

TEST(Ik, a_given_rotation_holds_in_the_world) {
  const Skeleton skeleton = two_arms();
  IkGoal goal = at({0.4, 1.4, 0.3});
  goal.rotation = rotation_about(normalized(Vec3{1, 2, 3}), 1.1);
  const auto pose = reach(skeleton, {6}, goal, rest_of(skeleton));
  const Affine hand = forward_kinematics(skeleton, pose)[6];
  EXPECT_LT(distance(hand.translation, *goal.position), 1e-12);
  EXPECT_LT(rotation_angle(conjugate(*goal.rotation) * to_transform(hand).rotation), 1e-7);
  goal.weight = 0;
  EXPECT_EQ(reach(skeleton, {6}, goal, rest_of(skeleton)), rest_of(skeleton));
  IkGoal kept = at({0.4, 1.4, 0.3});
  kept.keep_rotation = true;
  const auto standing = forward_kinematics(skeleton, reach(skeleton, {6}, kept, rest_of(skeleton)));
  const auto before = forward_kinematics(skeleton, rest_of(skeleton));
  EXPECT_LT(distance(standing[6].linear.x, before[6].linear.x), 1e-12);
  EXPECT_LT(distance(standing[6].linear.y, before[6].linear.y), 1e-12);
  EXPECT_GT(distance(standing[5].linear.x, before[5].linear.x), 0.1);
}

TEST(Ik, scaled_and_mirrored_parents_are_no_obstacle) {
  for (const Vec3 scale : {Vec3{2, 2, 2}, Vec3{-1, 1, 1}, Vec3{0.5, 0.5, -0.5}}) {
    Skeleton skeleton = chain_skeleton({0.5, 0.4}, 0.5, {0.1, 0.2, 0.3});
    skeleton.joints[0].rest.scale = scale;
    skeleton.joints[0].rest.rotation = rotation_about(normalized(Vec3{1, 1, 0}), 0.8);
    skeleton.joints[1].rest.scale = {1.5, 1.5, 1.5};
    IkGoal goal = at(Vec3{0.1, 0.2, 0.3} + normalized(Vec3{0.2, 0.5, -0.3}) * std::fabs(scale.x));
    goal.rotation = rotation_about(normalized(Vec3{1, 2, 3}), 1.1);
    goal.pole = Vec3{3, 0, 0};
    const auto pose = reach(skeleton, {2}, goal, rest_of(skeleton));
    EXPECT_LT(distance(end_of(skeleton, pose), *goal.position), 1e-12);
    EXPECT_LT(length_change(skeleton, rest_of(skeleton), pose), 1e-12);
    const Quat turned = to_transform(forward_kinematics(skeleton, pose)[2]).rotation;
    EXPECT_LT(rotation_angle(conjugate(*goal.rotation) * turned), 1e-7);
  }
  // Uneven scale: bones change their lengths as they turn, and the goal is reached all the same.
  Skeleton uneven = chain_skeleton({0.5, 0.4, 0.3}, 0.5);
  uneven.joints[0].rest.scale = {1, 1.4, 0.8};
  const Vec3 goal{0.5, 0.3, 0.4};
  const auto pose = reach(uneven, {3, 0}, at(goal), rest_of(uneven));
  EXPECT_LT(distance(end_of(uneven, pose), goal), 1e-9);
  EXPECT_EQ(pose[2].translation, uneven.joints[2].rest.translation);
}

}  // namespace
}  // namespace sinew
