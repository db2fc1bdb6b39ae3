// SPDX-License-Identifier: Apache-2.0
// The facts of delta mush (Mancewicz et al. 2014). What every method has to keep is in
// methods_test.cpp.
#include "sinew/deform/delta_mush.h"

#include <limits>

#include <gtest/gtest.h>

#include "sinew/kernels/deformer.h"
#include "tests/kernels/shaped_tube.h"
#include "tests/support/comparing.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

// Bent at the middle joint, about an axis that no side of the tube lies in.
std::vector<BonePose> bent_bones(const Rig& rig, double angle) {
  auto poses = rest_bones(rig);
  const Quat bend = rotation_about(normalized(Vec3{0, 0.3, 1}), angle);
  poses[1].rotation = bend;
  poses[1].end = poses[1].start + rotate(bend, poses[1].end - poses[1].start);
  return poses;
}

std::vector<BoneState> bent(const Rig& rig, double angle) {
  return bone_states(rig.skeleton, bent_bones(rig, angle));
}

std::vector<Vec3> by(const Method& method, const Rig& rig, const std::vector<BoneState>& states) {
  return deform_reference(rig, states, {}, method).positions;
}

const Method& linear_blending() {
  static const Method method = method_from_name("lbs", Rig{});
  return method;
}

TEST(DeltaMush, rigid_motion_of_all_bones_moves_the_shape_rigidly) {
  const Rig rig = test::shaped_tube();
  const Quat turn = rotation_about(normalized(Vec3{1, -2, 0.5}), 2.0);
  const Vec3 shift{0.3, -1, 2};
  auto poses = rest_bones(rig);
  for (BonePose& pose : poses) {
    pose = {rotate(turn, pose.start) + shift, rotate(turn, pose.end) + shift, turn, 0, 0};
  }
  const auto states = bone_states(rig.skeleton, poses);
  std::vector<Vec3> places, normals;
  for (const Vec3& p : rig.mesh.positions) places.push_back(rotate(turn, p) + shift);
  for (const Vec3& n : rig.mesh.normals.values) normals.push_back(rotate(turn, n));
  const Deformed exact = deform_reference(rig, states, {}, DeltaMush{}, true);
  EXPECT_LE(largest_difference(exact.positions, places), 1e-12);
  EXPECT_LE(largest_difference(exact.normals, normals), 1e-9);
  const Deformed fast = Deformer(rig, DeltaMush{}, {.normals = true}).at(states, {});
  EXPECT_LE(largest_difference(fast.positions, places), 1e-5);
  EXPECT_LE(largest_difference(fast.normals, normals), 1e-4);
}

TEST(DeltaMush, without_iterations_it_is_linear_blending_to_the_bit) {
  const Rig rig = test::shaped_tube();
  const auto moment = test::moments(rig).back();
  const DeltaMush none{.iterations = 0};
  for (const bool reference : {false, true}) {
    const Deformed expected =
        Deformer(rig, linear_blending(), {true, reference}).at(moment.bones, moment.shapes);
    const Deformed result = Deformer(rig, none, {true, reference}).at(moment.bones, moment.shapes);
    EXPECT_EQ(result.positions, expected.positions);
    EXPECT_EQ(result.normals, expected.normals);
    EXPECT_EQ(result.tangents, expected.tangents);
  }
}

// How far apart the inside and the outside of the bend are, where the tube is thinnest.
double thinnest(const std::vector<Vec3>& positions, int sides) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t first = 0; first + sides <= positions.size(); first += sides) {
    double across = std::numeric_limits<double>::infinity();
    for (int s = 0; s < sides / 2; ++s) {
      across = std::min(across, distance(positions[first + s], positions[first + s + sides / 2]));
    }
    least = std::min(least, across);
  }
  return least;
}

TEST(DeltaMush, a_bent_elbow_collapses_less_than_by_linear_blending) {
  const Rig rig = make_tube({.rings = 121});
  const auto states = bent(rig, radians(100));
  const double at_rest = 0.4;
  EXPECT_LT(thinnest(by(linear_blending(), rig, states), 16), 0.65 * at_rest);
  EXPECT_GT(thinnest(by(DeltaMush{}, rig, states), 16), 0.70 * at_rest);
  EXPECT_GT(thinnest(by(DeltaMush{.iterations = 40}, rig, states), 16), 0.85 * at_rest);
}

