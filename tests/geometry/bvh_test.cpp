// SPDX-License-Identifier: Apache-2.0
#include "sinew/geometry/bvh.h"

#include <set>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/mesh/triangle.h"
#include "tests/support/refusals.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

struct Placement {
  double scale;
  Vec3 by;
};
const Placement placements[] = {
    {1, {0, 0, 0}}, {1e-6, {0, 0, 0}}, {1e6, {0, 0, 0}}, {1, {1e6, -2e6, 3e6}}, {1e-3, {5, 5, 5}}};

// How exactly coordinates can be told at all there, in units of the mesh's own size.
double precision(const Placement& at) { return 1e-13 + 1e-15 * length(at.by) / at.scale; }

double brute_distance(const Surface& s, const Vec3& p) {
  double best = std::numeric_limits<double>::infinity();
  for (const auto& [a, b, c] : s.triangles) {
    best = std::fmin(
        best,
        closest_on_triangle(p, s.positions[a], s.positions[b], s.positions[c]).distance_squared);
  }
  return std::sqrt(best);
}

// The test of Möller and Trumbore 1997: simple, and imprecise at edges.
bool simple_hit(const Ray& ray, const Vec3& a, const Vec3& b, const Vec3& c, double& t,
                double& margin) {
  const Vec3 from = ray.origin - a;
  const Vec3 h = cross(ray.direction, c - a);
  const Vec3 q = cross(from, b - a);
  const double determinant = dot(b - a, h);
  const double v = dot(from, h) / determinant;
  const double w = dot(ray.direction, q) / determinant;
  t = dot(c - a, q) / determinant;
  margin = std::fmin(std::fmin(v, w), 1 - v - w);
  return margin >= 0;
}

void check_tree(const Bvh& bvh) {
  std::set<Index> seen;
  std::vector<std::pair<Index, std::size_t>> open = {{0, 1}};
  while (!open.empty()) {
    const auto [n, depth] = open.back();
    open.pop_back();
    ASSERT_LE(depth, Bvh::max_depth);
    const Bvh::Node& node = bvh.nodes()[n];
    const auto holds = [&](const Vec3& p) {
      return component_min(p, node.box.low) == node.box.low &&
             component_max(p, node.box.high) == node.box.high;
    };
    if (node.is_leaf()) {
      for (Index i = node.first; i < node.first + node.count; ++i) {
        ASSERT_TRUE(seen.insert(bvh.order()[i]).second);
        for (const Vec3& corner : bvh.corners()[i]) ASSERT_TRUE(holds(corner));
      }
    } else {
      ASSERT_GT(node.first, n);
      for (const Index child : {node.first, node.first + 1}) {
        ASSERT_TRUE(holds(bvh.nodes()[child].box.low) && holds(bvh.nodes()[child].box.high));
        open.push_back({child, depth + 1});
      }
    }
  }
  EXPECT_EQ(seen.size(), bvh.triangle_count());
}

TEST(Bvh, closest_point_matches_brute_force_at_every_scale_and_place) {
  for (const Surface& shape : {triangle_soup(400, 5), unit_sphere(12, 20)}) {
    for (const Placement& at : placements) {
      const Surface s = moved(shape, at.scale, at.by);
      const Bvh bvh(s.positions, s.triangles);
      Random random(7);
      for (int i = 0; i < 150; ++i) {
        const Vec3 p = random.vector() * (2 * at.scale) + at.by;
        const auto near = bvh.closest(p);
        ASSERT_TRUE(near);
        const double exact = brute_distance(s, p);
        EXPECT_NEAR(near->distance, exact, 1e-12 * exact);
        const Triangle& t = s.triangles[near->triangle];
        const Vec3& w = near->barycentric;
        const Vec3 point =
            s.positions[t[0]] * w.x + s.positions[t[1]] * w.y + s.positions[t[2]] * w.z;
        EXPECT_LT(distance(point, near->position), precision(at) * at.scale * 10);
        EXPECT_NEAR(distance(near->position, p), exact, precision(at) * at.scale * 10);
      }
    }
  }
}

