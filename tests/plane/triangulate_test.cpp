// SPDX-License-Identifier: Apache-2.0
#include "sinew/plane/triangulate.h"

#include <random>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/input_errors.h"
#include "tests/support/plane_regions.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

std::vector<Vec2> square(double low, double high) {
  return {{low, low}, {high, low}, {high, high}, {low, high}};
}

TEST(Triangulate, holes_are_left_out_and_islands_are_not) {
  PlaneRegion region;
  add_ring(region, square(0, 10));
  add_ring(region, square(2, 8));
  add_ring(region, square(4, 6));
  std::swap(region.outline[5][0], region.outline[5][1]);
  const PlaneMesh mesh = triangulate(region, {.max_edge = 1});
  expect_valid(mesh, region);
  EXPECT_NEAR(area(mesh), 100 - 36 + 4, 1e-5);
  for (const Triangle& t : mesh.triangles) {
    const Vec2 c = (mesh.points[t[0]] + mesh.points[t[1]] + mesh.points[t[2]]) * (1.0 / 3);
    const double r = std::max(std::fabs(c.x - 5), std::fabs(c.y - 5));
    EXPECT_TRUE(r < 1 || r > 3) << c.x << " " << c.y;
  }
}

TEST(Triangulate, points_come_back_as_they_were_given) {
  PlaneRegion region;
  add_ring(region, circle({0.1, 1.0 / 3}, 1.7, 50));
  add_line(region, {0.123, 0.456}, {0.789, 0.987});
  const PlaneMesh mesh = triangulate(region, {.max_edge = 0.3});
  ASSERT_EQ(mesh.vertex_of.size(), region.points.size());
  for (std::size_t i = 0; i < region.points.size(); ++i) {
    EXPECT_EQ(mesh.vertex_of[i], i);
    EXPECT_EQ(mesh.points[mesh.vertex_of[i]], region.points[i]);
  }
  EXPECT_EQ(mesh.chains.at(0).vertices.front(), 50u);
  EXPECT_EQ(mesh.chains.at(0).vertices.back(), 51u);
}

TEST(Triangulate, lines_become_chains_where_they_are_inside) {
  PlaneRegion region = rectangle(10, 10);
  add_ring(region, square(4, 6));
  add_line(region, {-5, 5}, {15, 5});       // through the hole
  add_line(region, {1, 1}, {3, 2});         // inside
  add_line(region, {3, 2}, {3, 30});        // out of it
  add_line(region, {11, 11}, {12, 30});     // outside
  add_line(region, {4.5, 5}, {5.5, 5.5});   // in the hole
  add_line(region, {7, 7}, {7, 7});         // a point
  add_line(region, {0, 2}, {0, 8});         // along the outline
  add_line(region, {-1e30, 3}, {1e30, 3});  // from very far
  const PlaneMesh mesh = triangulate(region, {.max_edge = 1});
  expect_valid(mesh, region);
  EXPECT_NEAR(area(mesh), 96, 1e-5);

  std::vector<Index> lines;
  const auto ends = [&](std::size_t c) {
    const auto& v = mesh.chains.at(c).vertices;
    return std::pair{mesh.points[v.front()], mesh.points[v.back()]};
  };
  for (const PlaneChain& chain : mesh.chains) lines.push_back(chain.line);
  ASSERT_EQ(lines, (std::vector<Index>{0, 0, 1, 2, 5, 6, 7}));
  const auto expect_ends = [&](std::size_t c, Vec2 a, Vec2 b) {
    EXPECT_LT(length(ends(c).first - a), 1e-6) << c;
    EXPECT_LT(length(ends(c).second - b), 1e-6) << c;
  };
  expect_ends(0, {0, 5}, {4, 5});
  expect_ends(1, {6, 5}, {10, 5});
  expect_ends(2, {1, 1}, {3, 2});
  expect_ends(3, {3, 2}, {3, 10});
  expect_ends(4, {7, 7}, {7, 7});
  expect_ends(5, {0, 2}, {0, 8});
  expect_ends(6, {0, 3}, {10, 3});
  EXPECT_EQ(mesh.chains[4].vertices.size(), 1u);
  EXPECT_EQ(mesh.chains[2].vertices.back(), mesh.chains[3].vertices.front());
  EXPECT_EQ(mesh.vertex_of[8], PlaneMesh::outside);
  EXPECT_EQ(mesh.vertex_of[10], mesh.chains[2].vertices.front());
}

