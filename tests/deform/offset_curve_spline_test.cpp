// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/deform/deform.h"
#include "sinew/deform/offset_curve/spline.h"
#include "tests/deform/offset_curve_rig.h"

namespace sinew {
namespace {

using offset_curve::basis_at;
using offset_curve::make_chains;
using offset_curve::nearest_parameter;
using offset_curve::spline_curve;

std::vector<Vec3> splines(const Rig& rig, std::span<const BoneState> states) {
  return deform_reference(rig, states, {}, method_from_name("ocd-spline", rig)).positions;
}

TEST(OffsetCurveSpline, basis_sums_to_one_and_its_slope_to_zero) {
  const Rig rig = tube_rig(3);
  const auto chains = make_chains(rig.skeleton, default_curves(rig.skeleton));
  const auto curve = spline_curve(chains[0], 0.2, 0);
  ASSERT_EQ(curve.points.size(), 8u);
  for (int i = 0; i <= 1000; ++i) {
    const double s = i / 1000.0;
    const auto basis = basis_at(curve, s);
    double sum = 0;
    double slope = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      EXPECT_GE(basis.value[j], 0);
      sum += basis.value[j];
      slope += basis.slope[j];
    }
    EXPECT_NEAR(sum, 1, 1e-14);
    EXPECT_NEAR(slope, 0, 1e-10);
  }
}

TEST(OffsetCurveSpline, basis_slopes_are_those_of_the_values) {
  const Rig rig = tube_rig(2);
  const auto chains = make_chains(rig.skeleton, default_curves(rig.skeleton));
  const auto curve = spline_curve(chains[0], 0.25, 0);
  const auto y_at = [&](double s) {
    const auto basis = basis_at(curve, s);
    double y = 0;
    for (std::size_t j = 0; j < 4; ++j) y += basis.value[j] * curve.points[basis.first + j].y;
    return y;
  };
  for (const double s : {0.1, 0.33, 0.5, 0.77}) {
    const auto basis = basis_at(curve, s);
    double slope = 0;
    for (std::size_t j = 0; j < 4; ++j) slope += basis.slope[j] * curve.points[basis.first + j].y;
    EXPECT_NEAR(slope, (y_at(s + 1e-6) - y_at(s - 1e-6)) / 2e-6, 1e-7);
    EXPECT_NEAR(nearest_parameter(curve, {0.3, y_at(s), 0.1}), s, 1e-12);
  }
}

TEST(OffsetCurveSpline, rest_pose_is_exact) {
  const Rig rig = tube_rig(3);
  EXPECT_LT(largest_difference(splines(rig, rest_states(rig)), rig.mesh.positions), 1e-14);
}

TEST(OffsetCurveSpline, bent_rest_pose_is_exact) {
  const Rig straight = tube_rig(3);
  const std::vector<double> bends{1.7, -0.8};
  const auto positions = splines(straight, bent_states(straight, bends));
  const Rig rig = bent_tube_rig(bends, positions, straight);
  EXPECT_LT(largest_difference(splines(rig, rest_states(rig)), positions), 1e-13);
}

TEST(OffsetCurveSpline, offset_curve_is_smooth_in_a_bend) {
  Rig rig = tube_rig(2);
  rig.mesh = {};
  rig.weights = {};
  constexpr int steps = 4000;
  for (int i = 0; i <= steps; ++i) rig.mesh.positions.push_back({0.2, 2.0 * i / steps, 0});
  const auto curve = splines(rig, bent_states(rig, {pi / 2}));
  for (std::size_t i = 1; i + 1 < curve.size(); ++i) {
    const Vec3 turn = normalized(curve[i + 1] - curve[i]) - normalized(curve[i] - curve[i - 1]);
    EXPECT_LT(length(turn), 0.02) << i;
  }
}

TEST(OffsetCurveSpline, twist_keeps_the_radius) {
  const Rig rig = tube_rig(2);
  auto poses = bent_bones(rig, {0});
  poses[0].twist_end = pi;
  poses[1].twist_start = poses[1].twist_end = pi;
  for (const Vec3& p : splines(rig, bone_states(rig.skeleton, poses))) {
    EXPECT_NEAR(std::hypot(p.x, p.z), 0.2, 1e-12);
  }
}

TEST(OffsetCurveSpline, ends_take_the_twist_of_their_bones) {
  const Rig rig = tube_rig(2);
  auto poses = bent_bones(rig, {0});
  poses[0].twist_end = poses[1].twist_start = 1;
  poses[1].twist_end = 7;
  const auto positions = splines(rig, bone_states(rig.skeleton, poses));
  const Vec3 expected = rotate(rotation_about(Vec3{0, 1, 0}, 7.0), rig.mesh.positions.back());
  EXPECT_LT(distance(positions.back(), expected), 1e-12);
  EXPECT_LT(distance(positions.front(), rig.mesh.positions.front()), 1e-12);
}

TEST(OffsetCurveSpline, rigid_motion_of_the_pose_moves_the_result) {
  EXPECT_LT(rigid_motion_error_of_tube(splines), 1e-12);
}

TEST(OffsetCurveSpline, beyond_the_ends_the_shape_moves_rigidly) {
  expect_rigid_beyond_the_ends(splines);
}

TEST(OffsetCurveSpline, placement_out_of_range_is_refused) {
  const Rig rig = tube_rig(2);
  for (const double placement : {0.0, 0.6, -1.0}) {
    EXPECT_THROW(OffsetCurveSkin(rig, OffsetCurveSpline{.placement = placement}), UsageError);
  }
}

}  // namespace
}  // namespace sinew
