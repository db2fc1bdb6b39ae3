// SPDX-License-Identifier: Apache-2.0
#include "sinew/geometry/components.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/refusals.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

TEST(Components, numbered_by_their_lowest_vertex) {
  const Components c = connected_components(7, {{6, 4, 5}, {1, 3, 0}});
  EXPECT_EQ(c.count, 3);
  EXPECT_EQ(c.isolated, 1);
  EXPECT_EQ(c.of_vertex, (std::vector<int>{0, 0, 1, 0, 2, 2, 2}));
  EXPECT_EQ(c.of_triangle, (std::vector<int>{2, 0}));
}

TEST(Components, triangles_that_share_one_vertex_belong_together) {
  EXPECT_EQ(connected_components(5, {{0, 1, 2}, {2, 3, 4}}).count, 1);
}

TEST(Components, spheres_apart_are_apart_whatever_the_order_of_triangles) {
  Surface s = unit_sphere(10, 12);
  append(s, moved(unit_sphere(5, 8), 1, {3, 0, 0}));
  append(s, cube());
  std::reverse(s.triangles.begin(), s.triangles.end());
  const Components c = connected_components(s.positions.size(), s.triangles);
  EXPECT_EQ(c.count, 3);
  EXPECT_EQ(c.isolated, 0);
  EXPECT_EQ(c.of_triangle.front(), 2);
  EXPECT_EQ(c.of_triangle.back(), 0);
}

TEST(Components, long_strips_take_no_longer_than_wide_ones) {
  std::vector<Triangle> strip;
  const Index n = 300000;
  for (Index i = n; i-- > 2;) strip.push_back({i, i - 1, i - 2});
  EXPECT_EQ(connected_components(n, strip).count, 1);
  std::reverse(strip.begin(), strip.end());
  EXPECT_EQ(connected_components(n, strip).count, 1);
}

TEST(Components, nothing_has_none_and_triangles_with_one_corner_count_as_used) {
  EXPECT_EQ(connected_components(0, {}).count, 0);
  EXPECT_EQ(connected_components(2, {{1, 1, 1}}).isolated, 1);
}

TEST(Components, index_out_of_range_is_refused) {
  EXPECT_EQ(bad_input([&] {
              connected_components(2, {{0, 1, 2}});
            }),
            "triangle 0: refers to vertex 2, but there are only 2 vertices");
}

}  // namespace
}  // namespace sinew
