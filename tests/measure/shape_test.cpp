// SPDX-License-Identifier: Apache-2.0
// Volume, edges and rigid fits on shapes with known answers.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/measure/edges.h"
#include "sinew/measure/rigid_fit.h"
#include "sinew/measure/volume.h"
#include "tests/support/refusals.h"
#include "tests/support/shapes.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

std::vector<Vec3> stretched(const std::vector<Vec3>& positions, const Vec3& by) {
  return mapped(positions, [&](const Vec3& p) { return scaled(p, by); });
}

std::vector<Vec3> turned(const std::vector<Vec3>& positions) {
  const Quat turn = rotation_about(normalized(Vec3{1, -2, 0.5}), 2.1);
  return mapped(positions, [&](const Vec3& p) { return rotate(turn, p) + Vec3{30, -7, 2}; });
}

TEST(Volume, of_a_cube_is_that_of_a_cube_and_grows_with_each_axis) {
  const Surface s = cube();
  const auto change = volume_change(s.triangles, s.positions, stretched(s.positions, {2, 0.5, 3}));
  ASSERT_TRUE(change);
  EXPECT_NEAR(change->rest, 8, 1e-12);
  EXPECT_NEAR(change->change(), 2, 1e-12);
  EXPECT_EQ(change->parts, 1u);
  EXPECT_EQ(change->open_parts, 0u);
}

TEST(Volume, neither_place_nor_size_nor_seams_matter) {
  const Surface s = cube();
  for (const Surface& made : {moved(s, 1e-6, {5, 5, 5}), moved(s, 1e9, {}), exploded(s)}) {
    const auto change =
        volume_change(made.triangles, made.positions, stretched(made.positions, {1.5, 1, 1}));
    ASSERT_TRUE(change);
    EXPECT_NEAR(change->change(), 0.5, 1e-7);
  }
  const auto rigid = volume_change(s.triangles, s.positions, turned(s.positions));
  EXPECT_NEAR(rigid->change(), 0, 1e-12);
}

TEST(Volume, what_is_turned_inside_out_is_lost_twice) {
  const Surface s = unit_sphere(8, 12);
  const auto change = volume_change(s.triangles, s.positions, stretched(s.positions, {-1, 1, 1}));
  EXPECT_NEAR(change->change(), -2, 1e-12);
}

TEST(Volume, parts_count_whichever_way_round_they_are) {
  Surface s = cube(), other = moved(cube(), 1, {5, 0, 0});
  flip(other);
  append(s, other);
  const auto change = volume_change(s.triangles, s.positions, stretched(s.positions, {1, 1, 2}));
  EXPECT_NEAR(change->rest, 16, 1e-12);
  EXPECT_NEAR(change->change(), 1, 1e-12);
  EXPECT_EQ(change->parts, 2u);
}

TEST(Volume, an_open_tube_is_closed_across_its_ends) {
  const Rig tube = make_tube({.rings = 31, .sides = 64});
  const auto change = volume_change(tube.mesh.triangles, tube.mesh.positions,
                                    stretched(tube.mesh.positions, {1, 2, 1}));
  ASSERT_TRUE(change);
  EXPECT_NEAR(change->rest, 3 * 64 * 0.5 * 0.04 * std::sin(2 * pi / 64), 1e-12);
  EXPECT_NEAR(change->change(), 1, 1e-12);
  EXPECT_EQ(change->open_parts, 1u);
}

TEST(Volume, of_sheets_is_not_defined) {
  EXPECT_FALSE(volume_change({}, {}, {}));
  EXPECT_FALSE(volume_change({}, {{1, 2, 3}}, {{1, 2, 3}}));
  const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0.3}};
  EXPECT_FALSE(volume_change({{0, 1, 2}}, corners, corners));
  EXPECT_FALSE(volume_change({{0, 1, 2}, {1, 3, 2}}, corners, corners));
  EXPECT_FALSE(volume_change({{0, 1, 2}, {0, 2, 1}}, corners, corners));
  Surface flat = unit_sphere(6, 8);
  flat.positions = stretched(flat.positions, {1, 1, 0});
  EXPECT_FALSE(volume_change(flat.triangles, flat.positions, flat.positions));
}

TEST(Volume, a_sheet_beside_a_solid_is_left_out) {
  Surface s = cube();
  const Surface sheet{{{3, 0, 0}, {4, 0, 0}, {3, 1, 0}, {4, 1, 1}}, {{0, 1, 2}, {1, 3, 2}}};
  append(s, sheet);
  const auto change = volume_change(s.triangles, s.positions, stretched(s.positions, {2, 1, 1}));
  ASSERT_TRUE(change);
  EXPECT_NEAR(change->rest, 8, 1e-12);
  EXPECT_EQ(change->left_out, 1u);
}

