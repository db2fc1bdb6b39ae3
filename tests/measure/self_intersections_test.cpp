// SPDX-License-Identifier: Apache-2.0
// Triangles that meet, and surfaces that go through themselves.
#include "sinew/measure/self_intersections.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/geometry/bvh.h"
#include "sinew/geometry/triangle_pair.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

using Corners = std::array<Vec3, 3>;

const Corners base = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};

TEST(TrianglePair, crossing_touching_and_apart) {
  const auto meet = [](const Corners& t) {
    EXPECT_EQ(triangles_meet(base, t), triangles_meet(t, base));
    EXPECT_EQ(triangles_meet(base, t), triangles_meet({base[2], base[0], base[1]}, t));
    return triangles_meet(base, t);
  };
  EXPECT_TRUE(meet({{{1, 1, -1}, {1, 1, 1}, {2, 1, 1}}}));    // an edge goes through
  EXPECT_TRUE(meet({{{-1, 1, -1}, {9, 1, -1}, {1, 1, 9}}}));  // goes around on two sides
  EXPECT_TRUE(meet({{{1, 1, 0}, {1, 1, 1}, {2, 1, 1}}}));     // a corner on the face
  EXPECT_TRUE(meet({{{2, 0, 0}, {2, -1, 1}, {2, -1, -1}}}));  // a corner on an edge
  EXPECT_TRUE(meet({{{0, 0, 0}, {-1, 0, 1}, {-1, 0, 2}}}));   // corner on corner
  EXPECT_TRUE(meet({{{1, 1, 0}, {2, 1, 0}, {1, 1, 1}}}));     // an edge within the face
  EXPECT_FALSE(meet({{{1, 1, 1}, {2, 1, 1}, {1, 2, 3}}}));    // above
  EXPECT_FALSE(meet({{{3, 3, -1}, {3, 3, 1}, {4, 4, 0}}}));   // through the plane, beside it
  EXPECT_FALSE(meet({{{-1, 1, -1}, {-1, 1, 1}, {-2, 1, 0}}}));
}

TEST(TrianglePair, in_one_plane) {
  EXPECT_TRUE(triangles_meet(base, {{{1, 1, 0}, {1.5, 1, 0}, {1, 1.5, 0}}}));  // inside
  EXPECT_TRUE(triangles_meet(base, {{{-1, 1, 0}, {1, 1, 0}, {-1, 2, 0}}}));    // overlaps
  EXPECT_TRUE(triangles_meet(base, {{{2, 2, 0}, {4, 4, 0}, {5, 3, 0}}}));      // touches
  EXPECT_FALSE(triangles_meet(base, {{{3, 3, 0}, {4, 4, 0}, {5, 3, 0}}}));
  EXPECT_FALSE(triangles_meet(base, {{{-1, -1, 0}, {4, -1, 0}, {2, -2, 0}}}));
}

TEST(TrianglePair, rounding_does_not_part_what_touches) {
  // In the plane z = x + y, exactly: the determinants are 0, but not as computed.
  Random random(7);
  const auto in_plane = [&] {
    const double x = 4 * std::round(random.number() * 1e8),
                 y = 4 * std::round(random.number() * 1e8);
    return Vec3{x, y, x + y};
  };
  for (int i = 0; i < 500; ++i) {
    const Corners s = {in_plane(), in_plane(), in_plane()};
    const Vec3 inside = (s[0] + s[1] + s[2] * 2) * 0.25;
    const Corners above = {inside, inside + Vec3{0, 0, 3e8}, inside + Vec3{1e8, 0, 5e8}};
    EXPECT_TRUE(triangles_meet(s, above));
  }
}

