// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/generalized.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

// 0 thigh, 1 shin, 2 kneecap, 3 upper arm, 4 biceps, 5 chest
Skeleton body() {
  Skeleton skeleton;
  for (const char* name : {"thigh", "shin", "kneecap", "upper_arm", "biceps", "chest"}) {
    skeleton.joints.push_back({name, no_joint, {}, false});
  }
  skeleton.joints[1].rest.rotation = rotation_about(Vec3{1, 0, 0}, 0.2);
  skeleton.joints[4].rest.scale = {1, 2, 1};
  return skeleton;
}

Pose at_rest(const Skeleton& skeleton) {
  Pose pose;
  for (const Joint& joint : skeleton.joints) pose.joints.push_back(joint.rest);
  pose.controls = {0};
  return pose;
}

void evaluate(const Skeleton& skeleton, const std::vector<Driver>& drivers, Pose& pose) {
  apply(skeleton, drivers, driver_order(skeleton, 1, drivers), pose);
}

Curve<double> line(double x0, double y0, double x1, double y1) {
  Curve<double> c;
  c.times = {x0, x1};
  c.values = {y0, y1};
  return c;
}

TEST(GeneralizedBones, a_kneecap_turns_by_half_the_knee) {
  const Skeleton skeleton = body();
  // A quaternion and its negative are the same rotation.
  for (const double sign : {1.0, -1.0}) {
    Pose pose = at_rest(skeleton);
    pose.joints[1].rotation =
        skeleton.joints[1].rest.rotation * rotation_about(Vec3{1, 0, 0}, 1.4) * sign;
    evaluate(skeleton, {{2, RotationShare{1, 0.5}}}, pose);
    EXPECT_NEAR(twist_angle(pose.joints[2].rotation, Vec3{1, 0, 0}), 0.7, 1e-12) << sign;
  }
}

TEST(GeneralizedBones, at_rest_nothing_moves) {
  const Skeleton skeleton = body();
  Pose pose = at_rest(skeleton);
  evaluate(skeleton,
           {{2, RotationShare{1, 0.5}},
            {4, Follow{Follow::Property::scale, {1, 0, 1}, AngleInput{3, {}}, line(0, 1, 90, 2)}}},
           pose);
  EXPECT_EQ(pose, at_rest(skeleton));
}

TEST(GeneralizedBones, a_biceps_swells_with_the_angle_and_keeps_its_rest_scale) {
  const Skeleton skeleton = body();
  Pose pose = at_rest(skeleton);
  pose.joints[3].rotation = rotation_about(Vec3{0, 0, 1}, radians(45));
  evaluate(skeleton,
           {{4, Follow{Follow::Property::scale, {1, 1, 0}, AngleInput{3, {}}, line(0, 1, 90, 2)}}},
           pose);
  EXPECT_LT(distance(pose.joints[4].scale, Vec3{1.5, 3, 1}), 1e-12);
}

TEST(GeneralizedBones, an_angle_about_an_axis_has_a_sign) {
  const Skeleton skeleton = body();
  Pose pose = at_rest(skeleton);
  pose.joints[3].rotation = rotation_about(Vec3{0, 0, 1}, radians(-30));
  evaluate(skeleton,
           {{5, Follow{Follow::Property::translation,
                       {0, 1, 0},
                       AngleInput{3, Vec3{0, 0, 1}},
                       line(-90, -9, 90, 9)}}},
           pose);
  EXPECT_NEAR(pose.joints[5].translation.y, -3, 1e-12);
}

TEST(GeneralizedBones, a_control_drives_breathing) {
  const Skeleton skeleton = body();
  Pose pose = at_rest(skeleton);
  pose.controls = {0.5};
  evaluate(skeleton,
           {{5, Follow{Follow::Property::scale, {1, 1, 1}, ControlInput{0}, line(0, 1, 1, 1.2)}},
            {5, Follow{Follow::Property::rotation, {1, 0, 0}, ControlInput{0}, line(0, 0, 1, 20)}}},
           pose);
  EXPECT_LT(distance(pose.joints[5].scale, Vec3{1.1, 1.1, 1.1}), 1e-12);
  EXPECT_NEAR(twist_angle(pose.joints[5].rotation, Vec3{1, 0, 0}), radians(10), 1e-12);
}

