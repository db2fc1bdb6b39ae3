// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/deform/deform.h"
#include "sinew/deform/internal/offset_curve/arc.h"
#include "sinew/deform/internal/offset_curve/root.h"
#include "tests/deform/offset_curve_rig.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

using offset_curve::arc_curve;
using offset_curve::arc_joint;
using offset_curve::arc_point;
using offset_curve::ArcBind;
using offset_curve::ArcJoint;
using offset_curve::make_chains;
using offset_curve::pose_chain;
using offset_curve::PosedChain;

TEST(OffsetCurveRoot, is_found_in_few_steps_whatever_the_function) {
  using Function = double (*)(double);
  constexpr Function functions[] = {
      [](double x) { return x - 0.3; },
      [](double x) { return std::pow(x - 0.3, 9); },
      [](double x) { return x < 0.3 ? -1e-3 : 1e6; },
      [](double x) { return std::atan(1e4 * (x - 0.3)); },
      [](double x) { return x < 0.3 ? 1e-8 * (x - 0.3) : x - 0.3; },
  };
  for (const Function f : functions) {
    int steps = 0;
    const double found = offset_curve::rising_root(
        [&](double x) {
          ++steps;
          return f(x);
        },
        {-1, f(-1)}, {2, f(2)});
    EXPECT_NEAR(found, 0.3, 1e-15) << steps;
    EXPECT_LE(steps, 90);
  }
  int steps = 0;
  offset_curve::rising_root(
      [&](double x) {
        ++steps;
        return std::sinh(x - 0.3);
      },
      {-1, std::sinh(-1.3)}, {2, std::sinh(1.7)});
  EXPECT_LE(steps, 12);  // bisection takes 53
}

std::vector<Vec3> arcs(const Rig& rig, std::span<const BoneState> states) {
  return deform_reference(rig, states, {}, method_from_name("ocd-arc", rig)).positions;
}

// How far points go over to the other side of the plane that halves the joint's angle.
double crossing(const Rig& rig, const std::vector<BoneState>& states,
                const std::vector<Vec3>& positions) {
  const Vec3 joint = states[1].posed_head;
  const Vec3 normal = normalized(normalized(states[0].posed_tail - states[0].posed_head) +
                                 normalized(states[1].posed_tail - states[1].posed_head));
  double most = 0;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const double rest_side = rig.mesh.positions[v].y - states[1].head.y;
    const double side = dot(positions[v] - joint, normal);
    if (std::fabs(rest_side) < 1e-9) continue;
    most = std::max(most, rest_side < 0 ? side : -side);
  }
  return most;
}

// The joint of a two-bone chain bent by `angle`, and a point's tie to it at distance 0.2, at the
// azimuth `phi` from the bend's outside.
struct OneJoint {
  ArcJoint<double> joint;
  ArcBind<double> bind;
};
OneJoint one_joint(double angle, double phi, double roundness = 0.5) {
  const Rig rig = jointed_tube(2);
  const auto chains = make_chains(rig.skeleton, default_curves(rig.skeleton));
  PosedChain posed;
  pose_chain(chains[0], bent_states(rig, {angle}), posed);
  OneJoint one{arc_joint(chains[0], posed, 0, roundness), {}};
  const double out = 0.2 * std::cos(phi);
  const double aside = 0.2 * std::sin(phi);
  one.bind.x = out * one.joint.out_x + aside * one.joint.axis_x;
  one.bind.y = out * one.joint.out_y + aside * one.joint.axis_y;
  return one;
}

// The whole curve, from the start of the first bone (0) to the end of the second (1).
Vec3 curve_point(const OneJoint& one, double f) {
  ArcBind<double> bind = one.bind;
  bind.side = f <= 0.5 ? 0 : 1;
  bind.along = f <= 0.5 ? 2 * f : 2 - 2 * f;
  return arc_point(one.joint, bind);
}

TEST(OffsetCurveArc, rest_pose_is_exact) {
  const Rig rig = jointed_tube(3);
  EXPECT_LT(largest_difference(arcs(rig, rest_states(rig)), rig.mesh.positions), 1e-14);
}

