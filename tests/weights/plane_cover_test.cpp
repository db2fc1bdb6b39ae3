// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/plane_cover.h"

#include <gtest/gtest.h>

#include "tests/support/u_shape.h"

namespace sinew {
namespace {

using detail::Interval;
using detail::PlaneCover;

std::vector<Interval> covered_along(const PlaneCover& cover, const Vec3& from, const Vec3& to,
                                    int part = PlaneCover::any_part) {
  std::vector<Interval> covered;
  cover.along(from, to, part, covered);
  return covered;
}

TEST(PlaneCover, a_line_across_a_u_leaves_it_at_the_gap) {
  const Surface u = u_shape();
  const PlaneCover cover(u.positions, u.triangles);
  const auto across = covered_along(cover, {0, 2, 0}, {1.5, 2, 0});
  ASSERT_EQ(across.size(), 2u);
  EXPECT_NEAR(across[0].low, 0, 1e-8);
  EXPECT_NEAR(across[0].high, 1 / 1.5, 1e-8);
  EXPECT_NEAR(across[1].low, 1.2 / 1.5, 1e-8);
  EXPECT_NEAR(across[1].high, 1, 1e-8);
  EXPECT_EQ(covered_along(cover, {0.1, 0.2, 0}, {1.4, 0.2, 0}).size(), 1u);
  // Along the outline itself, and by way of the corner at the bottom of the gap.
  EXPECT_EQ(covered_along(cover, {1, 0.5, 0}, {1, 3, 0}).size(), 1u);
  EXPECT_EQ(covered_along(cover, {0.9, 0.6, 0}, {1.1, 0.4, 0}).size(), 1u);
  EXPECT_TRUE(covered_along(cover, {1.1, 1, 0}, {1.1, 3, 0}).empty());
}

TEST(PlaneCover, a_point_is_covered_or_not) {
  const Surface u = u_shape();
  const PlaneCover cover(u.positions, u.triangles);
  EXPECT_EQ(covered_along(cover, {0.51, 2.02, 0}, {0.51, 2.02, 0}).size(), 1u);
  EXPECT_TRUE(covered_along(cover, {1.1, 2, 0}, {1.1, 2, 0}).empty());
}

TEST(PlaneCover, parts_on_top_of_each_other_are_told_apart) {
  Surface s = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {9, 9, 0}}, {{0, 1, 2}, {0, 1, 1}}};
  append(s, {{{0.5, 0, 0}, {2, 0, 0}, {0.5, 2, 0}}, {{0, 2, 1}}});
  const PlaneCover cover(s.positions, s.triangles);
  EXPECT_NE(cover.part_of(0), cover.part_of(4));
  EXPECT_EQ(cover.part_of(3), PlaneCover::any_part);
  const auto own = covered_along(cover, {0, 0.1, 0}, {2, 0.1, 0}, cover.part_of(0));
  ASSERT_EQ(own.size(), 1u);
  EXPECT_NEAR(own[0].high, 0.45, 1e-8);
  const auto both = covered_along(cover, {0, 0.1, 0}, {2, 0.1, 0});
  ASSERT_EQ(both.size(), 1u);
  EXPECT_NEAR(both[0].high, 0.9625, 1e-8);
}

TEST(PlaneCover, what_has_no_area_covers_nothing) {
  const PlaneCover cover({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}});
  EXPECT_TRUE(covered_along(cover, {0, 0, 0}, {2, 0, 0}).empty());
  EXPECT_TRUE(covered_along(PlaneCover({}, {}), {0, 0, 0}, {2, 0, 0}).empty());
}

}  // namespace
}  // namespace sinew