TEST(Triangulate, lines_that_cross_or_overlap_share_vertices) {
  PlaneRegion region = rectangle(10, 10);
  add_line(region, {1, 1}, {9, 8});
  add_line(region, {1, 8}, {9, 1});
  add_line(region, {2, 1.875}, {5, 4.5});  // on the first
  const PlaneMesh mesh = triangulate(region, {.max_edge = 2});
  expect_valid(mesh, region);
  ASSERT_EQ(mesh.chains.size(), 3u);
  const auto& first = mesh.chains[0].vertices;
  const auto shared = [&](const std::vector<Index>& with) {
    return std::count_if(with.begin(), with.end(), [&](Index v) {
      return std::find(first.begin(), first.end(), v) != first.end();
    });
  };
  EXPECT_EQ(shared(mesh.chains[1].vertices), 1);
  EXPECT_EQ(shared(mesh.chains[2].vertices),
            static_cast<std::ptrdiff_t>(mesh.chains[2].vertices.size()));
}

TEST(Triangulate, ends_of_lines_are_one_where_the_grid_hardly_tells_them_apart) {
  PlaneRegion region = rectangle(10, 10);
  const double step = 10 * 0x1p-24;
  add_line(region, {1, 1}, {5, 5});
  add_line(region, {5 + step, 5 - step}, {9, 1});
  add_line(region, {5 + 0.001, 5}, {9, 9});
  const PlaneMesh mesh = triangulate(region, {.max_edge = 2});
  EXPECT_EQ(mesh.vertex_of[5], mesh.vertex_of[6]);
  EXPECT_NE(mesh.vertex_of[5], mesh.vertex_of[8]);
}

