// SPDX-License-Identifier: Apache-2.0
// Which curves there are, how they share a vertex, what the artist's controls do, and what is
// common to arcs and splines.
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/deform/deform.h"
#include "sinew/deform/internal/offset_curve/weights.h"
#include "sinew/kernels/binding.h"
#include "sinew/kernels/targets.h"
#include "tests/deform/offset_curve_rig.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

using offset_curve::CurveWeights;
using offset_curve::make_chains;

// A palm along y from 0 to 1, and three fingers of two bones each at its end, side by side.
Skeleton hand() {
  Skeleton skeleton;
  const auto add = [&](int parent, Vec3 place) {
    skeleton.joints.push_back({"", parent, {place, {}, {1, 1, 1}}, false});
    return static_cast<int>(skeleton.joints.size()) - 1;
  };
  const int palm = add(no_joint, {});
  for (const double x : {0.0, -0.3, 0.3}) {
    const int first = add(palm, {x, 1, 0});
    add(first, {0, 0.5, 0});
  }
  skeleton.bones = bones_from_joints(skeleton);
  return skeleton;
}

std::vector<double> weights_at(const Skeleton& skeleton, const Vec3& p,
                               std::vector<SkinInfluence> row) {
  const auto chains = make_chains(skeleton, default_curves(skeleton));
  const CurveWeights weights(chains, {}, skeleton.bones.size());
  std::vector<double> out(chains.size());
  weights.at(0, p, row, out);
  return out;
}

std::vector<Vec3> deformed(const Rig& rig, std::span<const BoneState> states,
                           const Method& method) {
  return deform_reference(rig, states, {}, method).positions;
}

const Method both[] = {OffsetCurveArc{}, OffsetCurveSpline{}};

// The rig with the same controls on all of its default curves.
Rig controlled(Rig rig, const CurveControls& controls) {
  rig.offset_curves.curves = default_curves(rig.skeleton);
  for (InfluenceCurve& curve : rig.offset_curves.curves) curve.controls = controls;
  return rig;
}

TEST(OffsetCurve, chains_end_where_the_skeleton_branches) {
  const auto tube = default_curves(jointed_tube(4).skeleton);
  ASSERT_EQ(tube.size(), 1u);
  EXPECT_EQ(tube[0].bones, (std::vector<BoneIndex>{0, 1, 2, 3}));
  EXPECT_EQ(tube[0].lead_in, -1);
  const auto fingers = default_curves(hand());
  ASSERT_EQ(fingers.size(), 4u);
  EXPECT_EQ(fingers[0].bones, std::vector<BoneIndex>{0});
  for (std::size_t f = 1; f < 4; ++f) {
    EXPECT_EQ(fingers[f].bones.size(), 2u);
    EXPECT_EQ(fingers[f].lead_in, 0);
  }
}

TEST(OffsetCurve, disjoint_segments_have_a_curve_each) {
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {5, 5, 5}, {5, 6, 5}};
  const std::vector<std::array<int, 2>> segments{{0, 1}, {2, 3}};
  const auto curves = default_curves(skeleton_from_segments(points, segments));
  ASSERT_EQ(curves.size(), 2u);
  EXPECT_EQ(curves[0].lead_in, -1);
  EXPECT_EQ(curves[1].bones, std::vector<BoneIndex>{1});
}

TEST(OffsetCurve, branch_beside_the_bones_end_grows_straight_out_of_it) {
  const Skeleton skeleton = hand();
  const auto chains = make_chains(skeleton, default_curves(skeleton));
  EXPECT_FALSE(chains[1].segments[0].is_rooted);  // the palm's own direction
  EXPECT_TRUE(chains[2].segments[0].is_rooted);
  EXPECT_NEAR(distance(chains[2].segments[0].head, Vec3{-0.3, 0.5, 0}), 0, 1e-12);
}

TEST(OffsetCurve, bones_that_do_not_exist_or_come_twice_are_refused) {
  Rig rig = jointed_tube(2);
  const auto refused = [&](InfluenceCurve curve) {
    rig.offset_curves.curves = {std::move(curve)};
    const std::string message = bad_input([&] { OffsetCurveSkin(rig, OffsetCurveArc{}); });
    EXPECT_EQ(bad_input([&] { validate(rig); }), message);
    return message;
  };
  const std::string place = "influence curve 0: ";
  EXPECT_EQ(refused({.bones = {}}), place + "it has no bones");
  EXPECT_EQ(refused({.bones = {2}}), place + "it names bone 2, but there are 2");
  EXPECT_EQ(refused({.bones = {-1}}), place + "it names bone -1, but there are 2");
  EXPECT_EQ(refused({.bones = {0, 0}}), place + "bone 0 is in it twice");
  EXPECT_EQ(refused({.bones = {1}, .lead_in = 7}), place + "it names bone 7, but there are 2");
}

