// SPDX-License-Identifier: Apache-2.0
// Goals on dense paths: joints must not jump from one to the next.
#include <algorithm>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "tests/motion/ik_rigs.h"

namespace sinew {
namespace {

struct Sweep {
  Skeleton skeleton;
  std::vector<IkHandle> handles;
  IkOptions options;
  std::optional<Vec3> pole;
  double spread = 0.3;  // of goals around the places at rest
};

// The largest from one goal to the next, over the step between the goals and over its square root.
struct Jump {
  double in_steps = 0, in_roots = 0;
};

// How far a joint goes and turns (in radians) from one pose to the next, at most.
double largest_change(const std::vector<Affine>& before, const std::vector<Affine>& after) {
  double worst = 0;
  for (std::size_t j = 0; j < before.size(); ++j) {
    const Mat3 turn = transpose(before[j].linear) * after[j].linear;
    worst = std::max({worst, distance(before[j].translation, after[j].translation),
                      rotation_angle(to_quaternion(turn))});
  }
  return worst;
}

// Paths between random goals, each solved from the rest pose.
Jump largest_jump(const Sweep& sweep, int steps) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> spread(-sweep.spread, sweep.spread);
  const auto rest = rest_of(sweep.skeleton);
  const auto order = evaluation_order(sweep.skeleton);
  const auto home = places(sweep.skeleton, rest);
  IkSolver solver(sweep.skeleton, sweep.handles, sweep.options);
  Jump jump;
  for (int path = 0; path < 5; ++path) {
    std::vector<Vec3> from, to;
    double step = 0;
    for (const IkHandle& handle : sweep.handles) {
      const Vec3 a{spread(random), spread(random), spread(random)};
      const Vec3 b{spread(random), spread(random), spread(random)};
      from.push_back(home[handle.joint] + a);
      to.push_back(home[handle.joint] + b);
      step = std::max(step, distance(from.back(), to.back()) / steps);
    }
    std::vector<Affine> frames(rest.size()), last;
    for (int i = 0; i <= steps; ++i) {
      std::vector<IkGoal> goals;
      for (std::size_t h = 0; h < from.size(); ++h) {
        goals.push_back(at(lerp(from[h], to[h], double(i) / steps)));
        goals.back().pole = sweep.pole;
      }
      std::vector<Transform> pose = rest;
      solver.solve(goals, pose);
      forward_kinematics(sweep.skeleton, order, pose, frames);
      const double change = last.empty() ? 0 : largest_change(last, frames);
      jump.in_steps = std::max(jump.in_steps, change / step);
      jump.in_roots = std::max(jump.in_roots, change / std::sqrt(step));
      last = frames;
    }
  }
  return jump;
}

Sweep one_chain(const std::vector<double>& lengths, double bend, double spread) {
  return {chain_skeleton(lengths, bend), {{int(lengths.size()), 0}}, {}, {}, spread};
}

// Near full extension an angle goes with the square root of the distance that is left: 16 times as
// many steps make the largest jump 4 times smaller. A flip would not get smaller.
void expect_no_flips(const Sweep& sweep, const char* name, double most) {
  const double coarse = largest_jump(sweep, 50).in_roots, fine = largest_jump(sweep, 800).in_roots;
  EXPECT_LT(coarse, most) << name;
  EXPECT_LT(fine, most) << name;
}

TEST(IkSweep, chains_do_not_flip) {
  expect_no_flips(one_chain({0.5, 0.5}, 0.6, 0.4), "two bones", 3);
  expect_no_flips(one_chain({0.5, 0.5}, 0, 0.4), "two straight bones", 3);
  expect_no_flips(one_chain({0.2, 0.2, 0.2, 0.2, 0.2}, 0.3, 0.4), "five bones", 3);
  expect_no_flips(one_chain({0.2, 0.2, 0.2, 0.2, 0.2}, 0, 0.4), "five straight bones", 3);
  Sweep with_pole = one_chain({0.2, 0.2, 0.2, 0.2, 0.2}, 0.2, 0.4);
  with_pole.pole = Vec3{0.2, 3, 1};
  expect_no_flips(with_pole, "with a pole", 3);
  Sweep stretched = one_chain({0.5, 0.5}, 0.4, 0.4);
  stretched.handles[0].lengths = IkLengths::beyond_reach;
  expect_no_flips(stretched, "stretched", 3);
}

TEST(IkSweep, trees_and_limits_do_not_flip) {
  expect_no_flips({two_arms(), {{6, 0}, {10, 0}}, {}, {}, 0.2}, "two arms", 3);
  expect_no_flips({two_arms(), {{5, 2}, {6, 2}}, {}, {}, 0.15}, "elbow and hand", 3);
  IkOptions limits;
  limits.limits = {{5, HingeLimit{{0, 0, 1}, -0.2, 2.4}}, {4, ConeLimit{{1, 0, 0}, 1, -0.5, 0.5}}};
  expect_no_flips({two_arms(), {{6}}, limits, {}, 0.25}, "an arm with limits", 3);
  expect_no_flips({two_arms(), {{6, 3}}, limits, {}, 0.25}, "with a collar bone", 4);
}

TEST(IkSweep, softness_bounds_the_speed_of_joints) {
  Sweep sweep = one_chain({0.5, 0.5}, 0.6, 0.4);
  sweep.options.softness = 0.05;
  for (const IkLengths lengths : {IkLengths::kept, IkLengths::beyond_reach}) {
    sweep.handles[0].lengths = lengths;
    EXPECT_LT(largest_jump(sweep, 50).in_steps, 5);
    EXPECT_LT(largest_jump(sweep, 800).in_steps, 5);
  }
}

TEST(IkSweep, a_pose_that_goes_on_from_the_last_passes_behind_the_root) {
  const Skeleton skeleton = chain_skeleton({0.5, 0.4, 0.3}, 0.3);
  const std::vector<IkHandle> handles{{3, 0}};
  IkSolver solver(skeleton, handles);
  auto pose = rest_of(skeleton);
  const auto goal_at_angle = [](double angle) {
    return at({0.8 * std::cos(angle), 0.1, 0.8 * std::sin(angle)});
  };
  solver.solve(std::vector{goal_at_angle(0)}, pose);
  constexpr int steps = 400;
  for (int i = 1; i <= 2 * steps; ++i) {
    const auto last = pose;
    solver.solve(std::vector{goal_at_angle(2 * pi * i / steps)}, pose);
    EXPECT_LT(largest_move(skeleton, last, pose), 2 * 0.8 * 2 * pi / steps);
    EXPECT_LT(solver.results()[0].distance, 1e-12);
  }
}

TEST(IkSweep, the_way_to_full_stretch_is_continuous) {
  const Skeleton skeleton = chain_skeleton({0.5, 0.5}, 0.5);
  IkHandle handle{2, -1, IkLengths::beyond_reach};
  std::vector<Transform> last;
  constexpr double step = 1e-4;
  for (double d = 0.99; d < 1.01; d += step) {
    const auto pose = reach(skeleton, handle, at({0, d, 0}), rest_of(skeleton));
    const double longest = length(pose[1].translation);
    EXPECT_NEAR(longest, 0.5 * std::max(1.0, d), 1e-12);
    if (!last.empty()) {
      EXPECT_LT(largest_move(skeleton, last, pose), std::sqrt(step));
    }
    last = pose;
  }
}

}  // namespace
}  // namespace sinew
