// SPDX-License-Identifier: Apache-2.0
// Chains, lengths, limits and singular cases of inverse kinematics.
#include <array>
#include <limits>

#include <gtest/gtest.h>

#include "tests/motion/ik_rigs.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
constexpr double endless = std::numeric_limits<double>::infinity();

Vec3 end_of(const Skeleton& skeleton, const std::vector<Transform>& locals) {
  return places(skeleton, locals).back();
}

// The angle between the bones at joint 1.
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
  options.stiffness = {{0, 2}, {2, endless}};
  const Vec3 goal{0, 2.1, 0};
  const auto pose =
      reach(skeleton, {3, 0, IkLengths::beyond_reach}, at(goal), rest_of(skeleton), options);
  EXPECT_LT(distance(end_of(skeleton, pose), goal), 1e-12);
  EXPECT_NEAR(length(pose[1].translation), 0.5 + 0.2, 1e-12);
  EXPECT_NEAR(length(pose[2].translation), 0.5 + 0.4, 1e-12);
  EXPECT_EQ(pose[3].translation, skeleton.joints[3].rest.translation);
  // Nothing can give: as kept.
  options.stiffness = {{0, endless}, {1, endless}, {2, endless}};
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

TEST(Ik, limits_hold_and_the_rest_of_the_chain_makes_up_for_them) {
  const Skeleton skeleton = chain_skeleton({0.4, 0.4, 0.4, 0.4}, 0.2);
  const auto turn_of = [&](const std::vector<Transform>& pose, int j) {
    return conjugate(skeleton.joints[j].rest.rotation) * pose[j].rotation;
  };
  IkOptions options;
  options.limits = {{0, ConeLimit{{1, 0, 0}, 0.5, -0.2, 0.2}},
                    {1, HingeLimit{{0, 0, 1}, -0.1, 1.5}},
                    {2, AxesLimit{{-0.3, -0.4, -0.2}, {0.3, 0.4, 0.6}}}};
  for (const Vec3 goal :
       {Vec3{0.9, 0.6, 0.3}, Vec3{1.0, 0.9, -0.2}, Vec3{0.9, 0.2, 0.1}, Vec3{-0.5, 0.2, 0.1}}) {
    const auto pose = reach(skeleton, {4, 0}, at(goal), rest_of(skeleton), options);
    const Quat cone = turn_of(pose, 0), hinge = turn_of(pose, 1), axes = turn_of(pose, 2);
    const double twist = twist_angle(cone, Vec3{1, 0, 0});
    EXPECT_LT(std::fabs(twist), 0.2 + 1e-9);
    EXPECT_LT(rotation_angle(cone * rotation_about(Vec3{1, 0, 0}, -twist)), 0.5 + 1e-9);
    EXPECT_LT(std::hypot(hinge.x, hinge.y), 1e-9);
    const double bent = twist_angle(hinge, Vec3{0, 0, 1});
    EXPECT_TRUE(bent > -0.1 - 1e-9 && bent < 1.5 + 1e-9) << bent;
    EXPECT_GT(std::fabs(dot(clamped(axes, options.limits[2].range), axes)), 1 - 1e-15);
    EXPECT_LT(length_change(skeleton, rest_of(skeleton), pose), 1e-12);
    if (goal.x > 0) {
      EXPECT_LT(distance(end_of(skeleton, pose), goal), 1e-6) << goal.x << " " << goal.y;
    }
  }
}