TEST(DeltaMush, smoothing_goes_across_split_seams) {
  const Rig whole = make_tube();
  // Side 0 once more, for the triangles that come from the last side.
  Rig split = whole;
  std::vector<Index> copy_of(whole.mesh.vertex_count(), 0);
  split.skin.weights = {};
  for (Index v = 0; v < whole.mesh.vertex_count(); ++v) {
    split.skin.weights.push_row(whole.skin.weights.row(v));
  }
  for (Index v = 0; v < whole.mesh.vertex_count(); v += 16) {
    copy_of[v] = static_cast<Index>(split.mesh.positions.size());
    split.mesh.positions.push_back(whole.mesh.positions[v]);
    split.skin.weights.push_row(whole.skin.weights.row(v));
  }
  split.skin.endpoints.clear();
  for (Triangle& t : split.mesh.triangles) {
    const bool is_last = std::any_of(t.begin(), t.end(), [](Index v) { return v % 16 == 15; });
    for (Index& v : t) v = is_last && v % 16 == 0 ? copy_of[v] : v;
  }
  const auto states = bent(whole, 1.5);
  std::vector<Vec3> expected = by(DeltaMush{}, whole, states);
  const std::vector<Vec3> result = by(DeltaMush{}, split, states);
  for (Index v = 0; v < whole.mesh.vertex_count(); v += 16) {
    EXPECT_EQ(result[copy_of[v]], result[v]);
    expected.push_back(expected[v]);
  }
  EXPECT_LE(largest_difference(result, expected), 1e-13);
  const Deformed fast = Deformer(split, DeltaMush{}).at(states, {});
  EXPECT_LE(largest_difference(fast.positions, expected), 1e-5);
}

TEST(DeltaMush, pinned_boundaries_stay_where_they_are_skinned_and_others_do_not) {
  // The tube ends where its skin bends.
  const Rig rig = make_tube({.overhang = -0.9, .blend = 0.4, .rings = 21});
  const auto states = bent(rig, 1.2);
  const std::vector<Vec3> skinned = by(linear_blending(), rig, states);
  const auto moved_at_end = [&](DeltaMush::Boundary boundary) {
    const auto result = by(DeltaMush{.iterations = 5, .boundary = boundary}, rig, states);
    double most = 0;
    for (std::size_t v = 0; v < 16; ++v) most = std::max(most, distance(result[v], skinned[v]));
    return most;
  };
  EXPECT_LE(moved_at_end(DeltaMush::pinned), 1e-15);
  EXPECT_GT(moved_at_end(DeltaMush::along), 1e-4);
  EXPECT_GT(moved_at_end(DeltaMush::free), 1e-4);
}

TEST(DeltaMush, fast_path_agrees_whatever_the_settings) {
  const Rig rig = test::shaped_tube();
  const double size = bounding_box(rig.mesh.positions).diagonal();
  for (const DeltaMush& settings :
       {DeltaMush{1, 1.0, DeltaMush::free}, DeltaMush{7, 0.3, DeltaMush::pinned},
        DeltaMush{100, 0.5, DeltaMush::along}}) {
    Deformer deformer(rig, settings, {.normals = true});
    for (const auto& moment : test::moments(rig)) {
      const Deformed expected = deform_reference(rig, moment.bones, moment.shapes, settings, true);
      const Deformed result = deformer.at(moment.bones, moment.shapes);
      EXPECT_LE(largest_difference(result.positions, expected.positions), 1e-5 * size);
      EXPECT_LE(largest_difference(result.normals, expected.normals), 1e-2);
    }
  }
}

TEST(DeltaMush, shapes_at_rest_are_kept_whole) {
  const Rig rig = test::shaped_tube();
  const std::vector<double> shapes{1, 1};
  const auto expected = blend_shapes(rig.mesh, shapes).positions;
  const auto states = at_rest(rig);
  EXPECT_LE(
      largest_difference(deform_reference(rig, states, shapes, DeltaMush{}).positions, expected),
      1e-12);
  EXPECT_LE(largest_difference(Deformer(rig, DeltaMush{}).at(states, shapes).positions, expected),
            1e-5);
}

TEST(DeltaMush, options_are_the_settings) {
  const Rig rig = make_tube();
  const auto states = bent(rig, 1.0);
  const Method named = method_from_name(
      "delta-mush", rig, {{"iterations", {"3"}}, {"strength", {"0.25"}}, {"boundary", {"pinned"}}});
  EXPECT_EQ(by(named, rig, states), by(DeltaMush{3, 0.25, DeltaMush::pinned}, rig, states));
  EXPECT_EQ(wrong_usage([&] {
              method_from_name("delta-mush", rig, {{"iterations", {"2.5"}}});
            }),
            "iterations must be a whole number from 0 to 1000, not '2.5'");
  EXPECT_EQ(wrong_usage([&] {
              method_from_name("delta-mush", rig, {{"boundary", {"pined"}}});
            }),
            "boundary is one of along, pinned, free, not 'pined' (did you mean 'pinned'?)");
  EXPECT_EQ(wrong_usage([] { const Method bad = DeltaMush{.strength = 2}; }),
            "delta mush takes 0 iterations or more, and a strength in (0, 1]");
}

}  // namespace
}  // namespace sinew
