// SPDX-License-Identifier: Apache-2.0
// Which joints a handle turns, and what is refused.
#include <limits>

#include <gtest/gtest.h>

#include "tests/motion/ik_rigs.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
constexpr double endless = std::numeric_limits<double>::infinity();

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