TEST(Ik, limits_clamp_swing_twist_and_axes) {
  const Quat turn = rotation_about(Vec3{1, 0, 0}, 0.9) * rotation_about(Vec3{0, 1, 0}, 0.7);
  const Quat coned = clamped(turn, ConeLimit{{0, 1, 0}, 0.4, -0.1, 0.3});
  EXPECT_NEAR(twist_angle(coned, Vec3{0, 1, 0}), 0.3, 1e-12);
  EXPECT_NEAR(rotation_angle(coned * rotation_about(Vec3{0, 1, 0}, -0.3)), 0.4, 1e-12);
  EXPECT_EQ(clamped(turn, ConeLimit{{0, 1, 0}, 1, -1, 1}), turn);
  EXPECT_NEAR(rotation_angle(clamped(turn, HingeLimit{{0, 1, 0}, 0, 0.5})), 0.5, 1e-12);
  const Quat y = rotation_about(Vec3{0, 1, 0}, 0.45);
  EXPECT_EQ(clamped(y, HingeLimit{{0, 1, 0}, 0, 0.5}), y);
  const Quat boxed =
      clamped(rotation_about(normalized(Vec3{1, 2, 2}), 0.9), AxesLimit{{-1, -1, -1}, {0.1, 1, 1}});
  EXPECT_NEAR(rotation_angle(boxed), std::sqrt(0.01 + 0.36 + 0.36), 1e-12);
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

TEST(Ik, chains_have_two_bones_unless_told_and_end_at_frames_and_dragged_joints) {
  Skeleton skeleton = chain_skeleton({1, 1, 1, 1}, 0.1);
  const auto chain = [&](const std::vector<IkHandle>& handles) {
    const IkSolver solver(skeleton, handles);
    return std::vector<JointIndex>(solver.chain(0).begin(), solver.chain(0).end());
  };
  EXPECT_EQ(chain({{4}}), (std::vector<JointIndex>{2, 3}));
  EXPECT_EQ(chain({{4, 0}}), (std::vector<JointIndex>{0, 1, 2, 3}));
  EXPECT_EQ(chain({{1}}), (std::vector<JointIndex>{0}));
  EXPECT_EQ(chain({{4, 0}, {1, -1, IkLengths::free}}), (std::vector<JointIndex>{1, 2, 3}));
  skeleton.joints[0].is_frame = true;
  EXPECT_EQ(chain({{2}}), (std::vector<JointIndex>{1}));
}

TEST(Ik, wrong_handles_and_goals_are_refused) {
  const Skeleton skeleton = two_arms();
  const auto made = [&](const std::vector<IkHandle>& handles, const IkOptions& options = {}) {
    return wrong_usage([&] { IkSolver(skeleton, handles, options); });
  };
  EXPECT_EQ(made({{11}}), "handle 0 names joint 11, but there are 11");
  EXPECT_EQ(made({{6}, {6, 0}}), "joint 6 (hand.L) has two handles");
  EXPECT_EQ(made({{6, 8}}),
            "the chain of joint 6 (hand.L) cannot start at joint 8 (arm.R), which is not a joint "
            "above it");
  IkOptions options;
  options.stiffness = {{5, 0}};
  EXPECT_EQ(made({{6}}, options),
            "the stiffness of joint 5 (forearm.L) is 0; it is above 0, or infinite");
  options = {};
  options.limits = {{5, HingeLimit{{0, 0, 2}}}};
  EXPECT_EQ(made({{6}}, options), "the axis of a limit is a vector of unit length");
  options.limits = {{5, HingeLimit{{0, 0, 1}, 0.5, 1}}};
  EXPECT_EQ(made({{6}}, options).find("a limit goes from 28.65 to 57.3 degrees"), 0u);
  options.limits = {{5, HingeLimit{}}, {5, HingeLimit{}}};
  EXPECT_EQ(made({{6}}, options), "joint 5 (forearm.L) has two limits");

  const std::vector<IkHandle> handles{{6}};
  IkSolver solver(skeleton, handles);
  const auto rest = rest_of(skeleton);
  const auto solved = [&](const IkGoal& goal) {
    auto pose = rest;
    const std::string message = wrong_usage([&] { solver.solve({&goal, 1}, pose); });
    EXPECT_EQ(pose, rest);
    return message;
  };
  EXPECT_EQ(solved(at({nowhere, 0, 0})), "the position or the pole of goal 0 is not finite");
  EXPECT_EQ(solved(at({endless, 0, 0})), "the position or the pole of goal 0 is not finite");
  IkGoal goal;
  goal.pole = Vec3{0, nowhere, 0};
  EXPECT_EQ(solved(goal), "the position or the pole of goal 0 is not finite");
  goal = {};
  goal.rotation = Quat{0, 0, 0, 2};
  EXPECT_EQ(solved(goal), "the rotation of goal 0 is no unit quaternion");
  goal = {};
  goal.weight = nowhere;
  EXPECT_EQ(solved(goal).find("the weight of goal 0 is nan"), 0u);
  auto broken = rest;
  broken[3].translation.y = nowhere;
  EXPECT_EQ(wrong_usage([&] { solver.solve(std::vector{IkGoal{}}, broken); }),
            "joint 3 of the pose is not finite or not a rotation");
  auto few = rest;
  few.pop_back();
  EXPECT_EQ(wrong_usage([&] { solver.solve(std::vector{IkGoal{}}, few); }),
            "1 goals and 10 local transforms do not fit 1 handles and 11 joints");
}

}  // namespace
}  // namespace sinew
