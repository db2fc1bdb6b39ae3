// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/rows.h"

#include <array>

#include <gtest/gtest.h>

#include "sinew/core/internal/disjoint_sets.h"

namespace sinew {
namespace {

std::vector<int> listed(std::span<const int> row) { return {row.begin(), row.end()}; }

TEST(Rows, are_pushed_whole_or_item_by_item_and_may_be_empty) {
  Rows<int> rows;
  EXPECT_EQ(rows.size(), 0u);
  rows.push(std::array{3, 1});
  rows.push({});
  rows.items.push_back(7);
  rows.end_row();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(listed(rows[0]), (std::vector{3, 1}));
  EXPECT_TRUE(rows[1].empty());
  EXPECT_EQ(listed(rows[2]), (std::vector{7}));
  rows[2][0] = 8;
  EXPECT_EQ(rows.items.back(), 8);
}

TEST(Rows, by_key_keep_the_order_of_things_within_a_row) {
  const std::array<std::pair<std::size_t, int>, 5> things{
      {{2, 50}, {0, 40}, {2, 30}, {2, 20}, {0, 10}}};
  const Rows<int> rows = rows_by_key<int>(4, [&](const auto& add) {
    for (const auto& [key, thing] : things) add(key, thing);
  });
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(listed(rows[0]), (std::vector{40, 10}));
  EXPECT_TRUE(rows[1].empty());
  EXPECT_EQ(listed(rows[2]), (std::vector{50, 30, 20}));
  EXPECT_TRUE(rows[3].empty());
}

TEST(DisjointSets, are_named_by_their_lowest_member) {
  DisjointSets sets(7);
  EXPECT_TRUE(sets.join(6, 4));
  EXPECT_TRUE(sets.join(5, 2));
  EXPECT_TRUE(sets.join(4, 5));
  EXPECT_FALSE(sets.join(2, 6));
  for (const std::size_t i : {2u, 4u, 5u, 6u}) EXPECT_EQ(sets.find(i), 2u) << i;
  for (const std::size_t i : {0u, 1u, 3u}) EXPECT_EQ(sets.find(i), i);
  EXPECT_EQ(sets.size(), 7u);
}

}  // namespace
}  // namespace sinew
