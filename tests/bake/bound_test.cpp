// SPDX-License-Identifier: Apache-2.0
// Whether bounds are met on the built-in characters, and what the report says where they are not.
#include <string>

#include <gtest/gtest.h>

#include "sinew/bake/bake.h"
#include "sinew/samples/internal/clips.h"
#include "sinew/samples/samples.h"

namespace sinew {
namespace {

// All of the wrist's twist is spread over the forearm.
Rig with_wrist_clip(const char* sample, std::size_t vertices, const std::string& side) {
  Rig rig = make_sample(sample, vertices);
  const int hand = find_joint(rig.skeleton, "hand" + side);
  rig.skeleton.joints[hand].twist_shares = TwistShares{1, 0};
  rig.clips = {samples::wrist_clip(rig, "forearm" + side, "hand" + side)};
  return rig;
}

TEST(BakeBound, a_wrist_twisted_by_half_a_turn_and_stretched_stays_below_2_per_cent) {
  for (const Rig& rig :
       {with_wrist_clip("arm", 1500, ""), with_wrist_clip("mannequin", 1500, ".L")}) {
    const Baked baked = bake(rig, {.max_error_percent = 2, .influences = 4});
    EXPECT_LT(baked.report.max_error_percent, 2) << to_text(baked.report);
    EXPECT_GT(baked.report.plain_error_box, 20 * baked.report.max_error_box_percent);
    ASSERT_EQ(baked.report.bones.size(), 1u);
    EXPECT_NEAR(baked.report.bones.front().twist, 180, 1e-6);
    EXPECT_NEAR(baked.report.bones.front().longest, 1.5, 1e-6);
  }
}

TEST(BakeBound, where_influences_are_too_few_as_many_as_the_report_says_do) {
  Rig rig = make_sample("arm", 600);
  rig.clips.resize(1);
  const Baked poor = bake(rig, {.max_error_percent = 2, .influences = 2});
  ASSERT_FALSE(is_within_bound(poor.report));
  ASSERT_NE(poor.report.remedy.find("influences per vertex would meet it"), std::string::npos)
      << poor.report.remedy;
  const std::size_t enough = std::stoi(poor.report.remedy);
  EXPECT_TRUE(is_within_bound(bake(rig, {.max_error_percent = 2, .influences = enough}).report));
}

}  // namespace
}  // namespace sinew