TEST(Triangulate, rings_may_cross_touch_and_share_an_edge) {
  PlaneRegion crossing;
  add_ring(crossing, square(0, 4));
  add_ring(crossing, square(2, 6));
  PlaneMesh mesh = triangulate(crossing, {.max_edge = 1});
  expect_valid(mesh, crossing);
  EXPECT_NEAR(area(mesh), 16 + 16 - 2 * 4, 1e-5);

  PlaneRegion touching;
  add_ring(touching, square(0, 4));
  add_ring(touching, square(4, 6));
  mesh = triangulate(touching, {.max_edge = 1});
  expect_valid(mesh, touching);
  EXPECT_NEAR(area(mesh), 16 + 4, 1e-5);
  EXPECT_EQ(mesh.vertex_of[2], mesh.vertex_of[4]);

  PlaneRegion sharing;
  add_ring(sharing, {{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  add_ring(sharing, {{1, 0}, {2, 0}, {2, 1}, {1, 1}});
  mesh = triangulate(sharing, {.max_edge = 1});
  expect_valid(mesh, sharing);
  EXPECT_NEAR(area(mesh), 2, 1e-6);

  PlaneRegion figure_of_eight;
  add_ring(figure_of_eight, {{0, 0}, {2, 2}, {2, 0}, {0, 2}});
  mesh = triangulate(figure_of_eight, {.max_edge = 1});
  expect_valid(mesh, figure_of_eight);
  EXPECT_NEAR(area(mesh), 2, 1e-6);
}

TEST(Triangulate, points_that_are_nearly_the_same_are_joined) {
  PlaneRegion region;
  const double near = 0.01;
  add_ring(region, {{0, 0}, {1, 0}, {1 + near, near}, {1, 1}, {0.5, 1 + near}, {0.5, 1}, {0, 1}});
  add_line(region, {0.5, 1 - near}, {0.5, 0.5});  // from beside two points of the outline
  add_line(region, {-0.5, 1.5 + near}, {0.25, 0.75 + near});  // past a corner of it
  const PlaneMesh mesh = triangulate(region, {.max_edge = 0.4, .min_edge = 0.2});
  expect_valid(mesh, region);
  EXPECT_EQ(mesh.vertex_of[1], mesh.vertex_of[2]);
  EXPECT_EQ(mesh.vertex_of[4], mesh.vertex_of[7]);
  EXPECT_EQ(mesh.vertex_of[5], mesh.vertex_of[7]);
  EXPECT_EQ(mesh.points[mesh.vertex_of[7]], region.points[7]);
  EXPECT_GT(shortest_edge(mesh), 0.2 / 8);
  EXPECT_NEAR(area(mesh), 1, 0.01);
}

TEST(Triangulate, is_the_same_for_a_region_that_was_moved_and_scaled) {
  PlaneRegion region;
  // Not round, because four points of a circle can be joined in two ways that are as good.
  std::vector<Vec2> points = circle({0, 0}, 1, 37);
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = points[i] * (1 + 0.1 * std::sin(static_cast<double>(i * i)));
  }
  add_ring(region, points);
  add_ring(region, {{0.1, 0.2}, {0.33, 0.17}, {0.24, 0.41}});
  add_line(region, {-0.8, -0.3}, {0.7, -0.6});
  add_line(region, {-0.1, -0.9}, {-0.5, 0.7});
  const PlaneMesh mesh = triangulate(region, {.max_edge = 0.2});
  EXPECT_EQ(triangulate(region, {.max_edge = 0.2}).points, mesh.points);
  for (const double scale : {1e-9, 0.001, 3.0, 7e12}) {
    PlaneRegion other = region;
    for (Vec2& p : other.points) p = (p + Vec2{0.25, -0.125}) * scale;
    const PlaneMesh scaled = triangulate(other, {.max_edge = 0.2 * scale});
    EXPECT_EQ(scaled.triangles, mesh.triangles) << scale;
    EXPECT_EQ(scaled.chains, mesh.chains);
    ASSERT_EQ(scaled.points.size(), mesh.points.size());
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
      EXPECT_LT(length(scaled.points[i] * (1 / scale) - Vec2{0.25, -0.125} - mesh.points[i]),
                1e-12);
    }
  }
}

TEST(Triangulate, far_from_the_origin_all_triangles_still_have_an_area) {
  for (const double away : {1e3, 1e6, 1e8}) {
    PlaneRegion region;
    add_ring(region, circle({away, -away}, 1, 60));
    add_line(region, {away, -away}, {away + 0.7, -away + 0.1});
    const PlaneMesh mesh = triangulate(region, {.max_edge = 0.2});
    EXPECT_NEAR(area(mesh), std::numbers::pi, 0.01) << away;
    for (const Triangle& t : mesh.triangles) EXPECT_GT(least_angle(mesh, t), 0);
  }
}

TEST(Triangulate, refuses_what_is_no_region) {
  const auto error = [](const PlaneRegion& region) {
    return input_error([&] { triangulate(region, {.max_edge = 1}); });
  };
  EXPECT_EQ(error({}), "outline: has no edges");
  PlaneRegion region;
  add_ring(region, {{1, 1}, {1, 1}, {1, 1}});
  EXPECT_EQ(error(region), "outline: all of its points are at one place");
  region = {};
  add_ring(region, {{0, 0}, {1, 2}, {3, 6}, {2, 4}});
  EXPECT_EQ(error(region), "outline: encloses nothing");
  region = rectangle(1, 1);
  region.outline.insert(region.outline.end(), region.outline.begin(), region.outline.end());
  EXPECT_EQ(error(region), "outline: encloses nothing");
  region = rectangle(1, 1);
  region.outline.pop_back();
  EXPECT_EQ(error(region),
            "point 0: an odd number of the outline's edges end here; its rings must be closed");
  region = rectangle(1, 1);
  region.lines = {{0, 7}};
  EXPECT_EQ(error(region), "line 0: names point 7, but there are 4");
  region = rectangle(1, 1);
  region.points[2].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error(region), "point 2: its coordinates are not finite numbers");
  EXPECT_EQ(error(rectangle(1e-320, 1e-320)),
            "outline: cannot be handled at a size of 1e-320; scale it");
  EXPECT_EQ(error(rectangle(1e308, 1e308)),
            "outline: cannot be handled at a size of 1e+308; scale it");
  for (Vec2& p : (region = rectangle(1, 1)).points) p = p + Vec2{1e14, 0};
  EXPECT_EQ(
      error(region),
      "outline: is too far from the origin (100000000000001) for its size of 1; move it closer");
  EXPECT_EQ(
      input_error([] { triangulate(rectangle(1, 1), {.max_edge = 0.01, .most_points = 500}); }),
      "mesh: needs more than 500 points; allow longer edges, a coarser outline, or more points");
}