TEST(OffsetCurveArc, bent_rest_pose_is_exact) {
  const Rig straight = jointed_tube(3);
  for (const double bend : {0.3, 1.0, 1.7, 2.6}) {
    const std::vector<double> bends{bend, -0.5 * bend};
    const auto positions = arcs(straight, bent_states(straight, bends));
    const Rig rig = bent_tube_rig(bends, positions, straight);
    EXPECT_LT(largest_difference(arcs(rig, rest_states(rig)), positions), 1e-13) << bend;
  }
}

TEST(OffsetCurveArc, straightening_a_bent_rest_pose_gives_the_straight_tube) {
  const Rig straight = jointed_tube(2);
  const auto positions = arcs(straight, bent_states(straight, {1.2}));
  const Rig rig = bent_tube_rig({1.2}, positions, straight);
  const auto poses = bent_bones(straight, {0});
  std::vector<BonePose> back = poses;
  for (std::size_t b = 0; b < back.size(); ++b) back[b].rotation.reset();
  EXPECT_LT(largest_difference(arcs(rig, bone_states(rig.skeleton, back)), straight.mesh.positions),
            1e-9);
}

TEST(OffsetCurveArc, curve_has_no_corner) {
  for (const double angle : {0.5, pi / 2, 2.6}) {
    for (const double phi : {0.0, 1.0, pi / 2, 2.0, pi}) {
      const OneJoint one = one_joint(angle, phi);
      constexpr int steps = 20000;
      double sharpest = 0;
      Vec3 before = normalized(curve_point(one, 1.0 / steps) - curve_point(one, 0));
      for (int i = 2; i <= steps; ++i) {
        const Vec3 after = normalized(curve_point(one, double(i) / steps) -
                                      curve_point(one, double(i - 1) / steps));
        sharpest = std::max(sharpest, length(after - before));
        before = after;
      }
      EXPECT_LT(sharpest, 0.005) << angle << " " << phi;
    }
  }
}

TEST(OffsetCurveArc, a_joint_without_roundness_has_a_corner_inside) {
  const OneJoint one = one_joint(pi / 2, pi, 0);
  ArcBind<double> bind = one.bind;
  const auto at = [&](int side, double along) {
    bind.side = side;
    bind.along = along;
    return arc_point(one.joint, bind);
  };
  const Vec3 before = normalized(at(0, 1) - at(0, 0.999));
  const Vec3 after = normalized(at(1, 0.999) - at(1, 1));
  EXPECT_NEAR(dot(before, after), 0, 1e-9);
}

TEST(OffsetCurveArc, fractions_are_of_the_curves_length) {
  for (const double phi : {0.0, 1.3, pi}) {
    const OneJoint one = one_joint(1.9, phi);
    constexpr int steps = 20000;
    std::vector<double> way{0};
    for (int i = 1; i <= steps; ++i) {
      way.push_back(way.back() + distance(curve_point(one, double(i - 1) / steps),
                                          curve_point(one, double(i) / steps)));
    }
    for (const int i : {2000, 5000, 9000, 12000, 17000}) {
      EXPECT_NEAR(way[i] / way.back(), double(i) / steps, 1e-6);
    }
  }
}

TEST(OffsetCurveArc, outside_of_a_bend_is_the_true_offset) {
  const OneJoint one = one_joint(pi / 2, 0);
  for (int i = 0; i <= 100; ++i) {
    const Vec3 p = curve_point(one, i / 100.0);
    // Distance to the polyline (0,0,0) (0,1,0) (1,1,0).
    const double to_first = std::hypot(p.x, std::max(p.y - 1, 0.0));
    const double to_second = std::hypot(p.y - 1, std::max(-p.x, 0.0));
    EXPECT_NEAR(std::min(to_first, to_second), 0.2, 1e-12);
  }
}

TEST(OffsetCurveArc, inside_of_a_bend_stays_on_its_side_where_lbs_and_dqs_cross) {
  const Rig rig = jointed_tube(2, 0.4);
  const auto states = bent_states(rig, {pi / 2});
  const auto deformed = [&](const char* name) {
    return deform_reference(rig, states, {}, method_from_name(name, rig)).positions;
  };
  EXPECT_LT(crossing(rig, states, deformed("ocd-arc")), 1e-12);
  EXPECT_GT(crossing(rig, states, deformed("lbs")), 0.05);
  EXPECT_GT(crossing(rig, states, deformed("dqs")), 0.05);
}

