// SPDX-License-Identifier: Apache-2.0
#include "sinew/mesh/smooth_groups.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(SmoothGroups, join_vertices_at_one_place_that_share_a_normal) {
  const std::vector<Vec3> positions{{0, 0, 0}, {1, 0, 0}, {-0.0, 0, 0}, {0, 0, 0}, {1, 0, 0}};
  const Vec3 up{0, 1, 0}, side{1, 0, 0}, nearly_up{std::sin(0.03), std::cos(0.03), 0};
  EXPECT_EQ(smooth_groups(positions, {up, up, side, nearly_up, side}),
            (std::vector<Index>{0, 1, 2, 0, 4}));
  EXPECT_EQ(smooth_groups(positions, {up, up, side, side, up}),
            (std::vector<Index>{0, 1, 2, 2, 1}));
}

TEST(SmoothGroups, go_by_the_place_alone_without_normals) {
  EXPECT_EQ(smooth_groups({{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {}), (std::vector<Index>{0, 1, 0}));
  EXPECT_TRUE(smooth_groups({}, {}).empty());
}

TEST(SmoothGroups, know_sixteen_normals_at_a_place) {
  std::vector<Vec3> normals;
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = 0; i < 20; ++i) normals.push_back({std::cos(0.2 * i), std::sin(0.2 * i), 0});
  }
  const auto groups = smooth_groups(std::vector<Vec3>(normals.size()), normals);
  for (Index i = 0; i < 40; ++i) EXPECT_EQ(groups[i], i < 36 ? i % 20 : i) << i;
}

}  // namespace
}  // namespace sinew
