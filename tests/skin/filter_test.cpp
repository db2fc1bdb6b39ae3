// SPDX-License-Identifier: Apache-2.0
#include "sinew/skin/filter.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/refusals.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

TEST(Filter, without_points_is_the_identity) {
  for (double x = 0; x <= 1; x += 0.1) EXPECT_EQ(evaluate({}, x), x);
}

TEST(Filter, goes_through_its_points_and_never_overshoots) {
  const FilterCurve curve{{{0, 0}, {0.3, 0.05}, {0.4, 0.9}, {0.8, 0.9}, {1, 1}}};
  validate(curve);
  for (const Vec2& p : curve.points) EXPECT_NEAR(evaluate(curve, p.x), p.y, 1e-15);
  double last = 0;
  for (double x = 0; x <= 1; x += 0.001) {
    const double y = evaluate(curve, x);
    EXPECT_GE(y, last - 1e-15);
    EXPECT_LE(y, 1);
    if (x > 0.4 && x < 0.8) {
      EXPECT_NEAR(y, 0.9, 1e-15);
    }
    last = y;
  }
}

TEST(Filter, a_straight_line_stays_straight) {
  const FilterCurve line{{{0, 0.2}, {0.5, 0.45}, {1, 0.7}}};
  for (double x = 0; x <= 1; x += 0.05) EXPECT_NEAR(evaluate(line, x), 0.2 + 0.5 * x, 1e-15);
}

TEST(Filter, holds_its_ends) {
  const FilterCurve curve{{{0.25, 0.1}, {0.75, 0.9}}};
  EXPECT_EQ(evaluate(curve, 0), 0.1);
  EXPECT_EQ(evaluate(curve, 1), 0.9);
}

TEST(Filter, a_free_curve_falls_without_overshooting) {
  const FilterCurve curve{{{0, 0}, {0.25, 0.9}, {0.5, 1}, {0.75, 0.2}, {1, 0}}, true};
  validate(curve);
  for (const Vec2& p : curve.points) EXPECT_NEAR(evaluate(curve, p.x), p.y, 1e-15);
  for (double x = 0; x <= 1; x += 0.001) {
    const double y = evaluate(curve, x), next = evaluate(curve, x + 0.001);
    EXPECT_TRUE(x + 0.001 <= 0.5 ? next >= y - 1e-15 : x < 0.5 || next <= y + 1e-15) << x;
  }
  // Mirrored, it is the mirrored curve.
  FilterCurve mirrored{{}, true};
  for (auto p = curve.points.rbegin(); p != curve.points.rend(); ++p) {
    mirrored.points.push_back({1 - p->x, p->y});
  }
  for (double x = 0; x <= 1; x += 0.01) {
    EXPECT_NEAR(evaluate(mirrored, 1 - x), evaluate(curve, x), 1e-12);
  }
  EXPECT_EQ(bad_input([&] {
              validate(FilterCurve{{{0, 0}, {0.5, 1.5}}, true});
            }),
            "filter point 1: (0.5, 1.5) must lie in [0, 1] x [0, 1], right of the point before it");
}

TEST(Filter, falling_or_unordered_points_are_errors) {
  EXPECT_EQ(bad_input([&] {
              validate(FilterCurve{{{0, 0.5}, {1, 0.4}}});
            }),
            "filter point 1: (1, 0.4) must lie in [0, 1] x [0, 1], right of the point before it "
            "and not below it");
  EXPECT_EQ(bad_input([&] {
              validate(FilterCurve{{{0.5, 0}, {0.5, 1}}});
            }),
            "filter point 1: (0.5, 1) must lie in [0, 1] x [0, 1], right of the point before it "
            "and not below it");
  EXPECT_EQ(bad_input([&] {
              validate(FilterCurve{{{0, 0}, {1.5, 1}}});
            }),
            "filter point 1: (1.5, 1) must lie in [0, 1] x [0, 1], right of the point before it "
            "and not below it");
}

TEST(Filter, an_error_in_a_rig_names_the_bone) {
  Rig rig = make_tube();
  rig.skin.filters.resize(2);
  rig.skin.filters[1].twist.points = {{0, 0.5}, {1, 0.25}};
  try {
    validate(rig);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.place(), "bone 1 ('bone1'), twist filter point 1");
  }
}

}  // namespace
}  // namespace sinew
