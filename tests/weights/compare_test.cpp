// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/compare.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

TEST(Compare, counts_each_difference_once) {
  const Weights a = weights_from_dense(std::vector<double>{1, 0, 0, 0.5, 0.5, 0}, 3);
  const Weights b = weights_from_dense(std::vector<double>{0, 1, 0, 0.5, 0.25, 0.25}, 3);
  const WeightDifference d = compare(a, b, 3);
  EXPECT_DOUBLE_EQ(d.largest, 2);
  EXPECT_EQ(d.worst_vertex, 0u);
  EXPECT_DOUBLE_EQ(d.mean, 1.25);
  EXPECT_DOUBLE_EQ(d.mean_per_entry, 2.5 / 6);
  EXPECT_DOUBLE_EQ(d.mean_per_influence, 2.5 / 5);
  EXPECT_DOUBLE_EQ(d.dominant_agreement, 0.5);
}

TEST(Compare, the_order_of_influences_and_stored_zeros_do_not_matter) {
  Weights a, b;
  a.push_row(std::vector<Influence>{{0, 0.5}, {2, 0.5}});
  b.push_row(std::vector<Influence>{{2, 0.5}, {1, 0}, {0, 0.5}});
  const WeightDifference d = compare(a, b, 3);
  EXPECT_EQ(d.largest, 0);
  EXPECT_EQ(d.mean_per_influence, 0);
  EXPECT_EQ(d.dominant_agreement, 1);
}

TEST(Compare, two_uncovered_vertices_agree) {
  const Weights a = weights_from_dense(std::vector<double>{0, 0}, 2);
  EXPECT_EQ(compare(a, a, 2).dominant_agreement, 1);
  EXPECT_EQ(compare({}, {}, 2).dominant_agreement, 1);
}

TEST(Compare, weights_of_other_meshes_are_refused) {
  const Weights a = weights_from_dense(std::vector<double>{1, 0}, 2);
  EXPECT_EQ(wrong_usage([&] { compare(a, {}, 2); }),
            "weights of 1 and of 0 vertices cannot be compared");
  EXPECT_EQ(bad_input([&] { compare(a, a, 0); }),
            "vertex 0: it is tied to bone 0, but there are 0 bones");
}

}  // namespace
}  // namespace sinew
