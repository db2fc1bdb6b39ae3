// SPDX-License-Identifier: Apache-2.0
#include "sinew/skin/weights.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(Weights, dense_there_and_back) {
  const std::vector<double> dense = {0.5, 0, 0.5, 0, 0, 0, 0, 1, 0};
  const Weights weights = weights_from_dense(dense, 3);
  EXPECT_EQ(weights.vertex_count(), 3u);
  EXPECT_EQ(weights.row(0).size(), 2u);
  EXPECT_EQ(weights.row(1).size(), 0u);
  EXPECT_EQ(to_dense(weights, 3), dense);
}

TEST(Weights, normalize_scales_rows_and_leaves_empty_ones) {
  Weights weights = weights_from_dense(std::vector<double>{1, 3, 0, 0}, 2);
  normalize(weights);
  EXPECT_EQ(to_dense(weights, 2), (std::vector<double>{0.25, 0.75, 0, 0}));
}

TEST(Weights, summary_counts_what_is_not_covered) {
  const Weights weights = weights_from_dense(std::vector<double>{0.5, 0.5, 0, 0, 0.5, 0.4}, 2);
  const WeightSummary summary = summarize(weights);
  EXPECT_EQ(summary.vertices, 3u);
  EXPECT_EQ(summary.uncovered, 1u);
  EXPECT_EQ(summary.not_normalized, 1u);
  EXPECT_EQ(summary.max_influences, 2u);
  EXPECT_DOUBLE_EQ(summary.mean_influences, 4.0 / 3);
}

}  // namespace
}  // namespace sinew
