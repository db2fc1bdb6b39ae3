// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/prune.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/weights/compare.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

Skin sample() {
  Skin skin;
  skin.weights = weights_from_dense(
      std::vector<double>{0.1, 0.5, 0.2, 0.2, 0.0, 1.0, 0.0, 0.0, 0.25, 0.25, 0.25, 0.25}, 4);
  for (std::size_t i = 0; i < skin.weights.influences.size(); ++i) {
    skin.endpoints.push_back(double(i) / 16);
    skin.twist_endpoints.push_back(1 - double(i) / 16);
  }
  return skin;
}

TEST(Prune, keeps_the_largest_and_of_equal_ones_the_lower_bones) {
  const Pruned pruned = prune(sample(), 2);
  const std::vector<double> dense = to_dense(pruned.skin.weights, 4);
  const std::vector<double> expected = {0, 0.5 / 0.7, 0.2 / 0.7, 0, 0, 1, 0, 0, 0.5, 0.5, 0, 0};
  for (std::size_t i = 0; i < dense.size(); ++i) EXPECT_NEAR(dense[i], expected[i], 1e-15) << i;
}

TEST(Prune, endpoint_weights_stay_with_their_influences) {
  const Skin skin = sample();
  const Pruned pruned = prune(skin, 2);
  EXPECT_EQ(pruned.skin.endpoints,
            (std::vector<double>{1 / 16.0, 2 / 16.0, 4 / 16.0, 5 / 16.0, 6 / 16.0}));
  ASSERT_EQ(pruned.skin.twist_endpoints.size(), pruned.skin.endpoints.size());
  EXPECT_EQ(pruned.skin.twist_endpoints[2], 1 - 4 / 16.0);
}

TEST(Prune, reports_the_change_that_comparing_finds) {
  const Skin skin = sample();
  const Pruned pruned = prune(skin, 2);
  const WeightDifference difference = compare(skin.weights, pruned.skin.weights, 4);
  EXPECT_EQ(pruned.error.changed, 2u);
  EXPECT_EQ(pruned.error.worst_vertex, 2u);
  EXPECT_NEAR(pruned.error.largest, difference.largest, 1e-14);
  EXPECT_NEAR(pruned.error.mean, difference.mean, 1e-14);
  EXPECT_NEAR(pruned.error.largest, 1.0, 1e-14);
}

TEST(Prune, locked_bones_stay_with_their_weights_and_count) {
  Skin skin;
  skin.weights.push_row(std::vector<Influence>{{0, 0.4}, {1, 0.3}, {2, 0.2}, {3, 0.1}});
  Locks locks;
  locks.set(3);
  const Pruned two = prune(skin, 2, locks);
  ASSERT_EQ(two.skin.weights.influences.size(), 2u);
  EXPECT_NEAR(two.skin.weights.influences[0].weight, 0.9, 1e-15);
  EXPECT_EQ(two.skin.weights.influences[1], (Influence{3, 0.1}));
  EXPECT_NEAR(two.error.largest, compare(skin.weights, two.skin.weights, 4).largest, 1e-14);
  // No room is left beside the locked ones, but they do not sum to 1.
  locks.set(2);
  const Pruned three = prune(skin, 2, locks);
  ASSERT_EQ(three.skin.weights.influences.size(), 3u);
  EXPECT_NEAR(three.skin.weights.influences[0].weight, 0.7, 1e-15);
  EXPECT_EQ(three.skin.weights.influences[1], (Influence{2, 0.2}));
}

TEST(Prune, removes_zeros_and_changes_nothing_where_there_is_room) {
  Skin skin;
  skin.weights.push_row(std::vector<Influence>{{3, 0.0}, {1, 0.25}, {0, 0.75}});
  skin.weights.push_row(std::vector<Influence>{{3, 0.0}});
  const Pruned pruned = prune(skin, 4);
  EXPECT_EQ(pruned.skin.weights.influences, (std::vector<Influence>{{1, 0.25}, {0, 0.75}}));
  EXPECT_TRUE(pruned.skin.weights.row(1).empty());
  EXPECT_EQ(pruned.error.changed, 0u);
  EXPECT_EQ(pruned.error.largest, 0);
  EXPECT_EQ(wrong_usage([&] { prune(skin, 0); }), "a vertex keeps at least 1 influence");
}

}  // namespace
}  // namespace sinew
