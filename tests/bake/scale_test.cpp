// SPDX-License-Identifier: Apache-2.0
// Bones that clips scale: what helpers carry of it.
#include <gtest/gtest.h>

#include "sinew/bake/bake.h"
#include "sinew/deform/deform.h"
#include "sinew/samples/samples.h"
#include "tests/support/comparing.h"
#include "tests/support/plain_skinning.h"
#include "tests/support/refusals.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

constexpr double tube_radius = 0.2;

std::vector<Vec3> scaled_truth(const Rig& rig, double time) {
  return deform_reference(rig, bone_states(rig, rig.clips[0], time), {},
                          method_from_name("stbs-lbs", rig))
      .positions;
}

std::vector<Vec3> played(const Rig& rig, double time) {
  return plain_skinning(rig, bone_maps(rig, pose_at(rig, rig.clips[0], time)));
}

// Two bones of which the second grows to this scale in two seconds.
Rig growing_tube(const Vec3& scale) {
  Rig rig = make_tube({.radius = tube_radius, .rings = 121, .sides = 8});
  ScaleChannel grow{1, {}};
  grow.curve.times = {0, 2};
  grow.curve.values = {{1, 1, 1}, scale};
  rig.clips = {{"grow", {grow}}};
  return rig;
}

bool has_scale_track(const Rig& rig) {
  for (const Channel& channel : rig.clips[0].channels) {
    if (std::holds_alternative<ScaleChannel>(channel)) return true;
  }
  return false;
}

TEST(BakeScale, helpers_of_a_bone_that_swells_carry_its_scale) {
  for (const Vec3& scale : {Vec3{1.5, 1.5, 1.5}, Vec3{1.4, 0.5, 1.8}}) {
    const Rig rig = growing_tube(scale);
    const Baked baked = bake(rig, {.max_error_percent = 1, .influences = 0});
    ASSERT_EQ(baked.report.bones.size(), 1u);
    EXPECT_TRUE(has_scale_track(baked.rig));
    EXPECT_TRUE(is_within_bound(baked.report)) << to_text(baked.report);
    for (const double time : {0.0, 0.7, 2.0}) {
      EXPECT_LT(largest_difference(scaled_truth(rig, time), played(baked.rig, time)),
                1e-3 * tube_radius)
          << time;
    }
  }
}

TEST(BakeScale, bones_that_are_stretched_get_thinner_where_that_is_asked_for) {
  const Rig rig = growing_tube({1.6, 1, 1});
  const Baked baked =
      bake(rig, {.max_error_percent = 1, .influences = 0, .key_tolerance = 1e-6, .squash = true});
  EXPECT_TRUE(is_within_bound(baked.report)) << to_text(baked.report);
  for (const double time : {0.0, 0.7, 2.0}) {
    const std::vector<Vec3> thin =
        deform_reference(rig, bone_states(rig, rig.clips[0], time, {.squash = true}), {},
                         method_from_name("stbs-lbs", rig))
            .positions;
    EXPECT_LT(largest_difference(thin, played(baked.rig, time)), 1e-3 * tube_radius) << time;
    const double thinner = largest_difference(thin, scaled_truth(rig, time));
    EXPECT_EQ(thinner > 0.05 * tube_radius, time > 0) << thinner;
  }
  const BakeOptions live{.live = LiveHelpers::table, .squash = true};
  EXPECT_EQ(wrong_usage([&] { bake(rig, live); }),
            "live helpers cannot get thinner: bake them without squash");
}

TEST(BakeScale, the_mannequin_whose_biceps_and_chest_swell_meets_its_bound) {
  const Rig rig = make_sample("mannequin", 2000);
  const Baked baked = bake(rig, {.influences = 8});
  EXPECT_TRUE(is_within_bound(baked.report)) << to_text(baked.report);
}

// The first bone grows unevenly across while the second turns below it: the directions of the scale
// that the second inherits turn about it, and no scale of a joint does.
TEST(BakeScale, where_nothing_helps_what_is_left_is_said) {
  Rig rig = make_tube({.radius = tube_radius, .rings = 121, .sides = 8});
  rig.skeleton.joints[1].twist_shares = TwistShares{1, 0};
  RotationChannel turn{1, {}};
  Curve<Quat> turns;
  for (int i = 0; i <= 8; ++i) {
    turns.times.push_back(i / 4.0);
    turns.values.push_back(rotation_about(Vec3{1, 0, 0}, radians(120) * i / 8));
  }
  turn.curve = turns;
  ScaleChannel grow{0, {}};
  grow.curve.times = {0, 2};
  grow.curve.values = {{1, 1, 1}, {1.2, 1.8, 1}};
  rig.clips = {{"wring", {turn, grow}}};
  const Baked baked = bake(rig, {.max_error_percent = 1, .influences = 8});
  ASSERT_FALSE(is_within_bound(baked.report));
  ASSERT_FALSE(baked.report.over_bound.empty());
  EXPECT_EQ(baked.report.over_bound.front().max_error_percent, baked.report.max_error_percent);
  const std::string leading = "more segments and influences would still leave ";
  ASSERT_EQ(baked.report.remedy.find(leading), 0u) << baked.report.remedy;
  const double left = std::stod(baked.report.remedy.substr(leading.size()));
  EXPECT_GT(left, 1);
  int most = 0;
  for (const BakedBone& bone : baked.report.bones) most = std::max(most, bone.segments);
  const Baked finer = bake(rig, {.segments = 2 * most, .influences = 0});
  EXPECT_GE(finer.report.max_error_percent, 0.9 * left);
}

}  // namespace
}  // namespace sinew