TEST(OffsetCurve, a_knuckle_follows_its_own_finger_alone) {
  const Skeleton skeleton = hand();
  const int finger = default_curves(skeleton)[2].bones[0];
  EXPECT_EQ(weights_at(skeleton, {}, {{0, 0.5, 0, 0}, {finger, 0.5, 0, 0}}),
            (std::vector<double>{0, 0, 1, 0}));
  const auto mostly_palm = weights_at(skeleton, {}, {{0, 0.9, 0, 0}, {finger, 0.1, 0, 0}});
  EXPECT_NEAR(mostly_palm[0], 0.8, 1e-15);
  EXPECT_NEAR(mostly_palm[2], 0.2, 1e-15);
}

TEST(OffsetCurve, weights_sum_to_one) {
  const Skeleton skeleton = hand();
  const int bones = static_cast<int>(skeleton.bones.size());
  for (int i = 0; i < 200; ++i) {
    std::vector<SkinInfluence> row;
    double sum = 0;
    for (int b = i % 2; b < bones; ++b) {
      row.push_back({b, 0.1 + std::fmod(0.37 * i * (b + 1), 1.0), 0, 0});
      sum += row.back().weight;
    }
    for (SkinInfluence& influence : row) influence.weight /= sum;
    if (i % 5 == 0) row.clear();
    const auto weights = weights_at(skeleton, {0.01 * i - 1, 0.3, 0.2}, row);
    double total = 0;
    for (const double w : weights) {
      EXPECT_GE(w, 0);
      total += w;
    }
    EXPECT_NEAR(total, 1, 1e-14);
  }
}

TEST(OffsetCurve, without_bone_weights_the_nearest_curve_counts_most) {
  const auto on_finger = weights_at(hand(), {-0.3, 1.2, 0}, {});
  EXPECT_EQ(on_finger[2], 1);
  const auto near_finger = weights_at(hand(), {0.35, 1.2, 0.02}, {});
  EXPECT_GT(near_finger[3], 0.9);
}

TEST(OffsetCurve, painted_weights_are_used_as_they_are) {
  Rig rig = jointed_tube(2);
  auto states = bent_states(rig, {1.0});
  rig.offset_curves.curves = {{.bones = {0}}, {.bones = {1}}};
  const std::size_t count = rig.mesh.vertex_count();
  std::vector<double>& weights = rig.offset_curves.painted_weights;
  for (std::size_t v = 0; v < count; ++v) weights.insert(weights.end(), {3, 1});
  for (const Method& method : both) {
    const auto result = deformed(rig, states, method);
    for (std::size_t v = 0; v < count; ++v) {
      const Vec3& p = rig.mesh.positions[v];
      const Vec3 by_first = p;
      const Vec3 by_second = states[1].posed_head + rotate(states[1].rotation, p - Vec3{0, 1, 0});
      EXPECT_LT(distance(result[v], by_first * 0.75 + by_second * 0.25), 1e-12);
    }
  }
}

TEST(OffsetCurve, painted_weights_of_the_wrong_number_or_sign_are_refused) {
  Rig rig = jointed_tube(2);
  OffsetCurves& settings = rig.offset_curves;
  const auto refused = [&] { return bad_input([&] { OffsetCurveSkin(rig, OffsetCurveArc{}); }); };
  settings.painted_weights = {1, 2};
  EXPECT_EQ(refused(), "offset curves: 2 painted weights for 984 vertices and 0 curves");
  settings.curves = default_curves(rig.skeleton);
  EXPECT_EQ(refused(), "offset curves: 2 painted weights for 984 vertices and 1 curves");
  settings.painted_weights.assign(rig.mesh.vertex_count(), 1);
  EXPECT_NO_THROW(OffsetCurveSkin(rig, OffsetCurveArc{}));
  settings.painted_weights[3] = -1;
  EXPECT_EQ(refused(),
            "vertex 3: its painted weight for curve 0 is -1; weights are numbers from 0 on");
}

TEST(OffsetCurve, settings_are_the_rigs_unless_the_method_has_its_own) {
  Rig rig = jointed_tube(2);
  const auto states = bent_states(rig, {2.0});
  const auto at = [&](const char* name, const GivenOptions& given) {
    return deformed(rig, states, method_from_name(name, rig, given));
  };
  const auto arcs = at("ocd-arc", {}), splines = at("ocd-spline", {});
  const auto sharp = at("ocd-arc", {{"roundness", {"0.1"}}});
  const auto near = at("ocd-spline", {{"placement", {"1.5"}}});
  EXPECT_GT(largest_difference(arcs, sharp), 1e-3);
  EXPECT_GT(largest_difference(splines, near), 1e-3);
  rig.offset_curves.roundness = 0.1;
  rig.offset_curves.placement = 1.5;
  EXPECT_EQ(at("ocd-arc", {}), sharp);
  EXPECT_EQ(at("ocd-spline", {}), near);
  EXPECT_EQ(at("ocd-arc", {{"roundness", {"0.5"}}}), arcs);
  EXPECT_EQ(at("ocd-spline", {{"placement", {"2.2"}}}), splines);
}