TEST(Bvh, first_hit_matches_brute_force_at_every_scale_and_place) {
  for (const Surface& shape : {triangle_soup(400, 11), unit_sphere(12, 20)}) {
    for (const Placement& at : placements) {
      const Surface s = moved(shape, at.scale, at.by);
      const Bvh bvh(s.positions, s.triangles);
      Random random(13);
      int compared = 0;
      for (int i = 0; i < 150; ++i) {
        const Ray ray{random.vector() * (2 * at.scale) + at.by, random.vector() * at.scale};
        double best = std::numeric_limits<double>::infinity();
        std::size_t count = 0;
        bool clear = true;  // no triangle decided by rounding
        for (const auto& [a, b, c] : s.triangles) {
          double t = 0;
          double margin = 0;
          const bool hit =
              simple_hit(ray, s.positions[a], s.positions[b], s.positions[c], t, margin);
          if (std::fabs(margin) < 1e4 * precision(at) || std::fabs(t) < 1e4 * precision(at)) {
            clear = false;
          }
          if (!hit || t < 0) continue;
          ++count;
          best = std::fmin(best, t);
        }
        if (!clear) continue;
        ++compared;
        const auto first = bvh.first_hit(ray);
        ASSERT_EQ(first.has_value(), count > 0);
        EXPECT_EQ(bvh.any_hit(ray), count > 0);
        EXPECT_EQ(bvh.count_hits(ray), count);
        if (!first) continue;
        EXPECT_NEAR(first->t, best, 1e3 * precision(at));
        EXPECT_FALSE(bvh.any_hit(ray, 0, first->t * (1 - 1e-9)));
        EXPECT_EQ(bvh.first_hit(ray, 0, first->t)->triangle, first->triangle);
      }
      EXPECT_GT(compared, 120);
    }
  }
}

TEST(Bvh, no_ray_slips_out_through_edges_or_corners) {
  for (const Placement& at : placements) {
    Surface s = moved(unit_sphere(9, 14), at.scale, at.by);
    const Bvh bvh(s.positions, s.triangles);
    Random random(17);
    const Vec3 origin = Vec3{0.1, 0.05, -0.07} * at.scale + at.by;
    const auto leaves_once = [&](const Vec3& target) {
      for (const Ray& ray : {Ray{origin, target - origin}, Ray{origin, (target - origin) * 1e-3}}) {
        EXPECT_TRUE(bvh.first_hit(ray));
        EXPECT_TRUE(bvh.any_hit(ray));
        EXPECT_EQ(bvh.count_hits(ray), 1u);
      }
    };
    for (const Vec3& corner : s.positions) leaves_once(corner);
    for (const auto& [a, b, c] : s.triangles) {
      const double u = 0.5 + 0.5 * random.number();
      leaves_once(lerp(s.positions[a], s.positions[b], u));
      leaves_once(lerp(s.positions[b], s.positions[c], 0.5));
    }
  }
}

TEST(Bvh, ray_beside_an_edge_by_less_than_rounding_hits_one_side_only) {
  const double e = 0x1p-30;  // (1 + e)(1 - e) rounds to 1
  const Vec3 p{1 + e, 1, 1}, q{-1, -(1 - e), 1};
  const Ray ray{{0, 0, 0}, {0, 0, 1}};
  const bool above = Bvh({p, q, {-5, 5, 1}}, {{0, 1, 2}}).any_hit(ray);
  const bool below = Bvh({p, q, {5, -5, 1}}, {{0, 1, 2}}).any_hit(ray);
  EXPECT_NE(above, below);
}

TEST(Bvh, rays_along_the_axes_through_edges_and_corners_of_a_cube_are_counted_once) {
  const Surface s = cube();
  const Bvh bvh(s.positions, s.triangles);
  // From the centre: through face diagonals, corners and the middles of edges, all exactly.
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) {
      for (int z = -1; z <= 1; ++z) {
        if (x == 0 && y == 0 && z == 0) continue;
        const Vec3 d{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
        EXPECT_EQ(bvh.count_hits({{0, 0, 0}, d}), 1u);
        EXPECT_EQ(bvh.count_hits({d * -3.0, d}), 2u);
        EXPECT_EQ(bvh.first_hit({{0, 0, 0}, d})->t, 1.0);
      }
    }
  }
  // Along a side and along an edge: the surface is touched, never crossed.
  EXPECT_EQ(bvh.count_hits({{-3, 1, 0.5}, {1, 0, 0}}) % 2, 0u);
  EXPECT_EQ(bvh.count_hits({{-3, 1, 1}, {1, 0, 0}}) % 2, 0u);
}