TEST(OffsetCurveArc, twist_by_half_a_turn_keeps_the_radius) {
  const Rig rig = jointed_tube(2);
  auto by_rotation = bent_bones(rig, {0});
  by_rotation[1].rotation = rotation_about(Vec3{0, 1, 0}, pi - 0.1);
  auto by_angles = bent_bones(rig, {0});
  by_angles[0].twist_end = pi;
  by_angles[1].twist_start = by_angles[1].twist_end = pi;
  auto two_turns = bent_bones(rig, {0});
  two_turns[0].twist_end = 4 * pi;
  for (const auto& poses : {by_rotation, by_angles, two_turns}) {
    for (const Vec3& p : arcs(rig, bone_states(rig.skeleton, poses))) {
      EXPECT_NEAR(std::hypot(p.x, p.z), 0.2, 1e-12);
    }
  }
}

TEST(OffsetCurveArc, twist_turns_by_the_interpolated_angle) {
  const Rig rig = jointed_tube(1);
  auto poses = bent_bones(rig, {});
  poses[0].twist_start = -0.5;
  poses[0].twist_end = 4 * pi + 1;
  const auto positions = arcs(rig, bone_states(rig.skeleton, poses));
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const Vec3& p = rig.mesh.positions[v];
    const double angle = -0.5 + (4 * pi + 1.5) * p.y;
    const Vec3 expected = rotate(rotation_about(Vec3{0, 1, 0}, angle), p);
    EXPECT_LT(distance(positions[v], expected), 1e-12);
  }
}

TEST(OffsetCurveArc, rigid_motion_of_the_pose_moves_the_result) {
  EXPECT_LT(rigid_motion_error_of_tube(arcs), 1e-12);
}

TEST(OffsetCurveArc, beyond_the_ends_lengths_stay_as_they_are) {
  expect_rigid_beyond_the_ends(arcs);
}

TEST(OffsetCurveArc, stretch_of_one_bone_leaves_the_joint_at_the_joint) {
  const Rig rig = jointed_tube(2);
  auto poses = bent_bones(rig, {0});
  poses[0].end = poses[1].start = {0, 10, 0};
  poses[1].end = {0, 11, 0};
  const auto positions = arcs(rig, bone_states(rig.skeleton, poses));
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const double y = rig.mesh.positions[v].y;
    EXPECT_NEAR(positions[v].y, y < 1 ? 10 * y : 9 + y, 1e-12);
  }
}

TEST(OffsetCurveArc, scale_across_goes_over_from_bone_to_bone) {
  const Rig rig = jointed_tube(2);
  auto states = rest_states(rig);
  states[1].across = diagonal(Vec3{2, 1, 2});
  const auto positions = arcs(rig, states);
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const double share = std::clamp(rig.mesh.positions[v].y - 0.5, 0.0, 1.0);
    EXPECT_NEAR(std::hypot(positions[v].x, positions[v].z), 0.2 * (1 + share), 1e-12);
  }
}

TEST(OffsetCurveArc, result_is_continuous_in_the_bend) {
  const Rig rig = jointed_tube(3);
  const auto at = [&](double angle) { return arcs(rig, bent_states(rig, {angle, -0.4})); };
  for (double angle = 0; angle < 3.1; angle += 0.1) {
    EXPECT_LT(largest_difference(at(angle), at(angle + 1e-7)), 1e-5) << angle;
  }
  EXPECT_LT(largest_difference(at(-1e-9), at(1e-9)), 1e-7);
}

TEST(OffsetCurveArc, negative_roundness_is_refused) {
  const Rig rig = jointed_tube(2);
  EXPECT_EQ(wrong_usage([&] { OffsetCurveSkin(rig, OffsetCurveArc{.roundness = -1}); }),
            "the roundness is -1; it must be 0 or more");
}

}  // namespace
}  // namespace sinew