TEST(TrianglePair, size_and_turning_change_nothing) {
  Random random(11);
  const Quat turn = rotation_about(normalized(Vec3{1, 2, 3}), 1.3);
  int met = 0;
  for (int i = 0; i < 2000; ++i) {
    Corners s, t, far_s, far_t;
    for (Vec3& p : s) p = random.vector();
    for (Vec3& p : t) p = random.vector();
    for (std::size_t k = 0; k < 3; ++k) {
      far_s[k] = rotate(turn, s[k]) * 1e-6 + Vec3{1e-6, 0, 0};
      far_t[k] = rotate(turn, t[k]) * 1e-6 + Vec3{1e-6, 0, 0};
    }
    const bool meet = triangles_meet(s, t);
    EXPECT_EQ(meet, triangles_meet(t, s));
    EXPECT_EQ(meet, triangles_meet(far_s, far_t));
    // Rays along the edges say the same.
    bool hit = false;
    for (const auto& [of, through] : {std::pair(s, t), std::pair(t, s)}) {
      const Bvh one({through.begin(), through.end()}, {{0, 1, 2}});
      for (std::size_t k = 0; k < 3; ++k) {
        hit = hit || one.any_hit({of[k], of[(k + 1) % 3] - of[k]}, 0, 1);
      }
    }
    EXPECT_EQ(meet, hit);
    met += meet ? 1 : 0;
  }
  EXPECT_GT(met, 500);
}

std::size_t all_pairs(const Surface& s) {
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < s.triangles.size(); ++i) {
    for (std::size_t j = i + 1; j < s.triangles.size(); ++j) {
      const Triangle &a = s.triangles[i], &b = s.triangles[j];
      if (std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end()) continue;
      const auto corners = [&](const Triangle& t) {
        return Corners{s.positions[t[0]], s.positions[t[1]], s.positions[t[2]]};
      };
      pairs += triangles_meet(corners(a), corners(b)) ? 1 : 0;
    }
  }
  return pairs;
}

TEST(SelfIntersections, a_clean_shape_has_none) {
  for (const Surface& s : {cube(), unit_sphere(20, 30), exploded(unit_sphere(7, 9))}) {
    const SelfIntersections found = self_intersections(s.triangles, s.positions, s.positions);
    EXPECT_EQ(found.pairs, 0u);
    EXPECT_TRUE(found.complete);
  }
}

TEST(SelfIntersections, rounding_makes_none_in_flat_faces) {
  // A finely divided square, turned: its triangles are no longer quite in one plane.
  std::vector<Vec3> rest;
  std::vector<Triangle> triangles;
  constexpr Index side = 40;
  for (Index i = 0; i < side * side; ++i) {
    rest.push_back({double(i % side) / 7, double(i / side) / 7, 0});
  }
  for (Index y = 0; y + 1 < side; ++y) {
    for (Index x = 0; x + 1 < side; ++x) {
      const Index a = y * side + x;
      triangles.push_back({a, a + 1, a + side});
      triangles.push_back({a + 1, a + side + 1, a + side});
    }
  }
  for (const double angle : {0.1, 0.7, 1.9}) {
    const Quat turn = rotation_about(normalized(Vec3{1, 2, 0.3}), angle);
    std::vector<Vec3> turned;
    for (const Vec3& p : rest) turned.push_back(rotate(turn, p) + Vec3{0.1, 0.2, 0.3});
    EXPECT_EQ(self_intersections(triangles, rest, turned).pairs, 0u);
  }
}

TEST(SelfIntersections, finds_every_pair_once_and_says_which_are_new) {
  const Surface soup = triangle_soup(400, 3);
  const Surface spread = [&] {
    Surface s = soup;
    for (std::size_t t = 0; t < s.triangles.size(); ++t) {
      for (const Index v : s.triangles[t]) s.positions[v] += Vec3{100.0 * double(t), 0, 0};
    }
    return s;
  }();
  const std::size_t expected = all_pairs(soup);
  ASSERT_GT(expected, 50u);
  const auto at_rest = self_intersections(soup.triangles, soup.positions, soup.positions);
  EXPECT_EQ(at_rest.pairs, expected);
  EXPECT_EQ(at_rest.created, 0u);
  EXPECT_TRUE(at_rest.triangles.empty());
  const auto created = self_intersections(soup.triangles, spread.positions, soup.positions);
  EXPECT_EQ(created.pairs, expected);
  EXPECT_EQ(created.created, expected);
  EXPECT_FALSE(created.triangles.empty());
  EXPECT_TRUE(std::is_sorted(created.triangles.begin(), created.triangles.end()));
  EXPECT_EQ(self_intersections(soup.triangles, soup.positions, spread.positions).pairs, 0u);
}

