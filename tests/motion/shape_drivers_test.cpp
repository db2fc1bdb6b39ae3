// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/shape_drivers.h"

#include <gtest/gtest.h>

#include "sinew/rig/rig.h"
#include "tests/support/input_errors.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

Curve<double> straight(double from, double first, double to, double last) {
  Curve<double> curve;
  curve.times = {from, to};
  curve.values = {first, last};
  return curve;
}

// Shapes 0 (default 0) and 1 (default 0.5), joints turned by clips, controls "breath" and "smile".
Rig driven_tube() {
  Rig rig = tube_rig();
  rig.drivers.clear();
  return rig;
}

Pose turned(const Rig& rig, int joint, double angle) {
  Pose pose = rest_pose(rig);
  pose.joints[std::size_t(joint)].rotation =
      pose.joints[std::size_t(joint)].rotation * rotation_about(Vec3{0, 0, 1}, radians(angle));
  return pose;
}

TEST(ShapeDrivers, a_weight_follows_an_angle_whatever_it_was) {
  Rig rig = driven_tube();
  rig.shape_drivers = {{0, AngleInput{2, Vec3{0, 0, 1}}, straight(0, 0, 90, 2)}};
  validate(rig);
  Pose pose = turned(rig, 2, 45);
  pose.shapes[0] = 7;
  apply_drivers(rig, pose);
  EXPECT_NEAR(pose.shapes[0], 1, 1e-12);
  EXPECT_EQ(pose.shapes[1], 0.5);
  const Pose once = pose;
  apply_drivers(rig, pose);
  EXPECT_EQ(pose, once);
}

TEST(ShapeDrivers, several_add_up_on_the_default_weight) {
  Rig rig = driven_tube();
  rig.shape_drivers = {{1, ControlInput{0}, straight(0, 0, 1, 1)},
                       {1, AngleInput{1, {}}, straight(0, 0, 180, 1)}};
  Pose pose = turned(rig, 1, -90);
  pose.controls[0] = 0.25;
  apply_drivers(rig, pose);
  EXPECT_NEAR(pose.shapes[1], 0.5 + 0.25 + 0.5, 1e-12);
}

TEST(ShapeDrivers, clips_move_what_drives_and_not_what_is_driven) {
  Rig rig = driven_tube();  // whose clip has shape weights and moves "breath"
  rig.shape_drivers = {{0, ControlInput{0}, straight(0, 0, 1, 3)}};
  const Pose pose = pose_at(rig, rig.clips[0], 1);
  EXPECT_NEAR(pose.shapes[0], 3 * 0.9, 1e-12);
  EXPECT_NEAR(pose.shapes[1], 0.25, 1e-12);
}

TEST(ShapeDrivers, angles_of_generalized_bones_are_read_after_these) {
  Rig rig = driven_tube();
  rig.drivers = {{1, RotationShare{2, 0.5}}};
  rig.shape_drivers = {{0, AngleInput{1, {}}, straight(0, 0, 100, 1)}};
  rig.pose_spaces = {{{1}, {{{Vec3{0, 0, radians(30)}}, {1}}}, {}}};
  Pose pose = turned(rig, 2, 60);
  apply_drivers(rig, pose);
  EXPECT_NEAR(pose.shapes[0], 0.3, 1e-12);
  EXPECT_NEAR(pose.shapes[1], 1, 1e-9);
}

TEST(ShapeDrivers, driven_shapes_are_those_of_drivers_and_examples) {
  Rig rig = driven_tube();
  rig.mesh.shapes.resize(4, rig.mesh.shapes[0]);
  rig.shape_drivers = {{0, ControlInput{0}, straight(0, 0, 1, 3)}};
  rig.pose_spaces = {{{1}, {{{Vec3{0, 0, 1}}, {3}}}, {}}};
  EXPECT_EQ(driven_shapes(rig.shape_drivers, rig.pose_spaces, 4),
            (std::vector<bool>{true, false, false, true}));
}

TEST(ShapeDrivers, what_does_not_fit_is_an_error_that_names_the_place) {
  const auto problem = [](const std::function<void(Rig&)>& spoil) {
    Rig rig = driven_tube();
    rig.shape_drivers = {{0, ControlInput{0}, straight(0, 0, 1, 1)}};
    rig.pose_spaces = {{{1}, {{{Vec3{0, 0, 1}}, {1}}}, {}}};
    spoil(rig);
    return bad_input([&] { validate(rig); });
  };
  EXPECT_EQ(problem([](Rig& r) { r.shape_drivers[0].shape = 2; }),
            "shape driver 0: it drives blend shape 2, but there are 2");
  EXPECT_EQ(problem([](Rig& r) { r.shape_drivers[0].input = ControlInput{2}; }),
            "shape driver 0: it reads control 2, but there are 2");
  EXPECT_EQ(problem([](Rig& r) {
              r.shape_drivers[0].input = AngleInput{5, {}};
            }),
            "shape driver 0: it reads joint 5, which does not exist");
  EXPECT_EQ(problem([](Rig& r) { r.shape_drivers[0].curve.values.pop_back(); }),
            "shape driver 0: 2 times, 1 values, 0 and 0 handles do not fit together");
  EXPECT_EQ(problem([](Rig& r) { r.pose_spaces[0].examples[0].shapes = {0}; }),
            "pose space 0: blend shape 0 is driven by something else already");
  EXPECT_EQ(problem([](Rig& r) { r.pose_spaces.push_back(r.pose_spaces[0]); }),
            "pose space 1: blend shape 1 is driven by something else already");
}

TEST(ShapeDrivers, a_pose_that_does_not_fit_is_refused) {
  Rig rig = driven_tube();
  rig.shape_drivers = {{0, ControlInput{0}, straight(0, 0, 1, 1)}};
  Pose pose = rest_pose(rig);
  pose.shapes.pop_back();
  EXPECT_EQ(wrong_usage([&] { apply_drivers(rig, pose); }),
            "the pose has 3 joints and 1 shapes, the rig has 3 and 2");
}

}  // namespace
}  // namespace sinew
