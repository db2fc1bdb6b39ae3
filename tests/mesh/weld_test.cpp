// SPDX-License-Identifier: Apache-2.0
#include "sinew/mesh/weld.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/geometry/topology.h"
#include "tests/support/refusals.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

TEST(Weld, splitting_all_corners_is_undone) {
  const Surface s = unit_sphere(8, 12);
  const Surface split = exploded(s);
  const Welded w = weld(split.positions, split.triangles);
  EXPECT_EQ(w.positions.size(), s.positions.size());
  ASSERT_EQ(w.triangles.size(), s.triangles.size());
  for (std::size_t t = 0; t < w.triangles.size(); ++t) {
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(w.positions[w.triangles[t][i]], s.positions[s.triangles[t][i]]);
    }
  }
  EXPECT_FALSE(inspect(split.positions, split.triangles).watertight);
  EXPECT_TRUE(inspect(w.positions, w.triangles).watertight);
}

TEST(Weld, first_vertex_wins_and_the_order_is_kept) {
  const std::vector<Vec3> p = {{3, 0, 0}, {1, 0, 0}, {3, 0, 0}, {2, 0, 0}, {1, 0, 0}};
  const Welded w = weld(p, {});
  EXPECT_EQ(w.representative_of, (std::vector<Index>{0, 1, 0, 2, 1}));
  EXPECT_EQ(w.source, (std::vector<Index>{0, 1, 3}));
  EXPECT_EQ(w.positions, (std::vector<Vec3>{{3, 0, 0}, {1, 0, 0}, {2, 0, 0}}));
}

TEST(Weld, minus_zero_equals_zero) {
  const Welded w = weld({{0.0, 1, -0.0}, {-0.0, 1, 0.0}}, {});
  EXPECT_EQ(w.positions.size(), 1u);
}

TEST(Weld, exact_joins_nothing_that_differs_in_the_last_bit) {
  const Welded w =
      weld({{1, 0, 0}, {std::nextafter(1.0, 2.0), 0, 0}, {5e-324, 0, 0}, {0, 0, 0}}, {});
  EXPECT_EQ(w.positions.size(), 4u);
}

TEST(Weld, triangles_that_lose_a_corner_are_dropped_and_the_others_keep_their_source) {
  const std::vector<Vec3> p = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}};
  const Welded w = weld(p, {{0, 1, 3}, {2, 0, 3}, {1, 1, 2}});
  EXPECT_EQ(w.triangles, (std::vector<Triangle>{{2, 0, 1}}));
  EXPECT_EQ(w.triangle_source, (std::vector<Index>{1}));
}

TEST(Weld, tolerance_is_relative_to_the_size_of_the_mesh) {
  for (const double scale : {1e-6, 1.0, 1e6}) {
    for (const double offset : {0.0, 1000.0}) {
      Surface s = exploded(unit_sphere(8, 12));
      Random random(5);
      for (Vec3& p : s.positions) p += random.vector() * 1e-5;
      s = moved(s, scale, Vec3{offset, -offset, offset} * scale);
      const Welded w = weld(s.positions, s.triangles, 1e-4);
      EXPECT_TRUE(inspect(w.positions, w.triangles).watertight);
      EXPECT_EQ(w.positions.size(), unit_sphere(8, 12).positions.size());
      EXPECT_EQ(weld(s.positions, s.triangles, 1e-8).positions.size(), s.positions.size());
    }
  }
}

TEST(Weld, no_vertex_moves_farther_than_the_tolerance_and_those_kept_are_farther_apart) {
  std::vector<Vec3> p;
  Random random(9);
  for (int i = 0; i < 1500; ++i) p.push_back(random.vector());
  const double tolerance = 0.05;
  const double reach = tolerance * bounding_box(p).diagonal();
  const Welded w = weld(p, {}, tolerance);
  EXPECT_LT(w.positions.size(), 1200u);
  for (std::size_t v = 0; v < p.size(); ++v) {
    EXPECT_LE(distance(p[v], w.positions[w.representative_of[v]]), reach);
  }
  for (std::size_t a = 0; a < w.positions.size(); ++a) {
    EXPECT_EQ(w.representative_of[w.source[a]], a);
    for (std::size_t b = 0; b < a; ++b) EXPECT_GT(distance(w.positions[a], w.positions[b]), reach);
  }
}

TEST(Weld, chain_of_close_vertices_becomes_several) {
  std::vector<Vec3> p;
  for (int i = 0; i <= 100; ++i) p.push_back({i / 100.0, 0, 0});
  const Welded w = weld(p, {}, 0.025);  // two and a half steps
  EXPECT_EQ(w.source.size(), 34u);
  EXPECT_EQ(w.source[1], 3u);
}

TEST(Weld, nothing_and_a_single_place_are_fine) {
  EXPECT_TRUE(weld({}, {}, 0.1).positions.empty());
  EXPECT_EQ(weld(std::vector<Vec3>(5, Vec3{7, 7, 7}), {{0, 1, 2}}, 0.1).positions.size(), 1u);
  EXPECT_EQ(weld({{0, 0, 0}, {1, 1, 1}, {1, 0, 1}}, {}, 10).positions.size(), 1u);
  EXPECT_EQ(weld({{0, 0, 0}, {1, 1, 1}, {1, 0, 1}}, {}, 1e-300).positions.size(), 3u);
}

TEST(Weld, bad_input_is_refused) {
  EXPECT_EQ(bad_input([&] {
              weld({{0, 0, 0}}, {{0, 0, 1}});
            }),
            "triangle 0: refers to vertex 1, but there are only 1 vertices");
  EXPECT_EQ(bad_input([&] {
              weld({{0, std::nan(""), 0}}, {});
            }),
            "vertex 0: has a coordinate that is not a finite number; remove or repair the vertex");
  EXPECT_EQ(wrong_usage([&] {
              weld({{0, 0, 0}}, {}, -1);
            }),
            "the tolerance for welding is 0 or a positive fraction of the mesh's size");
  EXPECT_EQ(wrong_usage([&] {
              weld({{0, 0, 0}}, {}, std::nan(""));
            }),
            "the tolerance for welding is 0 or a positive fraction of the mesh's size");
}

}  // namespace
}  // namespace sinew