TEST(Bvh, hits_outside_the_range_do_not_count) {
  const Bvh bvh({{-1, -1, 2}, {1, -1, 2}, {0, 1, 2}}, {{0, 1, 2}});
  const Ray ray{{0, 0, 0}, {0, 0, 0.5}};
  ASSERT_TRUE(bvh.first_hit(ray));
  EXPECT_EQ(bvh.first_hit(ray)->t, 4);
  EXPECT_TRUE(bvh.any_hit(ray, 4, 4));
  EXPECT_FALSE(bvh.any_hit(ray, 0, 3.999));
  EXPECT_FALSE(bvh.any_hit(ray, 4.001));
  EXPECT_FALSE(bvh.any_hit({{0, 0, 0}, {0, 0, -1}}));
  EXPECT_TRUE(bvh.any_hit({{0, 0, 0}, {0, 0, -1}}, -3));
  EXPECT_TRUE(bvh.any_hit({{0, 0, 0}, {0, 0, -1}}, -std::numeric_limits<double>::infinity()));
}

TEST(Bvh, rays_within_a_box_hit_the_same_from_the_node_around_it) {
  const Surface s = unit_sphere(64, 64);
  const Bvh bvh(s.positions, s.triangles);
  std::size_t hits = 0, lower = 0;
  for (std::size_t v = 0; v < s.positions.size(); v += 7) {
    const Vec3 p = s.positions[v], half{0.03, 0.03, 0.03};
    const Index below = bvh.node_around({p - half, p + half});
    if (below != 0) ++lower;
    const Ray ray{p * 1.02, p * -0.04};
    const auto all = bvh.first_hit(ray, 0, 1), some = bvh.first_hit(ray, 0, 1, below);
    ASSERT_EQ(all.has_value(), some.has_value());
    if (!all) continue;
    ++hits;
    EXPECT_EQ(all->t, some->t);
    EXPECT_EQ(all->triangle, some->triangle);
  }
  EXPECT_GT(hits, 400u);
  EXPECT_GT(lower, hits / 2);
}

TEST(Bvh, single_triangle_is_hit_on_its_edges_and_corners) {
  const std::vector<Vec3> p = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const Bvh bvh(p, {{0, 1, 2}});
  for (const Vec3& at : {p[0], p[1], p[2], Vec3{0.5, 0, 0}, Vec3{0.5, 0.5, 0}, Vec3{0, 0.25, 0}}) {
    EXPECT_TRUE(bvh.any_hit({at + Vec3{0, 0, 1}, {0, 0, -1}}));
    EXPECT_TRUE(bvh.any_hit({at - Vec3{0, 0, 1}, {0, 0, 1}}));
  }
  EXPECT_FALSE(bvh.any_hit({{0.6, 0.6, 1}, {0, 0, -1}}));
}

TEST(Bvh, distance_limit_is_kept) {
  const Surface s = unit_sphere(10, 16);
  const Bvh bvh(s.positions, s.triangles);
  const Vec3 p{0, 0, 3};
  EXPECT_TRUE(bvh.closest(p, 2));
  EXPECT_FALSE(bvh.closest(p, 1.999));
  EXPECT_FALSE(bvh.closest(p, -1));
  EXPECT_EQ(bvh.closest(s.positions[0], 0)->distance, 0);
}

TEST(Bvh, mesh_without_triangles_has_no_answers) {
  for (const Bvh& bvh : {Bvh(), Bvh({}, {}), Bvh({{1, 2, 3}}, {})}) {
    EXPECT_TRUE(bvh.empty());
    EXPECT_FALSE(bvh.closest({0, 0, 0}));
    EXPECT_FALSE(bvh.first_hit({{0, 0, 0}, {1, 0, 0}}));
    EXPECT_EQ(bvh.count_hits({{0, 0, 0}, {1, 0, 0}}), 0u);
  }
}

