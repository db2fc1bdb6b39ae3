// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/deform/deform.h"
#include "sinew/deform/internal/offset_curve/radius.h"
#include "sinew/deform/internal/offset_curve/spline.h"
#include "sinew/geometry/winding.h"
#include "sinew/measure/self_intersections.h"
#include "sinew/measure/volume.h"
#include "sinew/samples/samples.h"
#include "tests/deform/offset_curve_rig.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

using offset_curve::basis_at;
using offset_curve::Chain;
using offset_curve::CurveWeights;
using offset_curve::limb_radii;
using offset_curve::make_chains;
using offset_curve::pose_chain;
using offset_curve::PosedChain;
using offset_curve::spline_curve;
using offset_curve::spline_point;
using offset_curve::SplineBind;
using offset_curve::SplineCurve;
using offset_curve::spot_at;

std::vector<Vec3> splines(const Rig& rig, std::span<const BoneState> states) {
  return deform_reference(rig, states, {}, method_from_name("ocd-spline", rig)).positions;
}

// A tube's curve, with the limb's radius given.
struct TubeCurve {
  std::vector<Chain> chains;
  SplineCurve curve;
};
TubeCurve tube_curve(const Rig& rig, double radius = 0.2) {
  TubeCurve tube{make_chains(rig.skeleton, default_curves(rig.skeleton)), {}};
  const std::vector<double> radii(tube.chains[0].segments.size() - 1, radius);
  tube.curve = spline_curve(tube.chains[0], radii, 2.2, 0);
  return tube;
}

TEST(OffsetCurveSpline, basis_sums_to_one) {
  const Rig rig = jointed_tube(3);
  const TubeCurve tube = tube_curve(rig, 0.1);
  ASSERT_EQ(tube.curve.pieces.size(), 3u);
  for (const auto& piece : tube.curve.pieces) {
    for (int i = 0; i <= 1000; ++i) {
      const auto spot = spot_at(piece, i / 1000.0);
      double sum = 0;
      for (const double value : basis_at(piece, spot)) {
        EXPECT_GE(value, -1e-15);
        sum += value;
      }
      EXPECT_NEAR(sum, 1, 1e-14);
    }
  }
}

TEST(OffsetCurveSpline, control_points_lie_beside_the_joints_by_the_limbs_radius) {
  const Rig rig = jointed_tube(2);
  const auto away = [&](double radius) {
    const TubeCurve tube = tube_curve(rig, radius);
    const auto joint = std::find_if(tube.curve.controls.begin(), tube.curve.controls.end(),
                                    [](const auto& control) { return control.is_joint; });
    return (joint + 1)->t;
  };
  EXPECT_NEAR(away(0.05), 0.11, 1e-12);
  EXPECT_NEAR(away(0.2), 0.44, 1e-12);
  EXPECT_NEAR(away(0.9), 0.5, 1e-12);  // half of the bone at most
}

TEST(OffsetCurveSpline, radius_of_a_tube_is_found) {
  const Rig rig = jointed_tube(3, 0.13);
  const auto chains = make_chains(rig.skeleton, default_curves(rig.skeleton));
  const CurveWeights weights(chains, {}, rig.skeleton.bones.size());
  const auto radii =
      limb_radii(chains, weights, rig.mesh.positions, rig.mesh.triangles, skin_rows(rig));
  ASSERT_EQ(radii.size(), 1u);
  ASSERT_EQ(radii[0].size(), 2u);
  for (const double radius : radii[0]) EXPECT_NEAR(radius, 0.13, 1e-12);
}

TEST(OffsetCurveSpline, equal_steps_along_a_bone_stay_equal_when_it_bends_and_stretches) {
  const Rig rig = jointed_tube(3);
  const TubeCurve tube = tube_curve(rig);
  auto poses = bent_bones(rig, {1.9, -1.2});
  const Vec3 shift = (poses[1].end - poses[1].start) * 0.7;
  poses[1].end += shift;
  poses[2].start += shift;
  poses[2].end += shift;
  PosedChain posed;
  pose_chain(tube.chains[0], bone_states(rig.skeleton, poses), posed);
  auto pieces = tube.curve.pieces;
  pose_pieces(tube.curve, posed, pieces);
  constexpr int steps = 100;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    std::vector<double> lengths;
    const auto at = [&](int i) {
      return spline_point(pieces[k], SplineBind<double>{0, 1, double(i) / steps, {}});
    };
    for (int i = 0; i < steps; ++i) lengths.push_back(distance(at(i), at(i + 1)));
    const auto [least, most] = std::minmax_element(lengths.begin(), lengths.end());
    EXPECT_LT(*most / *least, 1.05) << k;
  }
}

TEST(OffsetCurveSpline, stretch_of_one_bone_leaves_the_joint_at_the_joint) {
  const Rig rig = jointed_tube(2);
  auto poses = bent_bones(rig, {0});
  poses[0].end = poses[1].start = {0, 3, 0};
  poses[1].end = {0, 4, 0};
  const auto positions = splines(rig, bone_states(rig.skeleton, poses));
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const double y = rig.mesh.positions[v].y;
    EXPECT_NEAR(positions[v].y, y < 1 ? 3 * y : 2 + y, y == 1 ? 1e-9 : 3e-3);
  }
}