TEST(Triangulate, refuses_options_that_make_no_sense) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](const PlaneMeshOptions& options) {
    return wrong_usage([&] { triangulate(rectangle(1, 1), options); });
  };
  const std::string angle = "the least angle must be above 0 and at most 30 degrees, not ";
  EXPECT_EQ(refused({.min_angle = 0}), angle + "0");
  EXPECT_EQ(refused({.min_angle = 31}), angle + "31");
  EXPECT_EQ(refused({.min_angle = nan}), angle + "nan");
  EXPECT_EQ(refused({.max_edge = -1}), "an edge cannot have a length of -1");
  EXPECT_EQ(refused({.max_edge = nan}), "an edge cannot have a length of nan");
  EXPECT_EQ(refused({.max_edge = 1, .min_edge = 2}),
            "the least edge (2) is longer than the greatest (1)");
  EXPECT_EQ(refused({.grading = 0}), "the grading must be above 0, not 0");
}

// Rings that cross themselves and each other, and lines across them, with many points on a coarse
// raster so that they meet.
TEST(Triangulate, random_regions_give_valid_meshes) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto unit = [&] { return static_cast<double>(random()) * 0x1p-32; };
    const double raster = seed % 3 == 0 ? 8 : seed % 3 == 1 ? 64 : 1e6;
    const auto snapped = [&](Vec2 p) {
      return Vec2{std::round(p.x * raster) / raster, std::round(p.y * raster) / raster};
    };
    PlaneRegion region;
    for (unsigned ring = 0; ring < 1 + seed % 4; ++ring) {
      const Vec2 center{unit() - 0.5, unit() - 0.5};
      std::vector<Vec2> points = circle({0, 0}, 1, 3 + static_cast<int>(random() % 40));
      for (Vec2& p : points) p = snapped(center + p * (0.1 + unit()));
      add_ring(region, points);
    }
    for (unsigned line = 0; line < seed % 7; ++line) {
      add_line(region, snapped({3 * unit() - 1.5, 3 * unit() - 1.5}),
               snapped({3 * unit() - 1.5, 3 * unit() - 1.5}));
    }
    PlaneMesh mesh;
    const std::string error =
        input_error([&] { mesh = triangulate(region, {.max_edge = 0.2, .min_edge = 0.02}); });
    EXPECT_TRUE(error.empty() || error == "outline: encloses nothing") << error;
    expect_valid(mesh, region);
    EXPECT_LE(longest_edge(mesh), 0.2 * 1.0001);
    EXPECT_LT(mesh.points.size(), 10000u);
  }
}

}  // namespace
}  // namespace sinew