TEST(SelfIntersections, a_shape_without_size_at_rest_and_a_stray_vertex_do_not_matter) {
  Surface soup = triangle_soup(400, 3);
  const std::size_t expected = all_pairs(soup);
  std::vector<Vec3> line = soup.positions;
  for (Vec3& p : line) p = {p.x, 0, 0};
  EXPECT_EQ(self_intersections(soup.triangles, line, soup.positions).pairs, expected);
  // In one plane and far smaller, with vertices of no triangle far away.
  std::vector<Vec3> plane = soup.positions;
  for (Vec3& p : plane) p = Vec3{p.x, p.y, 0} * 1e-30;
  plane.push_back({1e30, 0, 0});
  soup.positions.push_back({0, 1e90, 0});
  EXPECT_EQ(self_intersections(soup.triangles, plane, soup.positions).pairs, expected);
}

TEST(SelfIntersections, two_spheres_pushed_into_each_other_cross_along_a_ring) {
  Surface s = unit_sphere(16, 24);
  const Surface apart = moved(unit_sphere(16, 24), 1, {3.01, 0.02, 0.03});
  Surface rest = s, pushed = s;
  append(rest, apart);
  append(pushed, moved(apart, 1, {-2, 0, 0}));
  const auto found = self_intersections(rest.triangles, rest.positions, pushed.positions);
  EXPECT_EQ(found.created, all_pairs(pushed));
  EXPECT_GT(found.created, 100u);
  EXPECT_LT(found.triangles.size(), rest.triangles.size() / 4);
}

TEST(SelfIntersections, a_flat_shape_folded_over_itself_is_seen) {
  // Four squares in a row; the last is folded back over the second.
  std::vector<Vec3> rest, folded;
  for (const double x : {0.0, 1.0, 2.0, 3.0, 4.0}) {
    for (const double y : {0.0, 1.0}) {
      rest.push_back({x, y, 0});
      folded.push_back({x > 3 ? 1.2 : x, y, 0});
    }
  }
  std::vector<Triangle> triangles;
  for (Index i = 0; i < 8; i += 2) {
    triangles.push_back({i, i + 2, i + 1});
    triangles.push_back({i + 1, i + 2, i + 3});
  }
  EXPECT_EQ(self_intersections(triangles, rest, rest).pairs, 0u);
  EXPECT_GT(self_intersections(triangles, rest, folded).created, 0u);
}

TEST(SelfIntersections, triangles_without_area_and_heaps_are_survived) {
  const std::vector<Vec3> points(300, Vec3{1, 1, 1});
  std::vector<Triangle> triangles;
  for (Index i = 0; i < 300; i += 3) triangles.push_back({i, i + 1, i + 2});
  EXPECT_EQ(self_intersections(triangles, points, points).pairs, 0u);
  EXPECT_EQ(self_intersections({}, {}, {}).pairs, 0u);

  Surface heap;
  Random random(5);
  for (Index i = 0; i < 4500; ++i) {
    heap.positions.push_back(random.vector());
    if (i % 3 == 2) heap.triangles.push_back({i - 2, i - 1, i});
  }
  const auto found = self_intersections(heap.triangles, heap.positions, heap.positions);
  EXPECT_FALSE(found.complete);
  EXPECT_GT(found.pairs, 100000u);
}

TEST(SelfIntersections, the_number_of_threads_does_not_matter) {
  const Surface soup = triangle_soup(3000, 8);
  const auto all = self_intersections(soup.triangles, soup.positions, soup.positions);
  set_thread_count(1);
  const auto one = self_intersections(soup.triangles, soup.positions, soup.positions);
  set_thread_count(0);
  EXPECT_EQ(all.pairs, one.pairs);
  EXPECT_EQ(all.triangles, one.triangles);
}

}  // namespace
}  // namespace sinew
