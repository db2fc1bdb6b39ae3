// SPDX-License-Identifier: Apache-2.0
// Clips made ready for playing give what their curves give, one by one.
#include "sinew/motion/clip_sampler.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace sinew {
namespace {

constexpr Interpolation kinds[] = {Interpolation::step, Interpolation::linear,
                                   Interpolation::hermite, Interpolation::bezier};

// Irregular times, values of no special kind, handles where there are any.
template <class T, class Make>
Curve<T> lively_curve(Interpolation kind, double seed, const Make& make) {
  Curve<T> curve;
  curve.interpolation = kind;
  for (int k = 0; k < 5; ++k) {
    curve.times.push_back(0.3 + 0.4 * k + 0.1 * std::sin(seed + k));
    curve.values.push_back(make(seed + k));
    if (kind != Interpolation::hermite && kind != Interpolation::bezier) continue;
    curve.in.push_back({-0.1, make(seed + 7 * k)});
    curve.out.push_back({0.15, make(seed - 3 * k)});
  }
  return curve;
}

double number(double x) { return std::sin(1.7 * x); }
Vec3 vector(double x) { return {number(x), number(x + 1), number(x + 2)}; }
Quat rotation(double x) { return {number(x), number(x + 1), number(x + 2), number(x + 3) + 1.2}; }

TEST(ClipSampler, samples_every_kind_of_channel_as_its_curve_does) {
  for (const Interpolation kind : kinds) {
    const auto move = lively_curve<Vec3>(kind, 1, vector),
               grow = lively_curve<Vec3>(kind, 1, vector);
    const auto turn = lively_curve<Quat>(kind, 2, rotation);
    const EulerCurves spin{EulerOrder::zyx,
                           lively_curve<double>(kind, 3, number),
                           lively_curve<double>(kind, 4, number),
                           {}};
    const auto smile = lively_curve<std::vector<double>>(kind, 5, [](double x) {
      return std::vector{number(x), number(2 * x)};
    });
    const auto breath = lively_curve<double>(kind, 6, number);
    const ClipSampler sampler(
        {"c",
         {TranslationChannel{0, move}, RotationChannel{0, turn}, ScaleChannel{1, grow},
          RotationChannel{1, spin}, ShapeChannel{1, smile}, ControlChannel{0, breath}}});
    for (const double time :
         {-1.0, 0.3, 0.5, 0.77, 1.2, 1.9, 5.0, std::numeric_limits<double>::quiet_NaN()}) {
      Pose pose{std::vector<Transform>(2), {9, 9, 9}, {9}};
      sampler.sample(time, pose);
      EXPECT_EQ(pose.joints[0].translation, sample(move, time));
      EXPECT_EQ(pose.joints[0].rotation, sample(turn, time));
      EXPECT_EQ(pose.joints[0].scale, (Vec3{1, 1, 1}));
      EXPECT_EQ(pose.joints[1].scale, sample(grow, time));
      EXPECT_EQ(pose.joints[1].rotation,
                from_euler({sample(spin.x, time), sample(spin.y, time), 0}, EulerOrder::zyx));
      EXPECT_EQ(pose.shapes[0], 9);
      EXPECT_EQ(pose.shapes[1], sample(smile, time)[0]);
      EXPECT_EQ(pose.shapes[2], sample(smile, time)[1]);
      EXPECT_EQ(pose.controls[0], sample(breath, time));
    }
  }
}

// Rotations are sampled eight at a time, with times of their own or shared ones.
TEST(ClipSampler, many_rotations_are_each_as_its_curve_has_it) {
  Clip clip{"c", {}};
  std::vector<Curve<Quat>> curves;
  for (int j = 0; j < 19; ++j) {
    curves.push_back(lively_curve<Quat>(Interpolation::linear, j < 10 ? 2 : 2 + 0.3 * j, rotation));
    if (j == 7) std::fill(curves[j].values.begin(), curves[j].values.end(), rotation(1));
    clip.channels.emplace_back(RotationChannel{j, curves.back()});
  }
  const ClipSampler sampler(clip);
  Pose pose{std::vector<Transform>(19), {}, {}};
  for (const double time : {-1.0, 0.3, 0.5, 0.77, 1.2, curves[3].times[2], 1.9, 5.0}) {
    sampler.sample(time, pose);
    for (int j = 0; j < 19; ++j) {
      EXPECT_EQ(pose.joints[j].rotation, sample(curves[j], time)) << j << " at " << time;
    }
  }
}

TEST(ClipSampler, rotations_turn_evenly_from_key_to_key) {
  const Vec3 axis = normalized(Vec3{1, 2, -3});
  for (const double angle : {1e-7, 1e-3, 0.5, 2.0, 3.1}) {
    Curve<Quat> curve;
    curve.times = {0, 1};
    curve.values = {rotation_about(axis, 0.2), rotation_about(axis, 0.2 + angle)};
    for (int i = 0; i <= 16; ++i) {
      const Quat there = sample(curve, i / 16.0);
      const Quat expected = rotation_about(axis, 0.2 + angle * i / 16.0);
      EXPECT_LT(length(there.vector() - expected.vector()), 4e-15) << angle << " at " << i;
      EXPECT_NEAR(there.w, expected.w, 4e-15);
    }
  }
}

TEST(ClipSampler, of_channels_that_drive_the_same_thing_the_last_counts) {
  const auto early = lively_curve<Quat>(Interpolation::linear, 1, rotation),
             late = lively_curve<Quat>(Interpolation::step, 2, rotation);
  Pose pose{std::vector<Transform>(1), {}, {}};
  ClipSampler({"c", {RotationChannel{0, early}, RotationChannel{0, late}}}).sample(0.9, pose);
  EXPECT_EQ(pose.joints[0].rotation, sample(late, 0.9));
  ClipSampler({"c", {RotationChannel{0, late}, RotationChannel{0, EulerCurves{}}}})
      .sample(0.9, pose);
  EXPECT_EQ(pose.joints[0].rotation, from_euler({}, EulerOrder::xyz));
}

}  // namespace
}  // namespace sinew
