// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/progress.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

struct Log {
  std::vector<double> fractions;
  std::string stage;
  Progress progress{[this](std::string_view what, double fraction) {
    stage = what;
    fractions.push_back(fraction);
    return true;
  }};
};

TEST(Progress, default_one_reports_to_nobody) { Progress().report("anything", 0.5); }

TEST(Progress, parts_fill_their_range_of_the_whole) {
  Log log;
  log.progress.report("solving", 0.25);
  EXPECT_EQ(log.stage, "solving");
  const Progress second_half = log.progress.part(0.5, 1);
  second_half.report("a", 0);
  second_half.report("a", 0.5);
  second_half.part(0.5, 1).report("b", 0.5);
  second_half.report("b", 1);
  EXPECT_EQ(log.fractions, (std::vector<double>{0.25, 0.5, 0.75, 0.875, 1}));
}

TEST(Progress, fractions_stay_in_the_range) {
  Log log;
  const Progress part = log.progress.part(0.2, 0.4);
  part.report("a", -1);
  part.report("a", 7);
  EXPECT_EQ(log.fractions, (std::vector<double>{0.2, 0.4}));
}

TEST(Progress, steps_of_a_loop_never_pass_the_end) {
  Log log;
  for (int n = 1; n < 60; ++n) {
    for (int i = 0; i < n; ++i) {
      const Progress step = log.progress.part(static_cast<double>(i) / n, (i + 1.0) / n);
      step.report("a", 1);
      EXPECT_EQ(log.fractions.back(), (i + 1.0) / n);
      step.part(0.3, 1).report("a", 1);
      EXPECT_LE(log.fractions.back(), 1);
    }
  }
}

TEST(Progress, undefined_fraction_of_an_empty_loop_counts_as_none) {
  Log log;
  log.progress.part(0.5, 1).report("a", std::nan(""));
  EXPECT_EQ(log.fractions, (std::vector<double>{0.5}));
}

TEST(Progress, hook_that_says_no_cancels) {
  const Progress progress([](std::string_view, double fraction) { return fraction < 0.5; });
  progress.report("a", 0.4);
  EXPECT_EQ(refusal<Cancelled>([&] { progress.report("a", 0.6); }), "cancelled");
  EXPECT_EQ(refusal<Cancelled>([&] { progress.part(0.5, 1).report("a", 0); }), "cancelled");
}

}  // namespace
}  // namespace sinew
