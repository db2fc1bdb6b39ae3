// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/bone_ties.h"

#include <gtest/gtest.h>

#include "tests/support/torture.h"

namespace sinew::detail {
namespace {

TEST(BoneTies, each_lies_straight_beside_its_point_of_the_bone) {
  const Surface s = limb();
  for (const double x : {0.3, 2.0, 500.0}) {
    for (const double lean : {0.0, 1.0, -3.0}) {
      if (x > 100 && lean != 0) continue;  // all of the limb lies beyond an end
      const Vec3 head{x, -0.5, 0.1}, tail{x + lean, 2.5, -0.2};
      const std::vector<BoneTie> ties = ties_beside(s.positions, s.triangles, head, tail, 0.05);
      ASSERT_GT(ties.size(), 2u) << x << ", " << lean;
      for (std::size_t i = 0; i < ties.size(); ++i) {
        EXPECT_NEAR(dot(ties[i].point - lerp(head, tail, ties[i].t), normalized(tail - head)), 0,
                    1e-9 * x + 1e-12);
        EXPECT_GE(ties[i].t, 0);
        EXPECT_LE(ties[i].t, 1);
        EXPECT_TRUE(i == 0 || ties[i - 1].t < ties[i].t);
      }
    }
  }
}

TEST(BoneTies, they_cover_what_has_surface_beside_it) {
  const Surface s = limb();
  const std::vector<BoneTie> ties =
      ties_beside(s.positions, s.triangles, {0.4, -2, 0}, {0.4, 1, 0}, 0.05);
  ASSERT_FALSE(ties.empty());
  EXPECT_NEAR(ties.front().t, 2.0 / 3, 1e-12);
  EXPECT_NEAR(ties.back().t, 1, 1e-12);
  for (const BoneTie& tie : ties) EXPECT_NEAR(tie.point.x, 0.25, 1e-9);
  // Beyond the limb's end there is none.
  EXPECT_TRUE(ties_beside(s.positions, s.triangles, {0, 3, 0}, {0, 4, 0}, 0.05).empty());
  EXPECT_EQ(nearest_tie(s.positions, s.triangles, {0, 3, 0}, {0, 4, 0}).point, (Vec3{0, 2, 0}));
}

TEST(BoneTies, nearer_bones_keep_what_is_theirs) {
  const Surface s = limb();
  const BoneLine outside{{0.6, 0, 0}, {0.6, 2, 0}}, inside{{0, 0, 0}, {0, 0.9, 0}};
  std::vector<BoneTie> ties =
      ties_beside(s.positions, s.triangles, outside.head, outside.tail, 0.05);
  ASSERT_NEAR(ties.front().t, 0, 1e-12);
  keep_own(ties, outside, {&inside, 1});
  ASSERT_FALSE(ties.empty());
  // From where the way to the inner bone's end is longer than 0.35.
  EXPECT_NEAR(2 * ties.front().t, 0.9 + std::sqrt(0.35 * 0.35 - 0.25 * 0.25), 0.01);
  EXPECT_NEAR(ties.back().t, 1, 1e-12);
}

TEST(BoneTies, stretches_outside_are_long_ones) {
  const auto inside = [](double t) { return t < 0.3 || (t > 0.4 && t < 0.6); };
  const std::vector<Beside> stretches = stretches_outside(0, 1, 2, inside);
  ASSERT_EQ(stretches.size(), 1u);
  EXPECT_NEAR(stretches[0].from, 0.6, 0.04);
  EXPECT_EQ(stretches[0].to, 1);
  EXPECT_EQ(stretches[0].farthest, 0.5);
}

}  // namespace
}  // namespace sinew::detail