TEST(OffsetCurve, outward_adds_to_the_distance_from_the_axis) {
  const Rig rig = controlled(jointed_tube(2), {.outward = 0.1});
  for (const Method& method : both) {
    const auto result = deformed(rig, rest_states(rig), method);
    for (std::size_t v = 0; v < result.size(); ++v) {
      EXPECT_LT(distance(result[v], scaled(rig.mesh.positions[v], Vec3{1.5, 1, 1.5})), 1e-12);
    }
  }
}

TEST(OffsetCurve, along_moves_along_the_axis) {
  const Rig rig = controlled(jointed_tube(2), {.along = 0.1});
  for (const Method& method : both) {
    const auto result = deformed(rig, rest_states(rig), method);
    for (std::size_t v = 0; v < result.size(); ++v) {
      EXPECT_LT(distance(result[v], rig.mesh.positions[v] + Vec3{0, 0.1, 0}), 1e-12);
    }
  }
}

TEST(OffsetCurve, slide_and_rescale_move_the_bind_parameter) {
  const Rig rig = controlled(jointed_tube(2), {.rescale = 1.5, .slide = 0.1});
  for (std::size_t m = 0; m < 2; ++m) {
    const auto result = deformed(rig, rest_states(rig), both[m]);
    // The length of a spline is not known in closed form.
    const double bound = m == 0 ? 1e-12 : 1e-4;
    for (std::size_t v = 0; v < result.size(); ++v) {
      const Vec3& p = rig.mesh.positions[v];
      EXPECT_LT(distance(result[v], Vec3{p.x, 1 + (p.y - 1) * 1.5 + 0.2, p.z}), bound);
    }
  }
}

TEST(OffsetCurve, twist_curve_redistributes_the_twist) {
  const FilterCurve late{{{0.5, 0}, {1, 1}}};
  const Rig rig = controlled(jointed_tube(1), {.twist = late});
  auto poses = bent_bones(rig, {});
  poses[0].twist_end = 1;
  const auto states = bone_states(rig.skeleton, poses);
  for (const Method& method : both) {
    const auto result = deformed(rig, states, method);
    const auto turned = [&](std::size_t v) { return distance(result[v], rig.mesh.positions[v]); };
    EXPECT_LT(turned(0), 1e-12);
    EXPECT_GT(turned(result.size() - 1), 0.1);
  }
  const auto arc = deformed(rig, states, both[0]);
  for (std::size_t v = 0; v < arc.size(); ++v) {
    if (rig.mesh.positions[v].y > 0.5) continue;
    EXPECT_LT(distance(arc[v], rig.mesh.positions[v]), 1e-12);
  }
}

TEST(OffsetCurve, scale_curve_redistributes_the_scale) {
  const FilterCurve late{{{0, 0}, {0.5, 0}, {1, 1}}};
  const Rig rig = controlled(jointed_tube(2), {.scale = late});
  auto states = rest_states(rig);
  states[1].across = diagonal(Vec3{2, 1, 2});
  const auto arc = deformed(rig, states, both[0]);
  for (std::size_t v = 0; v < arc.size(); ++v) {
    const double radius = std::hypot(arc[v].x, arc[v].z);
    if (rig.mesh.positions[v].y <= 1) {
      EXPECT_NEAR(radius, 0.2, 1e-12);
    }
    if (rig.mesh.positions[v].y >= 1.5) {
      EXPECT_NEAR(radius, 0.4, 1e-12);
    }
  }
}

TEST(OffsetCurve, identity_curves_change_nothing) {
  const Rig rig = jointed_tube(3);
  auto poses = bent_bones(rig, {1, -1});
  poses[1].twist_end = 2;
  const auto states = bone_states(rig.skeleton, poses);
  const FilterCurve line{{{0, 0}, {1, 1}}};
  const Rig filtered = controlled(rig, {.twist = line, .scale = line});
  for (const Method& method : both) {
    EXPECT_LT(largest_difference(deformed(rig, states, method), deformed(filtered, states, method)),
              1e-12);
  }
}