TEST(Edges, a_stretch_along_one_axis_shows_in_edges_along_it) {
  const Surface s = cube();
  const EdgeStretch edges =
      edge_stretch(s.triangles, s.positions, stretched(s.positions, {3, 1, 0.25}));
  EXPECT_NEAR(edges.longest, 3, 1e-12);
  EXPECT_NEAR(edges.shortest, 0.25, 1e-12);
  EXPECT_EQ(edges.edges, 18u);
  EXPECT_EQ(edges.no_length, 0u);
}

TEST(Edges, root_mean_square_weighs_edges_by_length) {
  const std::vector<Vec3> rest = {{0, 0, 0}, {3, 0, 0}, {0, 4, 0}};
  const std::vector<Vec3> doubled = {{0, 0, 0}, {6, 0, 0}, {0, 4, 0}};
  // Edges 3 -> 6, 4 -> 4, 5 -> sqrt(52).
  const double diagonal = std::sqrt(52.0) / 5 - 1;
  const EdgeStretch edges = edge_stretch({{0, 1, 2}}, rest, doubled);
  EXPECT_NEAR(edges.rms, std::sqrt((3 + 5 * diagonal * diagonal) / 12), 1e-12);
  EXPECT_NEAR(edge_stretch({{0, 1, 2}}, rest, turned(rest)).rms, 0, 1e-12);
}

TEST(Edges, collapse_and_edges_without_length_stay_finite) {
  const Surface s = cube();
  const EdgeStretch collapsed =
      edge_stretch(s.triangles, s.positions, stretched(s.positions, {0, 0, 0}));
  EXPECT_EQ(collapsed.longest, 0);
  EXPECT_EQ(collapsed.shortest, 0);
  EXPECT_EQ(collapsed.rms, 1);
  const EdgeStretch none = edge_stretch({{0, 1, 2}}, {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
                                        {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  EXPECT_EQ(none.no_length, 3u);
  EXPECT_EQ(none.edges, 0u);
  EXPECT_EQ(none.rms, 0);
  EXPECT_EQ(edge_stretch({}, {}, {}).longest, 1);
}

TEST(Edges, what_does_not_fit_together_is_an_error) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(wrong_usage([&] {
              edge_stretch({}, {{0, 0, 0}}, {});
            }),
            "the shape has 1 vertices at rest, but 0 when deformed");
  EXPECT_EQ(bad_input([&] {
              edge_stretch({{0, 0, 1}}, {{0, 0, 0}}, {{0, 0, 0}});
            }),
            "triangle 0: refers to vertex 1, but there are only 1 vertices");
  EXPECT_EQ(bad_input([&] {
              edge_stretch({}, {{0, 0, 0}}, {{0, nan, 0}});
            }),
            "vertex 0: has a coordinate that is not a finite number; remove or repair the vertex");
}

TEST(RigidFit, finds_any_motion_back) {
  Random random(4);
  std::vector<Vec3> points;
  for (int i = 0; i < 20; ++i) points.push_back(random.vector() + Vec3{100, 0, 0});
  for (const double angle : {0.0, 1e-9, 1.0, pi - 1e-9, pi, 5.0}) {
    for (const double size : {1e-8, 1.0, 1e8}) {
      const Quat turn = rotation_about(normalized(random.vector()), angle);
      const auto small = mapped(points, [&](const Vec3& p) { return p * size; });
      const auto images = mapped(small, [&](const Vec3& p) {
        return rotate(turn, p) + Vec3{size, 3 * size, 0};
      });
      const RigidMotion motion = fit_rigid(small, images);
      for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_LT(distance(motion(small[i]), images[i]), 1e-11 * size);
      }
    }
  }
}

TEST(RigidFit, flat_points_and_lines_are_no_trouble) {
  const std::vector<Vec3> flat = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {1, 1, 0}};
  const std::vector<Vec3> line = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
  for (const auto& points : {flat, line, std::vector<Vec3>(3), std::vector<Vec3>{{4, 5, 6}}}) {
    const std::vector<Vec3> images = turned(points);
    const RigidMotion motion = fit_rigid(points, images);
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_LT(distance(motion(points[i]), images[i]), 1e-12 * 40);
    }
  }
  EXPECT_EQ(fit_rigid({}, {})({1, 2, 3}), (Vec3{1, 2, 3}));
}

TEST(RigidFit, a_mirror_image_is_no_motion) {
  const Surface s = unit_sphere(6, 9);
  std::vector<Vec3> points = stretched(s.positions, {3, 2, 1});
  const std::vector<Vec3> mirrored = stretched(points, {-1, 1, 1});
  const RigidMotion motion = fit_rigid(points, mirrored);
  // The best is to turn about the longest axis, which leaves the shortest one wrong.
  double squares = 0, expected = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    squares += length_squared(motion(points[i]) - mirrored[i]);
    expected += 4 * points[i].z * points[i].z;
  }
  EXPECT_NEAR(squares, expected, 1e-9 * expected);
}

}  // namespace
}  // namespace sinew
