// SPDX-License-Identifier: Apache-2.0
// Poses of a rig: at rest, in a clip, with generalized bones, and as maps of its bones.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/refusals.h"
#include "tests/support/rigs.h"
#include "tests/support/rotations.h"

namespace sinew {
namespace {

TEST(RestPose, has_every_joint_shape_and_control_at_its_default) {
  Rig rig = tube_rig();
  rig.skeleton.joints[2].rest = {{1, 2, 3}, rotation_about(Vec3{0, 1, 0}, 0.5), {1, 2, 1}};
  const Pose pose = rest_pose(rig);
  ASSERT_EQ(pose.joints.size(), 3u);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(pose.joints[j], rig.skeleton.joints[j].rest);
  EXPECT_EQ(pose.shapes, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(pose.controls, (std::vector<double>{0.25, 0}));
  const Pose none = rest_pose(Rig{});
  EXPECT_TRUE(none.joints.empty() && none.shapes.empty() && none.controls.empty());
}

TEST(PoseAt, channels_replace_what_they_drive_and_leave_the_rest_at_rest) {
  const Rig rig = tube_rig();
  const Pose pose = pose_at(rig, rig.clips[0], 1);
  // Halfway through a Hermite curve with handles of (0.5, 0, 0) and (0, 1, 0) for 2 s.
  EXPECT_LT(distance(pose.joints[0].translation, {0.125, 0, 0}), 1e-15);
  EXPECT_EQ(pose.joints[0].rotation, Quat{});
  EXPECT_EQ(pose.joints[1].translation, (Vec3{0, 2, 0}));
  EXPECT_EQ(pose.shapes, (std::vector<double>{1, 0.25}));
  EXPECT_EQ(pose.controls, (std::vector<double>{0.9, 0}));
}

TEST(PoseAt, a_clip_is_held_before_its_first_key_and_after_its_last) {
  const Rig rig = tube_rig();
  EXPECT_EQ(pose_at(rig, rig.clips[0], -1), pose_at(rig, rig.clips[0], 0));
  EXPECT_EQ(pose_at(rig, rig.clips[0], 99), pose_at(rig, rig.clips[0], 2));
}

TEST(PoseAt, generalized_bones_follow_what_the_clip_does) {
  Rig rig = tube_rig();
  std::get<RotationChannel>(rig.clips[0].channels[0]).joint = 0;
  const Pose pose = pose_at(rig, rig.clips[0], 0.5);
  expect_same_rotation(pose.joints[0].rotation, rotation_about(Vec3{0, 0, 1}, 0.5), 1e-7);
  expect_same_rotation(pose.joints[1].rotation, rotation_about(Vec3{0, 0, 1}, 0.25), 1e-7);
  // The last joint's scale follows the breath, which is at 0.5: from 1 to 1.5 over 0 to 1.
  for (const double s : {pose.joints[2].scale.x, pose.joints[2].scale.y, pose.joints[2].scale.z}) {
    EXPECT_NEAR(s, 1.25, 1e-15);
  }
}

TEST(ApplyDrivers, computes_driven_joints_anew_and_touches_no_other) {
  const Rig rig = tube_rig();
  Pose pose = rest_pose(rig);
  pose.joints[0].rotation = rotation_about(Vec3{1, 0, 0}, 0.8);
  pose.joints[1].rotation = rotation_about(Vec3{0, 1, 0}, 2.0);
  pose.controls[0] = 1;
  apply_drivers(rig, pose);
  EXPECT_EQ(pose.joints[0].rotation, rotation_about(Vec3{1, 0, 0}, 0.8));
  expect_same_rotation(pose.joints[1].rotation, rotation_about(Vec3{1, 0, 0}, 0.4), 1e-15);
  EXPECT_EQ(pose.joints[1].translation, (Vec3{0, 2, 0}));
  EXPECT_LT(distance(pose.joints[2].scale, {1.5, 1.5, 1.5}), 1e-15);
  EXPECT_EQ(pose.controls, (std::vector<double>{1, 0}));
  Pose again = pose;
  apply_drivers(rig, again);
  EXPECT_EQ(again, pose);
}

TEST(ApplyDrivers, a_rig_without_any_leaves_the_pose_alone) {
  const Rig rig = tube_rig({.controls = false});
  Pose pose = rest_pose(rig);
  pose.joints[1].rotation = rotation_about(Vec3{0, 1, 0}, 2.0);
  const Pose before = pose;
  apply_drivers(rig, pose);
  EXPECT_EQ(pose, before);
}

TEST(ApplyDrivers, a_pose_of_another_rig_is_refused) {
  const Rig rig = tube_rig();
  Pose pose = rest_pose(rig);
  pose.joints.pop_back();
  EXPECT_EQ(wrong_usage([&] { apply_drivers(rig, pose); }),
            "the pose has 2 joints, the skeleton has 3");
  pose = rest_pose(rig);
  pose.controls.clear();
  EXPECT_EQ(wrong_usage([&] { apply_drivers(rig, pose); }),
            "a generalized bone reads control 0, but the pose has 0");
  pose = rest_pose(rig);
  EXPECT_EQ(wrong_usage([&] { apply(rig.skeleton, rig.drivers, {}, pose); }),
            "an order of 0 drivers for 2");
}

TEST(BoneMaps, are_the_identity_at_rest_where_that_is_how_the_rig_was_bound) {
  const Rig rig = tube_rig();
  for (const Affine& map : bone_maps(rig, rest_pose(rig))) {
    for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
      EXPECT_LT(distance(transform_point(map, p), p), 1e-15);
    }
  }
}

TEST(BoneMaps, take_the_parents_motion_along_and_count_from_the_bind_pose) {
  Rig rig = tube_rig();
  Pose pose = rest_pose(rig);
  // A quarter turn about z at the middle joint, at y = 2: up becomes left.
  pose.joints[1].rotation = rotation_about(Vec3{0, 0, 1}, pi / 2);
  const std::vector<Affine> maps = bone_maps(rig, pose);
  ASSERT_EQ(maps.size(), 3u);
  EXPECT_LT(distance(transform_point(maps[0], {1, 1, 0}), {1, 1, 0}), 1e-15);
  EXPECT_LT(distance(transform_point(maps[1], {0, 4, 0}), {-2, 2, 0}), 1e-15);
  EXPECT_LT(distance(transform_point(maps[2], {1, 6, 0}), {-4, 3, 0}), 1e-15);
  // A bind pose of its own: what was bound one to the right is one to the left of the joint.
  rig.skeleton.bones[0].inverse_bind.translation = {-1, 0, 0};
  EXPECT_LT(distance(transform_point(bone_maps(rig, pose)[0], {1, 1, 0}), {0, 1, 0}), 1e-15);
}

TEST(BoneMaps, take_one_frame_per_joint_and_bones_whose_joints_exist) {
  const Rig rig = tube_rig();
  EXPECT_EQ(wrong_usage([&] { bone_maps(rig.skeleton, std::vector<Affine>(2)); }),
            "2 frames for 3 joints");
  Rig lost = rig;
  lost.skeleton.bones[2].joint = 7;
  EXPECT_EQ(bad_input([&] { bone_maps(lost, rest_pose(lost)); }),
            "bone 2: its joint 7 does not exist");
}

TEST(FindClip, by_name_first_and_by_number_where_no_clip_has_the_name) {
  Rig rig = tube_rig();
  rig.clips.resize(3);
  rig.clips[0].name = "walk";
  rig.clips[1].name = "run";
  rig.clips[2].name = "1";
  EXPECT_EQ(&find_clip(rig, "run"), &rig.clips[1]);
  EXPECT_EQ(&find_clip(rig, "0"), &rig.clips[0]);
  EXPECT_EQ(&find_clip(rig, "1"), &rig.clips[2]);
}

TEST(FindClip, one_that_is_not_there_gets_those_that_are_with_the_nearest_first) {
  Rig rig = tube_rig();
  rig.clips.resize(2);
  rig.clips[0].name = "twist_stretch";
  rig.clips[1].name = "idle";
  const std::string there = "; the file has 0 'twist_stretch', 1 'idle'";
  EXPECT_EQ(wrong_usage([&] { find_clip(rig, "Twist-Stretch "); }),
            "there is no clip 'Twist-Stretch ' (did you mean 'twist_stretch'?)" + there);
  for (const char* number : {"2", "-1", "00"}) {
    EXPECT_EQ(wrong_usage([&] { find_clip(rig, number); }),
              "there is no clip '" + std::string(number) + "'" + there);
  }
  rig.clips.clear();
  EXPECT_EQ(wrong_usage([&] { find_clip(rig, "walk"); }),
            "there is no clip 'walk'; the file has none");
}

}  // namespace
}  // namespace sinew