// Poses that leave no room for a proper result must still have one.
std::vector<std::vector<BonePose>> hard_poses(const Rig& rig) {
  std::vector<std::vector<BonePose>> all;
  for (const double bend : {0.0, 90.0, 150.0, 180.0, 179.9999}) {
    all.push_back(bent_bones(rig, {radians(bend), radians(-bend)}));
  }
  for (const double factor : {0.0, 0.01, 10.0, 1e-12}) {
    auto poses = bent_bones(rig, {1.5, 1.5});
    const Vec3 tail = lerp(poses[1].start, poses[1].end, factor);
    const Vec3 shift = tail - poses[1].end;
    poses[1].end = tail;
    poses[2].start += shift;
    poses[2].end += shift;
    all.push_back(poses);
  }
  auto nothing = bent_bones(rig, {0, 0});
  for (BonePose& pose : nothing) pose.start = pose.end = {};
  all.push_back(nothing);
  auto twisted = bent_bones(rig, {2, 1});
  twisted[0].twist_end = radians(720);
  twisted[1].twist_start = radians(-720);
  all.push_back(twisted);
  auto apart = bent_bones(rig, {0, 0});
  apart[1].start += Vec3{3, 0, 0};
  apart[1].end += Vec3{3, 0, 0};
  all.push_back(apart);
  return all;
}

TEST(OffsetCurve, every_pose_has_a_finite_result_of_sane_size) {
  const Rig rig = jointed_tube(3);
  const auto poses = hard_poses(rig);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const auto states = bone_states(rig.skeleton, poses[i]);
    for (const Method& method : both) {
      const Deformed result = deform_reference(rig, states, {}, method, true);
      for (std::size_t v = 0; v < result.positions.size(); ++v) {
        ASSERT_TRUE(is_finite(result.positions[v])) << i << " " << v;
        ASSERT_TRUE(is_finite(result.normals[v])) << i << " " << v;
        ASSERT_LT(length(result.positions[v]), 15) << i << " " << v;
      }
    }
  }
}

TEST(OffsetCurve, skin_and_kernels_of_every_target_agree_with_the_reference) {
  const Rig rig = jointed_tube(3);
  const auto poses = hard_poses(rig);
  OffsetCurveSkin arc(rig, OffsetCurveArc{});
  OffsetCurveSkin spline(rig, OffsetCurveSpline{});
  const Binding binding(rig, {.slopes = false});
  std::vector<Vec3> exact(rig.mesh.vertex_count());
  std::vector<Vec3f> fast(rig.mesh.vertex_count());
  const double size = bounding_box(rig.mesh.positions).diagonal();
  for (const char* name : {"ocd-arc", "ocd-spline"}) {
    const Method method = method_from_name(name, rig);
    Palette palette(Plan(binding, method));
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const auto states = bone_states(rig.skeleton, poses[i]);
      OffsetCurveSkin& skin = name == std::string_view("ocd-arc") ? arc : spline;
      const auto expected = deformed(rig, states, method);
      skin.deform(states, exact);
      EXPECT_LT(largest_difference(exact, expected), 1e-12) << i;
      palette.update(states);
      for (const std::string& target : kernel_targets()) {
        use_kernel_target(target);
        deform(palette, {.positions = &fast.data()->x});
        EXPECT_LT(largest_difference(fast, expected), 2e-5 * size) << name << target << i;
      }
      use_kernel_target("");
    }
  }
}

TEST(OffsetCurve, normals_stay_normal_to_the_bent_tube) {
  const Rig rig = jointed_tube(2);
  const auto states = bent_states(rig, {pi / 2});
  for (const Method& method : both) {
    const Deformed result = deform_reference(rig, states, {}, method, true);
    const auto facets = vertex_normals(result.positions, rig.mesh.triangles);
    double mean = 0;
    for (std::size_t v = 0; v < facets.size(); ++v) mean += dot(result.normals[v], facets[v]);
    EXPECT_GT(mean / static_cast<double>(facets.size()), 0.99);
  }
}

TEST(OffsetCurve, a_lone_bone_in_empty_space_moves_its_shape) {
  Rig rig;
  rig.mesh = jointed_tube(1).mesh;
  const std::vector<Vec3> points{{0, 0, 0}, {0, 1, 0}};
  const std::vector<std::array<int, 2>> segments{{0, 1}};
  rig.skeleton = skeleton_from_segments(points, segments);
  const std::vector<BonePose> poses{{{1, 0, 0}, {3, 0, 0}, std::nullopt, 0, 0}};
  const auto states = bone_states(rig.skeleton, poses);
  for (const Method& method : both) {
    const auto result = deformed(rig, states, method);
    for (std::size_t v = 0; v < result.size(); ++v) {
      EXPECT_NEAR(std::hypot(result[v].y, result[v].z), 0.2, 1e-12);
    }
  }
}

}  // namespace
}  // namespace sinew
