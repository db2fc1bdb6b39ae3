// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/internal/octree.h"

#include <gtest/gtest.h>

#include "tests/support/shapes.h"

namespace sinew {
namespace {

constexpr double side = 3;
const Vec3 low{-1, 10, 100};

std::vector<SizedPoint> random_points(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<SizedPoint> points;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 p = low + (random.vector() + Vec3{1, 1, 1}) * (side / 2);
    points.push_back({p, side * std::pow(10, 1.2 * random.number() - 1.4)});
  }
  return points;
}

bool contains(const Octree& octree, const OctreeCell& cell, const Vec3& p) {
  const Vec3 corner = octree.corner(cell);
  const double s = octree.side(cell);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (p[axis] < corner[axis] || p[axis] > corner[axis] + s) return false;
  }
  return true;
}

TEST(Octree, leaves_fill_the_cube_and_are_as_small_as_points_ask_for) {
  const std::vector<SizedPoint> points = random_points(60, 3);
  const Octree octree = octree_from_points(low, side, points);
  double volume = 0;
  for (const OctreeCell& leaf : octree.leaves()) volume += std::pow(octree.side(leaf), 3);
  EXPECT_NEAR(volume, side * side * side, 1e-9);
  for (const SizedPoint& p : points) {
    const OctreeCell& leaf = octree.leaves()[octree.leaf_at(p.point)];
    EXPECT_TRUE(contains(octree, leaf, p.point));
    EXPECT_LE(octree.side(leaf), p.size);
  }
}

TEST(Octree, without_points_there_is_one_leaf) {
  const Octree octree = octree_from_points(low, side, {});
  ASSERT_EQ(octree.leaves().size(), 1u);
  EXPECT_EQ(octree.leaf_at(low), 0);
  EXPECT_EQ(octree.side(octree.leaves()[0]), side);
}

TEST(Octree, a_leaf_is_found_at_every_point_and_from_outside_the_nearest) {
  const Octree octree = octree_from_points(low, side, random_points(60, 4));
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p = low + (random.vector() + Vec3{1, 1, 1}) * (side / 2);
    EXPECT_TRUE(contains(octree, octree.leaves()[octree.leaf_at(p)], p));
  }
  for (std::size_t k = 0; k < octree.leaves().size(); ++k) {
    const OctreeCell& leaf = octree.leaves()[k];
    const double half = octree.side(leaf) / 2;
    EXPECT_EQ(octree.leaf_at(octree.corner(leaf) + Vec3{half, half, half}), int(k));
    EXPECT_EQ(octree.leaf_around(leaf), int(k));
  }
  const Vec3 middle = low + Vec3{side, side, side} / 2;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const double far : {-1e300, -50.0, 150.0, 1e300}) {
      Vec3 outside = middle, nearest = middle;
      outside[axis] = far;
      nearest[axis] = std::clamp(far, low[axis], low[axis] + side * (1 - 1e-9));
      EXPECT_EQ(octree.leaf_at(outside), octree.leaf_at(nearest)) << axis << ", " << far;
    }
  }
}

TEST(Octree, cells_outside_or_cut_further_have_no_leaf_around_them) {
  const Octree octree = octree_from_points(low, side, random_points(60, 4));
  ASSERT_GT(octree.leaves().size(), 1u);
  EXPECT_EQ(octree.leaf_around({0, {0, 0, 0}}), -1);
  EXPECT_EQ(octree.leaf_around({1, {2, 0, 0}}), -1);
  EXPECT_EQ(octree.leaf_around({1, {0, -1, 0}}), -1);
  const OctreeCell& leaf = octree.leaves()[0];
  const OctreeCell inner{leaf.level + 1,
                         {2 * leaf.place[0] + 1, 2 * leaf.place[1], 2 * leaf.place[2] + 1}};
  EXPECT_EQ(octree.leaf_around(inner), 0);
}

TEST(Octree, leaves_that_touch_differ_by_no_more_than_a_factor_of_two) {
  // Besides random points one that asks for as much as there is.
  std::vector<SizedPoint> points = random_points(20, 6);
  points.push_back({low + Vec3{1, 1, 1}, 0});
  const Octree octree = octree_from_points(low, side, points);
  int deepest = 0;
  for (const OctreeCell& leaf : octree.leaves()) {
    deepest = std::max(deepest, leaf.level);
    // Across sides, edges and corners.
    for (int n = 0; n < 27; ++n) {
      const OctreeCell beside{
          leaf.level,
          {leaf.place[0] + n % 3 - 1, leaf.place[1] + n / 3 % 3 - 1, leaf.place[2] + n / 9 - 1}};
      const int other = octree.leaf_around(beside);
      if (other < 0) continue;
      EXPECT_GE(octree.leaves()[other].level, leaf.level - 1);
    }
  }
  EXPECT_EQ(deepest, Octree::max_level);
}

}  // namespace
}  // namespace sinew