TEST(Bvh, triangles_without_area_are_near_but_not_hit) {
  // A point and a segment on the x axis.
  const Bvh bvh({{0, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}}, {{0, 0, 0}, {1, 2, 3}});
  EXPECT_EQ(bvh.closest({-1, 0, 0})->triangle, 0u);
  EXPECT_EQ(bvh.closest({-1, 0, 0})->distance, 1);
  EXPECT_EQ(bvh.closest({2.5, 2, 0})->triangle, 1u);
  EXPECT_EQ(bvh.closest({2.5, 2, 0})->position, (Vec3{2.5, 0, 0}));
  EXPECT_FALSE(bvh.any_hit({{2.5, 0, 1}, {0, 0, -1}}));
  EXPECT_FALSE(bvh.any_hit({{-1, 0, 0}, {1, 0, 0}}));
}

TEST(Bvh, hopeless_shapes_still_give_shallow_trees) {
  // All the same; all on a line; each a thousandth of the one before.
  std::vector<Vec3> same = {{1, 2, 3}, {2, 2, 3}, {1, 3, 3}};
  check_tree(Bvh(same, std::vector<Triangle>(5000, Triangle{0, 1, 2})));
  std::vector<Vec3> line;
  std::vector<Triangle> pieces;
  for (Index i = 0; i < 5000; ++i) {
    line.push_back({static_cast<double>(i) * i, 0, 0});
    pieces.push_back({i, i, i});
  }
  check_tree(Bvh(line, pieces));
  std::vector<Vec3> shrinking;
  std::vector<Triangle> shells;
  double size = 1e90;
  for (Index i = 0; i < 900; i += 3, size *= 0.2) {
    shrinking.insert(shrinking.end(), {{size, 0, 0}, {0, size, 0}, {0, 0, size}});
    shells.push_back({i, i + 1, i + 2});
  }
  check_tree(Bvh(shrinking, shells));
  const Surface soup = triangle_soup(3000, 23);
  check_tree(Bvh(soup.positions, soup.triangles));
}

TEST(Bvh, useless_questions_have_no_answer) {
  const Surface s = cube();
  const Bvh bvh(s.positions, s.triangles);
  const double nan = std::nan("");
  EXPECT_FALSE(bvh.closest({nan, 0, 0}));
  EXPECT_FALSE(bvh.closest({0, 0, 0}, nan));
  EXPECT_FALSE(bvh.first_hit({{0, 0, 0}, {0, 0, 0}}));
  EXPECT_FALSE(bvh.first_hit({{nan, 0, 0}, {1, 0, 0}}));
  EXPECT_FALSE(bvh.first_hit({{0, 0, 0}, {1, nan, 0}}));
  EXPECT_FALSE(bvh.any_hit({{0, 0, 0}, {1, 0, 0}}, 2, 0));
}

TEST(Bvh, unsound_meshes_are_refused) {
  EXPECT_EQ(bad_input([&] {
              Bvh({{0, 0, 0}}, {{0, 0, 1}});
            }),
            "triangle 0: refers to vertex 1, but there are only 1 vertices");
  EXPECT_EQ(bad_input([&] {
              Bvh({{0, 0, std::nan("")}}, {{0, 0, 0}});
            }),
            "vertex 0: has a coordinate that is not a finite number; remove or repair the vertex");
}

TEST(Bvh, a_million_triangles_are_found_from_many_threads) {
  const Surface s = unit_sphere(708, 708);
  ASSERT_GT(s.triangles.size(), 1000000u);
  const Bvh bvh(s.positions, s.triangles);
  std::vector<double> distances(2000);
  parallel_for(distances.size(), 50, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Random random(i);
      random.number();
      distances[i] = std::fabs(bvh.closest(normalized(random.vector()) * 1.5)->distance - 0.5);
    }
  });
  for (const double error : distances) EXPECT_LT(error, 2e-5);
}

}  // namespace
}  // namespace sinew