TEST(GeneralizedBones, what_a_driver_reads_is_computed_before_it) {
  const Skeleton skeleton = body();
  Pose pose = at_rest(skeleton);
  pose.joints[0].rotation = rotation_about(Vec3{0, 1, 0}, 1.6);
  // Listed in the wrong order: 3 reads 2, which reads 0.
  evaluate(skeleton, {{3, RotationShare{2, 0.5}}, {2, RotationShare{0, 0.5}}}, pose);
  EXPECT_NEAR(rotation_angle(pose.joints[3].rotation), 0.4, 1e-12);
}

TEST(GeneralizedBones, evaluating_twice_changes_nothing) {
  const Skeleton skeleton = body();
  Pose pose = at_rest(skeleton);
  pose.controls = {1};
  const std::vector<Driver> drivers = {
      {5, Follow{Follow::Property::translation, {1, 0, 0}, ControlInput{0}, line(0, 0, 1, 2)}}};
  evaluate(skeleton, drivers, pose);
  const Pose once = pose;
  evaluate(skeleton, drivers, pose);
  EXPECT_EQ(pose, once);
  EXPECT_EQ(pose.joints[5].translation.x, 2);
}

TEST(GeneralizedBones, a_cycle_is_an_error_that_names_the_joints) {
  const Skeleton skeleton = body();
  try {
    driver_order(skeleton, 0,
                 {{2, RotationShare{3, 1}}, {3, RotationShare{4, 1}}, {4, RotationShare{2, 1}}});
    FAIL() << "no error";
  } catch (const InputError& error) {
    const std::string message = error.what();
    for (const char* name : {"kneecap", "upper_arm", "biceps"}) {
      EXPECT_NE(message.find(name), std::string::npos) << message;
    }
    EXPECT_EQ(message.find("thigh"), std::string::npos) << message;
  }
  EXPECT_EQ(
      bad_input([&] {
        driver_order(skeleton, 0, {{2, RotationShare{2, 1}}});
      }),
      "drivers: generalized bones depend on each other in a cycle: joint 2 (kneecap) -> joint "
      "2 (kneecap); remove one of them");
}

TEST(GeneralizedBones, broken_curves_and_axes_are_errors) {
  const Skeleton skeleton = body();
  Follow follow{Follow::Property::scale, {1, 1, 1}, ControlInput{0}, line(0, 1, 1, 2)};
  EXPECT_NO_THROW(driver_order(skeleton, 1, {{2, follow}}));
  Follow short_curve = follow;
  short_curve.curve.values.pop_back();
  EXPECT_EQ(bad_input([&] {
              driver_order(skeleton, 1, {{2, short_curve}});
            }),
            "driver 0: 2 times, 1 values, 0 and 0 handles do not fit together");
  Follow no_axis = follow;
  no_axis.axis = {0, 0, 0};
  EXPECT_EQ(bad_input([&] {
              driver_order(skeleton, 1, {{2, no_axis}});
            }),
            "driver 0: its axis must have a length");
  EXPECT_EQ(bad_input([&] {
              driver_order(skeleton, 1, {{2, RotationShare{0, std::nan("")}}});
            }),
            "driver 0: its share must be a number");
}

TEST(GeneralizedBones, missing_joints_and_controls_are_errors) {
  const Skeleton skeleton = body();
  EXPECT_EQ(bad_input([&] {
              driver_order(skeleton, 0, {{9, RotationShare{0, 1}}});
            }),
            "driver 0: it drives joint 9, which does not exist");
  EXPECT_EQ(bad_input([&] {
              driver_order(skeleton, 0, {{2, RotationShare{-1, 1}}});
            }),
            "driver 0: it reads joint -1, which does not exist");
  EXPECT_EQ(
      bad_input([&] {
        driver_order(
            skeleton, 1,
            {{2, Follow{Follow::Property::scale, {1, 1, 1}, ControlInput{1}, line(0, 1, 1, 1)}}});
      }),
      "driver 0: it reads control 1, but there are 1");
}

}  // namespace
}  // namespace sinew
