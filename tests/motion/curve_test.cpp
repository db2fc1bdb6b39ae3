// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/curve.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

Curve<double> curve(Interpolation interpolation, std::vector<double> times,
                    std::vector<double> values) {
  Curve<double> c;
  c.interpolation = interpolation;
  c.times = std::move(times);
  c.values = std::move(values);
  return c;
}

TEST(Curve, holds_its_first_and_last_value_outside) {
  const auto c = curve(Interpolation::linear, {1, 3}, {10, 30});
  EXPECT_EQ(sample(c, -5), 10);
  EXPECT_EQ(sample(c, 1), 10);
  EXPECT_EQ(sample(c, 2), 20);
  EXPECT_EQ(sample(c, 3), 30);
  EXPECT_EQ(sample(c, 99), 30);
}

TEST(Curve, without_keys_is_zero) { EXPECT_EQ(sample(Curve<double>{}, 1), 0); }

TEST(Curve, step_jumps_at_the_key) {
  const auto c = curve(Interpolation::step, {0, 1, 2}, {5, 6, 7});
  EXPECT_EQ(sample(c, 0.999), 5);
  EXPECT_EQ(sample(c, 1), 6);
}

TEST(Curve, hermite_reproduces_a_cubic_from_its_slopes) {
  const auto cubic = [](double t) { return 2 * t * t * t - t * t + 3 * t - 4; };
  const auto slope = [](double t) { return 6 * t * t - 2 * t + 3; };
  auto c = curve(Interpolation::hermite, {-1, 0.5, 2.5}, {});
  for (const double t : c.times) {
    c.values.push_back(cubic(t));
    c.in.push_back({0, slope(t)});
    c.out.push_back({0, slope(t)});
  }
  for (double t = -1; t <= 2.5; t += 0.125) EXPECT_NEAR(sample(c, t), cubic(t), 1e-12);
}

TEST(Curve, bezier_with_handles_at_thirds_is_the_hermite_curve) {
  auto hermite = curve(Interpolation::hermite, {0, 2}, {1, -3});
  hermite.in = {{0, 0}, {0, 5}};
  hermite.out = {{0, -2}, {0, 0}};
  auto bezier = curve(Interpolation::bezier, {0, 2}, {1, -3});
  bezier.in = {{0, 0}, {-2.0 / 3, -2.0 / 3 * 5}};
  bezier.out = {{2.0 / 3, 2.0 / 3 * -2}, {0, 0}};
  for (double t = 0; t <= 2; t += 0.1) EXPECT_NEAR(sample(bezier, t), sample(hermite, t), 1e-12);
}

TEST(Curve, bezier_handles_in_time_ease) {
  auto c = curve(Interpolation::bezier, {0, 1}, {0, 1});
  c.in = {{0, 0}, {-0.8, 0}};
  c.out = {{0.8, 0}, {0, 0}};
  EXPECT_NEAR(sample(c, 0.5), 0.5, 1e-12);
  EXPECT_LT(sample(c, 0.25), 0.1);
  EXPECT_GT(sample(c, 0.75), 0.9);
}

TEST(Curve, bezier_handles_that_reach_too_far_do_not_run_backwards) {
  auto c = curve(Interpolation::bezier, {0, 1}, {0, 1});
  c.in = {{0, 0}, {-7, 0}};
  c.out = {{7, 0}, {0, 0}};
  double last = 0;
  for (double t = 0; t <= 1; t += 0.01) {
    EXPECT_GE(sample(c, t), last - 1e-12);
    last = sample(c, t);
  }
}

TEST(Curve, rotations_turn_at_constant_speed_the_shorter_way) {
  Curve<Quat> c;
  c.times = {0, 1};
  c.values = {Quat{}, -rotation_about(Vec3{0, 0, 1}, 1.0)};
  EXPECT_NEAR(rotation_angle(sample(c, 0.25)), 0.25, 1e-12);
  EXPECT_NEAR(rotation_angle(sample(c, 0.5)), 0.5, 1e-12);
}

TEST(Curve, hermite_rotations_come_out_unit) {
  Curve<Quat> c;
  c.interpolation = Interpolation::hermite;
  c.times = {0, 1};
  c.values = {Quat{}, rotation_about(Vec3{0, 1, 0}, 2.0)};
  c.in = {{0, {0, 1, 0, 0}}, {0, {0, 1, 0, -1}}};
  c.out = c.in;
  const Quat q = sample(c, 0.4);
  EXPECT_NEAR(dot(q, q), 1, 1e-12);
}

TEST(Curve, shape_weights_are_sampled_together) {
  Curve<std::vector<double>> c;
  c.times = {0, 2};
  c.values = {{0, 1, -1}, {2, 1, 3}};
  EXPECT_EQ(sample(c, 1), (std::vector<double>{1, 1, 1}));
}

TEST(Curve, bezier_handles_longer_than_the_time_between_keys_end_at_the_other_key) {
  Curve<double> curve;
  curve.interpolation = Interpolation::bezier;
  curve.times = {0, 1};
  curve.values = {0, 1};
  curve.out = {{0, 0}, {0, 0}};
  curve.in = {{0, 0}, {-2, 0}};
  // Both handles in time at 0: time is u^3, and the value 3 (1 - u) u^2 + u^3.
  EXPECT_NEAR(sample(curve, 0.125), 0.5, 1e-12);
}

}  // namespace
}  // namespace sinew
