// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/reduce_keys.h"

#include <gtest/gtest.h>

#include "tests/support/refusals.h"

namespace sinew {
namespace {

Curve<Vec3> wavy(int keys) {
  Curve<Vec3> curve;
  for (int k = 0; k < keys; ++k) {
    curve.times.push_back(k / 100.0);
    curve.values.push_back({std::sin(k / 100.0), k > keys / 2 ? 1.0 : 0.0, 2.0 * k});
  }
  return curve;
}

TEST(ReduceKeys, the_keys_that_stay_imply_the_others) {
  const Curve<Vec3> curve = wavy(1000);
  for (const double tolerance : {1e-3, 1e-2}) {
    const Curve<Vec3> few = reduce_keys(curve, tolerance);
    EXPECT_LT(few.times.size(), 200u);
    EXPECT_EQ(few.times.front(), curve.times.front());
    EXPECT_EQ(few.times.back(), curve.times.back());
    for (std::size_t k = 0; k < curve.times.size(); ++k) {
      EXPECT_LE(distance(sample(few, curve.times[k]), curve.values[k]), tolerance * 1.0001) << k;
    }
  }
}

TEST(ReduceKeys, a_rotation_at_one_speed_needs_few_keys_and_keeps_its_turns) {
  Curve<Quat> curve;
  for (int k = 0; k <= 300; ++k) {
    curve.times.push_back(k / 30.0);
    curve.values.push_back(rotation_about(Vec3{0, 0, 1}, 4 * pi * k / 300));
  }
  const Curve<Quat> few = reduce_keys(curve, 1e-3);
  EXPECT_LT(few.times.size(), 12u);
  for (std::size_t k = 1; k < few.times.size(); ++k) {
    EXPECT_LT(few.times[k] - few.times[k - 1], 5.0);  // half a turn takes 2.5 s
  }
  for (std::size_t k = 0; k < curve.times.size(); ++k) {
    EXPECT_LE(rotation_angle(conjugate(sample(few, curve.times[k])) * curve.values[k]), 1.0001e-3);
  }
}

TEST(ReduceKeys, what_stands_still_has_one_key_and_no_tolerance_keeps_all) {
  Curve<Vec3> curve;
  for (int k = 0; k < 1000; ++k) {
    curve.times.push_back(k);
    curve.values.push_back({1, 2, 3});
  }
  EXPECT_EQ(reduce_keys(curve, 1e-9).times, std::vector<double>{0});
  EXPECT_EQ(reduce_keys(curve, 0), curve);
  EXPECT_EQ(reduce_keys(Curve<Vec3>{}, 1), Curve<Vec3>{});
}

TEST(ReduceKeys, other_curves_are_refused) {
  Curve<Vec3> curve = wavy(3);
  EXPECT_NE(wrong_usage([&] { reduce_keys(curve, -1); }), "");
  curve.interpolation = Interpolation::step;
  EXPECT_NE(wrong_usage([&] { reduce_keys(curve, 1); }), "");
  curve = wavy(3);
  curve.values.pop_back();
  EXPECT_EQ(wrong_usage([&] { reduce_keys(curve, 1); }),
            "only linear curves lose keys; this one has 3 times and 2 values");
}

}  // namespace
}  // namespace sinew
