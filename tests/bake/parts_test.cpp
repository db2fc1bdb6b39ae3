// SPDX-License-Identifier: Apache-2.0
// The steps of a bake, one by one.
#include <memory>

#include <gtest/gtest.h>

#include "sinew/bake/detail/influences.h"
#include "sinew/bake/detail/posed_bones.h"
#include "sinew/bake/detail/split.h"
#include "sinew/bake/detail/tracks.h"
#include "sinew/deform/reference/skinning.h"
#include "tests/support/shapes.h"

namespace sinew::baking {
namespace {

TEST(PosedBones, what_they_do_to_points_is_what_the_reference_says) {
  Random random(11);
  for (int i = 0; i < 200; ++i) {
    std::vector<BoneState> bones(3);
    for (std::size_t b = 0; b < bones.size(); ++b) {
      BoneState& bone = bones[b];
      bone.head = random.vector();
      bone.tail = bone.head + random.vector();
      bone.posed_head = random.vector();
      bone.posed_tail = bone.posed_head + random.vector();
      bone.rotation = rotation_about(normalized(random.vector()), 7 * random.number());
      bone.across = {random.vector(), random.vector(), random.vector()};
      if (b > 0) bone.twist_tail = 9 * random.number();
      if (b > 1) bone.twist_head = 9 * random.number();
    }
    std::vector<SkinInfluence> row;
    for (int b = 0; b < 3; ++b) row.push_back({b, 1.0 / 3, random.number(), random.number()});
    const Vec3 rest = random.vector();
    const Vec3 expected = reference::linear_blend({rest, row}, bones, BoneMap::stbs);
    EXPECT_LT(distance(PosedBones(bones).blend(rest, row), expected), 1e-14 * 10);
    EXPECT_EQ(PosedBones(bones).blend(rest, {}), rest);
  }
}

TEST(BakeInfluences, the_one_that_moves_the_vertex_least_goes_not_the_lightest) {
  Weights weights;
  const std::vector<Influence> row = {{0, 0.5}, {1, 0.3}, {2, 0.2}};
  weights.push_row(row);
  Target target;
  target.rest = std::make_shared<const std::vector<Vec3>>(1);
  target.truth = {Vec3{0.2, 0, 0}};
  target.palette = {Affine{}, Affine{}, Affine{{}, {1, 0, 0}}};
  const Weights limited = limit_influences(weights, 2, std::span(&target, 1));
  ASSERT_EQ(limited.influences.size(), 2u);
  EXPECT_EQ(limited.influences[1].bone, 2);
  EXPECT_NEAR(limited.influences[0].weight, 0.8, 1e-12);
  EXPECT_NEAR(limited.influences[1].weight, 0.2, 1e-12);
}

TEST(BakeInfluences, rows_of_very_many_bones_are_limited_too) {
  Weights weights;
  std::vector<Influence> row;
  Target target;
  for (int b = 0; b < 60; ++b) {
    row.push_back({b, 1.0 / 60});
    target.palette.push_back({{}, {b / 60.0, 0, 0}});
  }
  weights.push_row(row);
  target.rest = std::make_shared<const std::vector<Vec3>>(1);
  target.truth = {Vec3{59 / 120.0, 0, 0}};
  const Weights limited = limit_influences(weights, 4, std::span(&target, 1));
  ASSERT_LE(limited.row(0).size(), 4u);
  double sum = 0;
  for (const Influence& influence : limited.row(0)) {
    EXPECT_GE(influence.weight, 0);
    sum += influence.weight;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(BakeSegments, they_follow_the_loss_between_two_helpers) {
  EXPECT_EQ(segments_for(0, 1, 0.02), 1);
  EXPECT_EQ(segments_for(pi, 1, 0.02), 8);
  EXPECT_EQ(segments_for(pi, 1, 1 - std::cos(pi / 8)), 4);
  EXPECT_EQ(segments_for(pi, 4, 0.02), segments_for(pi, 1, 0.005));
  EXPECT_EQ(segments_for(1e9, 1, 0.02), 64);
}

TEST(BakeTracks, keys_are_only_where_a_line_does_not_do) {
  std::vector<double> times;
  std::vector<Vec3> line, corner, still;
  for (int i = 0; i <= 100; ++i) {
    times.push_back(i / 10.0);
    line.push_back({i * 0.5, 1, 0});
    corner.push_back({i < 40 ? i * 1.0 : 80.0 - i, 0, 0});
    still.push_back({3, 2, 1});
  }
  EXPECT_EQ(fit_keys(times, line, 1e-9).times, (std::vector<double>{0, 10}));
  EXPECT_EQ(fit_keys(times, corner, 1e-9).times, (std::vector<double>{0, 4, 10}));
  EXPECT_EQ(fit_keys(times, still, 1e-9).times.size(), 1u);
}

TEST(BakeTracks, turns_stay_within_the_tolerance_at_every_moment) {
  std::vector<double> times;
  std::vector<Quat> turns;
  for (int i = 0; i <= 300; ++i) {
    times.push_back(i / 60.0);
    turns.push_back(rotation_about(Vec3{0, 1, 0}, 3 * std::sin(times.back())));
  }
  const Curve<Quat> curve = fit_keys(times, turns, 0.01);
  EXPECT_LT(curve.times.size(), 60u);
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_LE(rotation_angle(conjugate(sample(curve, times[i])) * turns[i]), 0.0101);
  }
}

}  // namespace
}  // namespace sinew::baking
