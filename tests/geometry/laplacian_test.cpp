// SPDX-License-Identifier: Apache-2.0
#include "sinew/geometry/laplacian.h"

#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/weld.h"
#include "tests/support/refusals.h"
#include "tests/support/torture.h"

namespace sinew {
namespace {

using Pairs = std::map<std::pair<Index, Index>, double>;

Pairs summed(const SurfaceLaplacian& laplacian) {
  Pairs pairs;
  for (const auto& edge : laplacian.edges) pairs[{edge.a, edge.b}] += edge.weight;
  return pairs;
}

void expect_same(const Pairs& a, const Pairs& b, double tolerance) {
  Pairs difference = a;
  for (const auto& [pair, weight] : b) difference[pair] -= weight;
  for (const auto& [pair, weight] : difference) {
    EXPECT_NEAR(weight, 0, tolerance) << pair.first << " " << pair.second;
  }
}

// A square grid in the plane, its inner vertices moved about.
Surface rumpled_sheet() {
  Surface s;
  Random random(5);
  const Index n = 12;
  for (Index y = 0; y < n; ++y) {
    for (Index x = 0; x < n; ++x) {
      Vec3 p{double(x), double(y), 0};
      if (x > 0 && x + 1 < n && y > 0 && y + 1 < n) {
        p.x += 0.25 * random.number();
        p.y += 0.25 * random.number();
      }
      s.positions.push_back(p);
    }
  }
  for (Index y = 0; y + 1 < n; ++y) {
    for (Index x = 0; x + 1 < n; ++x) {
      const Index v = y * n + x;
      s.triangles.push_back({v, v + 1, v + n + 1});
      s.triangles.push_back({v, v + n + 1, v + n});
    }
  }
  return s;
}

TEST(Laplacian, right_angles_give_the_weights_of_the_grid) {
  const std::vector<Vec3> square = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const auto laplacian = surface_laplacian(square, {{0, 1, 2}, {0, 2, 3}});
  expect_same(summed(laplacian), {{{0, 1}, 0.5}, {{1, 2}, 0.5}, {{2, 3}, 0.5}, {{0, 3}, 0.5}},
              1e-9);
  EXPECT_NEAR(laplacian.areas[0], 1.0 / 3, 1e-12);
  EXPECT_NEAR(laplacian.areas[1], 1.0 / 6, 1e-12);
}

TEST(Laplacian, an_edge_across_obtuse_angles_is_flipped) {
  // A flat rhombus with its long diagonal as the edge.
  const std::vector<Vec3> rhombus = {{-2, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  const Pairs pairs = summed(surface_laplacian(rhombus, {{0, 1, 2}, {1, 0, 3}}));
  EXPECT_EQ(pairs.count({0, 1}), 0u);
  EXPECT_NEAR(pairs.at({2, 3}), 0.75, 1e-9);  // the cotangent at the acute corners is 3/4
}

TEST(Laplacian, of_a_coordinate_is_zero_inside_a_flat_sheet) {
  const Surface s = rumpled_sheet();
  const auto laplacian = surface_laplacian(s.positions, s.triangles);
  std::vector<Vec3> applied(s.positions.size());
  for (const auto& edge : laplacian.edges) {
    const Vec3 flow = (s.positions[edge.b] - s.positions[edge.a]) * edge.weight;
    applied[edge.a] += flow;
    applied[edge.b] -= flow;
  }
  for (std::size_t v = 0; v < s.positions.size(); ++v) {
    const Vec3& p = s.positions[v];
    if (p.x > 0 && p.x < 11 && p.y > 0 && p.y < 11) {
      EXPECT_LT(length(applied[v]), 1e-9);
    }
  }
}

TEST(Laplacian, weights_are_positive_and_areas_add_up_on_every_broken_mesh) {
  for (const Torture& t : torture_set()) {
    const Welded w = weld(t.mesh.positions, t.mesh.triangles);
    const auto laplacian = surface_laplacian(w.positions, w.triangles);
    ASSERT_EQ(laplacian.areas.size(), w.positions.size());
    for (const auto& edge : laplacian.edges) {
      ASSERT_TRUE(edge.weight > 0 && std::isfinite(edge.weight)) << t.name;
      ASSERT_TRUE(edge.a < edge.b && edge.b < w.positions.size()) << t.name;
    }
    double area = 0;
    for (const auto& [a, b, c] : w.triangles) {
      area += length(cross(w.positions[b] - w.positions[a], w.positions[c] - w.positions[a])) / 2;
    }
    const double sum = std::accumulate(laplacian.areas.begin(), laplacian.areas.end(), 0.0);
    // Triangles without area are given a little.
    const bool has_needles = t.name == "slivers" || t.name == "triangles without area";
    EXPECT_NEAR(sum, area, (has_needles ? 2e-4 : 1e-12) * area) << t.name;
  }
}

TEST(Laplacian, it_does_not_matter_which_way_faces_are_turned) {
  Surface s = unit_sphere(9, 14);
  for (Vec3& p : s.positions) p.z *= 0.2;
  const Pairs expected = summed(surface_laplacian(s.positions, s.triangles));
  for (std::size_t t = 0; t < s.triangles.size(); t += 3) {
    std::swap(s.triangles[t][0], s.triangles[t][1]);
  }
  expect_same(summed(surface_laplacian(s.positions, s.triangles)), expected, 1e-9);
}

TEST(Laplacian, bad_input_is_named) {
  EXPECT_EQ(bad_input([&] {
              surface_laplacian({{0, 0, 0}}, {{0, 1, 2}});
            }),
            "triangle 0: refers to vertex 1, but there are only 1 vertices");
  EXPECT_EQ(bad_input([&] {
              surface_laplacian({{0, NAN, 0}}, {});
            }),
            "vertex 0: has a coordinate that is not a finite number; remove or repair the vertex");
  EXPECT_TRUE(surface_laplacian({{0, 0, 0}, {1, 0, 0}}, {{0, 0, 1}}).edges.empty());
}

}  // namespace
}  // namespace sinew
