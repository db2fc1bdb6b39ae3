// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/parallel.h"

#include <atomic>
#include <limits>
#include <mutex>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/refusals.h"

namespace sinew {
namespace {

using Blocks = std::set<std::pair<std::size_t, std::size_t>>;

class Parallel : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_thread_count(GetParam()); }
  void TearDown() override { set_thread_count(0); }

  static Blocks blocks(std::size_t count, std::size_t grain) {
    Blocks result;
    std::mutex mutex;
    parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
      const std::lock_guard lock(mutex);
      EXPECT_TRUE(result.insert({begin, end}).second);
    });
    return result;
  }
};

TEST_P(Parallel, blocks_are_the_same_for_any_number_of_threads) {
  EXPECT_EQ(blocks(10, 4), (Blocks{{0, 4}, {4, 8}, {8, 10}}));
  EXPECT_EQ(blocks(8, 4), (Blocks{{0, 4}, {4, 8}}));
  EXPECT_EQ(blocks(3, 100), (Blocks{{0, 3}}));
  EXPECT_EQ(blocks(3, std::numeric_limits<std::size_t>::max()), (Blocks{{0, 3}}));
}

TEST_P(Parallel, grain_zero_counts_as_one) {
  EXPECT_EQ(blocks(3, 0), (Blocks{{0, 1}, {1, 2}, {2, 3}}));
}

TEST_P(Parallel, nothing_to_do_calls_nothing) { EXPECT_TRUE(blocks(0, 4).empty()); }

TEST_P(Parallel, exceptions_reach_the_caller) {
  const auto run = [] {
    parallel_for(1000, 1, [](std::size_t begin, std::size_t) {
      if (begin == 500) throw std::runtime_error("block 500");
    });
  };
  EXPECT_EQ(refusal<std::runtime_error>(run), "block 500");
  EXPECT_EQ(blocks(4, 2).size(), 2u);
}

TEST_P(Parallel, loops_nest) {
  std::atomic<std::size_t> calls = 0;
  parallel_for(20, 1, [&](std::size_t, std::size_t) {
    parallel_for(20, 1, [&](std::size_t, std::size_t) { ++calls; });
  });
  EXPECT_EQ(calls, 400u);
}

TEST_P(Parallel, constant_bodies_are_called_too) {
  std::atomic<std::size_t> sum = 0;
  const auto body = [&](std::size_t begin, std::size_t end) { sum += end - begin; };
  parallel_for(1000, 7, body);
  EXPECT_EQ(sum, 1000u);
}

INSTANTIATE_TEST_SUITE_P(threads, Parallel, testing::Values(0, 1, 2, 5));

TEST(ParallelThreads, negative_counts_mean_all) {
  set_thread_count(-3);
  EXPECT_GE(thread_count(), 1);
  set_thread_count(0);
  EXPECT_GE(thread_count(), 1);
}

}  // namespace
}  // namespace sinew
