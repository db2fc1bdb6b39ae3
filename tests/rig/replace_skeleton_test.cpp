// SPDX-License-Identifier: Apache-2.0
// What a rig keeps when it gets another skeleton.
#include "sinew/rig/replace_skeleton.h"

#include <gtest/gtest.h>

#include "tests/support/rigs.h"

namespace sinew {
namespace {

TEST(ReplaceSkeleton, limits_follow_their_joints_by_name) {
  Rig rig = tube_rig({.settings = true});
  const Skeleton old = rig.skeleton;
  rig.limits = {{0, ConeLimit{}}, {1, HingeLimit{}}, {2, AxesLimit{}}};
  Skeleton swapped = old;
  swapped.joints[1].name = old.joints[2].name;
  swapped.joints[2].name = "another";
  replace_skeleton(rig, swapped);
  EXPECT_EQ(rig.limits, (std::vector<IkLimit>{{0, ConeLimit{}}, {1, AxesLimit{}}}));
}

}  // namespace
}  // namespace sinew