// The tube of the samples, closed at both ends, bent about its joint.
struct BentSample {
  Rig rig = make_sample("tube", 3000);
  std::vector<BoneState> states(double degrees) const {
    Pose pose = rest_pose(rig);
    pose.joints[find_joint(rig.skeleton, "bone_2")].rotation =
        rotation_about(Vec3{0, 0, 1}, radians(-degrees));
    return bone_states(rig, pose);
  }
  std::vector<Vec3> bent(double degrees, const char* method) const {
    return deform_reference(rig, states(degrees), {}, method_from_name(method, rig)).positions;
  }
  double volume(const std::vector<Vec3>& positions) const {
    return 1 + volume_change(rig.mesh.triangles, rig.mesh.positions, positions)->change();
  }
};

TEST(OffsetCurveSpline, joint_stays_inside_and_the_skin_outside_of_itself_up_to_130_degrees) {
  const BentSample tube;
  for (const double degrees : {30.0, 60.0, 90.0, 110.0, 130.0}) {
    const auto positions = tube.bent(degrees, "ocd-spline");
    const Vec3 joint = tube.states(degrees)[1].posed_head;
    EXPECT_NEAR(winding_number_exact(positions, tube.rig.mesh.triangles, joint), 1, 1e-6)
        << degrees;
    // Not by a hair: by more than half of the tube's radius.
    double nearest = 1;
    for (const Vec3& p : positions) nearest = std::min(nearest, distance(p, joint));
    EXPECT_GT(nearest, 0.11) << degrees;
    EXPECT_EQ(
        self_intersections(tube.rig.mesh.triangles, tube.rig.mesh.positions, positions).created, 0u)
        << degrees;
  }
}

TEST(OffsetCurveSpline, a_bend_loses_less_volume_than_by_linear_blending) {
  const BentSample tube;
  for (const double degrees : {30.0, 60.0, 90.0, 110.0, 130.0}) {
    const double lost = 1 - tube.volume(tube.bent(degrees, "ocd-spline"));
    EXPECT_LT(std::fabs(lost), 1 - tube.volume(tube.bent(degrees, "lbs"))) << degrees;
    EXPECT_LT(lost, 0.045) << degrees;
  }
}

TEST(OffsetCurveSpline, rest_pose_is_exact) {
  const Rig rig = jointed_tube(3);
  EXPECT_LT(largest_difference(splines(rig, rest_states(rig)), rig.mesh.positions), 1e-14);
}

TEST(OffsetCurveSpline, bent_rest_pose_is_exact) {
  const Rig straight = jointed_tube(3);
  const std::vector<double> bends{1.7, -0.8};
  const auto positions = splines(straight, bent_states(straight, bends));
  const Rig rig = bent_tube_rig(bends, positions, straight);
  EXPECT_LT(largest_difference(splines(rig, rest_states(rig)), positions), 1e-13);
}

TEST(OffsetCurveSpline, offset_curve_is_smooth_in_a_bend) {
  Rig rig = jointed_tube(2);
  rig.mesh = {};
  rig.skin = {};
  constexpr int steps = 4000;
  for (int i = 0; i <= steps; ++i) rig.mesh.positions.push_back({0.2, 2.0 * i / steps, 0});
  const auto curve = splines(rig, bent_states(rig, {pi / 2}));
  for (std::size_t i = 1; i + 1 < curve.size(); ++i) {
    const Vec3 turn = normalized(curve[i + 1] - curve[i]) - normalized(curve[i] - curve[i - 1]);
    EXPECT_LT(length(turn), 0.02) << i;
  }
}

TEST(OffsetCurveSpline, twist_keeps_the_radius) {
  const Rig rig = jointed_tube(2);
  auto poses = bent_bones(rig, {0});
  poses[0].twist_end = pi;
  poses[1].twist_start = poses[1].twist_end = pi;
  for (const Vec3& p : splines(rig, bone_states(rig.skeleton, poses))) {
    EXPECT_NEAR(std::hypot(p.x, p.z), 0.2, 1e-12);
  }
}

TEST(OffsetCurveSpline, ends_take_the_twist_of_their_bones) {
  const Rig rig = jointed_tube(2);
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
  const Rig rig = jointed_tube(2);
  for (const auto& [placement, written] :
       {std::pair{0.0, "0"}, std::pair{-1.0, "-1"}, std::pair{std::nan(""), "nan"}}) {
    const OffsetCurveSpline settings{.placement = placement};
    EXPECT_EQ(wrong_usage([&] { OffsetCurveSkin(rig, settings); }),
              "control points are placed " + std::string(written) +
                  " radii from the joints; it must be above 0");
  }
}

}  // namespace
}  // namespace sinew
