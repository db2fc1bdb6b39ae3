// SPDX-License-Identifier: Apache-2.0
#include "sinew/geometry/orient.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/refusals.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

// The same corners in the same cyclic order.
bool same_way(const Triangle& a, Triangle b) {
  for (int i = 0; i < 3; ++i) {
    if (a == b) return true;
    std::rotate(b.begin(), b.begin() + 1, b.end());
  }
  return false;
}

std::size_t differing(const std::vector<Triangle>& a, const std::vector<Triangle>& b) {
  EXPECT_EQ(a.size(), b.size());
  std::size_t count = 0;
  for (std::size_t t = 0; t < a.size(); ++t) count += same_way(a[t], b[t]) ? 0 : 1;
  return count;
}

TEST(Orient, a_sound_surface_stays_as_it_is) {
  for (const Surface& s : {cube(), unit_sphere(7, 9)}) {
    const Oriented oriented = orient(s.positions, s.triangles);
    EXPECT_EQ(oriented.turned, 0u);
    EXPECT_EQ(oriented.triangles, s.triangles);
  }
}

TEST(Orient, turned_faces_face_outwards_again_whatever_size_and_place) {
  const Surface sound = unit_sphere(7, 9);
  for (const double scale : {1e-3, 1.0, 1e3}) {
    Surface s = moved(sound, scale, Vec3{1000, -500, 300} * scale);
    for (const std::size_t every : {1u, 2u, 3u, 50u}) {
      Surface broken = s;
      std::size_t turned = 0;
      for (std::size_t t = 0; t < s.triangles.size(); t += every) {
        std::swap(broken.triangles[t][0], broken.triangles[t][1]);
        ++turned;
      }
      const Oriented oriented = orient(broken.positions, broken.triangles);
      EXPECT_EQ(oriented.turned, turned);
      EXPECT_EQ(differing(oriented.triangles, sound.triangles), 0u) << scale << ", " << every;
    }
  }
}

TEST(Orient, each_part_is_turned_by_itself) {
  Surface inside_out = moved(cube(), 0.5, {0, 0, 0});
  flip(inside_out);
  Surface s = cube();
  append(s, inside_out);
  const Oriented oriented = orient(s.positions, s.triangles);
  EXPECT_EQ(oriented.turned, 12u);
  Surface expected = cube();
  append(expected, cube());
  EXPECT_EQ(differing(oriented.triangles, expected.triangles), 0u);
}

TEST(Orient, a_surface_with_a_hole_still_faces_outwards) {
  Surface s = unit_sphere(7, 9);
  s.triangles.erase(s.triangles.begin(), s.triangles.begin() + 9);
  const std::vector<Triangle> expected = s.triangles;
  flip(s);
  const Oriented oriented = orient(s.positions, s.triangles);
  EXPECT_EQ(oriented.turned, expected.size());
  EXPECT_EQ(differing(oriented.triangles, expected), 0u);
}

TEST(Orient, most_of_a_flat_sheet_stays_as_it_was) {
  Surface s;
  for (Index i = 0; i < 12; ++i) s.positions.push_back({double(i / 2), double(i % 2), 4});
  for (Index i = 0; i < 10; ++i) {
    s.triangles.push_back(i % 2 == 0 ? Triangle{i, i + 2, i + 1} : Triangle{i, i + 1, i + 2});
  }
  for (const bool up : {true, false}) {
    Surface broken = s;
    if (!up) flip(broken);
    const std::vector<Triangle> expected = broken.triangles;
    std::swap(broken.triangles[0][0], broken.triangles[0][1]);
    std::swap(broken.triangles[7][0], broken.triangles[7][1]);
    const Oriented oriented = orient(broken.positions, broken.triangles);
    EXPECT_EQ(oriented.turned, 2u);
    EXPECT_EQ(differing(oriented.triangles, expected), 0u);
  }
}

TEST(Orient, a_strip_with_one_side_is_turned_as_far_as_it_can_be) {
  Surface s;
  constexpr Index n = 12;
  for (Index i = 0; i < n; ++i) {
    const double around = 2 * pi * i / n, half = pi * i / n;
    for (const double side : {-0.3, 0.3}) {
      const double r = 1 + side * std::cos(half);
      s.positions.push_back({r * std::cos(around), r * std::sin(around), side * std::sin(half)});
    }
  }
  for (Index i = 0; i < n; ++i) {
    const bool last = i + 1 == n;
    const Index a = 2 * i, b = 2 * i + 1, c = last ? 1 : a + 2, d = last ? 0 : b + 2;
    s.triangles.push_back({a, c, b});
    s.triangles.push_back({b, c, d});
  }
  const Oriented oriented = orient(s.positions, s.triangles);
  ASSERT_EQ(oriented.triangles.size(), s.triangles.size());
  // Two triangles beside each other run along their edge the same way at one place alone.
  std::size_t clashes = 0;
  for (std::size_t t = 0; t < oriented.triangles.size(); ++t) {
    const Triangle& a = oriented.triangles[t];
    const Triangle& b = oriented.triangles[(t + 1) % oriented.triangles.size()];
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        clashes += a[i] == b[k] && a[(i + 1) % 3] == b[(k + 1) % 3] ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(clashes, 1u);
}

TEST(Orient, edges_of_three_faces_part_patches) {
  // A wall between two halves of a cube's inside joins nothing.
  Surface s = cube();
  flip(s);
  s.triangles.push_back({0, 3, 7});
  s.triangles.push_back({0, 7, 4});
  const Oriented oriented = orient(s.positions, s.triangles);
  for (std::size_t t = 0; t < 12; ++t) {
    EXPECT_TRUE(same_way(oriented.triangles[t], cube().triangles[t])) << t;
  }
}

TEST(Orient, odd_triangles_do_no_harm) {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_TRUE(orient(points, {}).triangles.empty());
  const std::vector<Triangle> odd = {{0, 0, 0}, {0, 1, 1}, {0, 1, 2}, {0, 1, 2}, {2, 1, 0}};
  EXPECT_EQ(orient(points, odd).triangles.size(), odd.size());
  EXPECT_EQ(bad_input([&] {
              orient(points, {{0, 1, 3}});
            }),
            "triangle 0: refers to vertex 3, but there are only 3 vertices");
}

}  // namespace
}  // namespace sinew
