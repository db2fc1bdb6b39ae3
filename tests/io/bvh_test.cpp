// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/bvh.h"

#include <gtest/gtest.h>

#include "tests/support/human.h"
#include "tests/support/input_errors.h"
#include "tests/support/rigs.h"
#include "tests/support/rotations.h"

namespace sinew {
namespace {

constexpr const char* arm =
    "HIERARCHY\r\nROOT mixamorig:Hips\r\n{\r\n\tOFFSET 0 1 0\r\n"
    "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\r\n"
    "\tJOINT Left Arm {\r\n\t\tOFFSET 0 2 0\r\n\t\tCHANNELS 2 Yrotation Xrotation\r\n"
    "\t\tEnd Site\r\n\t\t{\r\n\t\t\tOFFSET 0 0 3\r\n\t\t}\r\n\t}\r\n"
    "\tJOINT Tail\r\n\t{\r\n\t\tOFFSET 1 0 0\r\n\t\tCHANNELS 1 Yposition\r\n"
    "\t\tEnd Site { OFFSET 0 0 0 }\r\n\t}\r\n}\r\n"
    "MOTION\r\nFrames: 2\r\nFrame Time: 0.5\r\n"
    "0 1 0 0 0 0 0 0 0\r\n4 5 6 90 30 10 20 40 7\r\n";

Quat about(int axis, double angle) {
  const double s = std::sin(angle / 2);
  return {axis == 0 ? s : 0, axis == 1 ? s : 0, axis == 2 ? s : 0, std::cos(angle / 2)};
}

TEST(Bvh, the_tree_and_its_names_are_read) {
  const Rig rig = read_bvh(arm);
  ASSERT_EQ(rig.skeleton.joints.size(), 3u);
  EXPECT_EQ(rig.skeleton.joints[0].name, "mixamorig:Hips");
  EXPECT_EQ(rig.skeleton.joints[1].name, "Left Arm");
  EXPECT_EQ(rig.skeleton.joints[2].parent, 0);
  EXPECT_EQ(rig.skeleton.joints[1].rest.translation, (Vec3{0, 2, 0}));
  ASSERT_EQ(rig.skeleton.bones.size(), 3u);
}

TEST(Bvh, an_end_site_is_the_tail_of_the_leaf) {
  const Rig rig = read_bvh(arm);
  EXPECT_EQ(rig.skeleton.bones[1].head, (Vec3{0, 3, 0}));
  EXPECT_EQ(rig.skeleton.bones[1].tail, (Vec3{0, 3, 3}));
  EXPECT_EQ(rig.skeleton.bones[1].tail_joint, no_joint);
  // The other has no length: its tail is inferred.
  EXPECT_EQ(rig.skeleton.bones[2].tail, (Vec3{1, 2, 0}));
}

TEST(Bvh, channels_pose_the_joints_in_their_own_order) {
  const Rig rig = read_bvh(arm);
  ASSERT_EQ(rig.clips.size(), 1u);
  EXPECT_EQ(duration(rig.clips[0]), 0.5);
  const Pose pose = pose_at(rig, rig.clips[0], 0.5);
  EXPECT_EQ(pose.joints[0].translation, (Vec3{4, 5, 6}));
  const Quat hips = about(2, pi / 2) * about(0, pi / 6) * about(1, pi / 18);
  expect_same_rotation(pose.joints[0].rotation, hips, 1e-15);
  const Quat upper = about(1, pi / 9) * about(0, pi * 2 / 9);
  expect_same_rotation(pose.joints[1].rotation, upper, 1e-15);
  EXPECT_EQ(pose.joints[1].translation, (Vec3{0, 2, 0}));
}

TEST(Bvh, every_order_of_rotations_is_read) {
  constexpr const char* names[] = {"Xrotation", "Yrotation", "Zrotation"};
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      if (a == b) continue;
      const int c = 3 - a - b;
      const Rig rig = read_bvh("HIERARCHY ROOT a\n{ OFFSET 0 0 0 CHANNELS 3 " +
                               std::string(names[a]) + " " + names[b] + " " + names[c] +
                               " End Site { OFFSET 1 0 0 } }\n"
                               "MOTION Frames: 1 Frame Time: 0.1\n90 30 10\n");
      expect_same_rotation(pose_at(rig, rig.clips[0], 0).joints[0].rotation,
                           about(a, pi / 2) * about(b, pi / 6) * about(c, pi / 18), 1e-15);
    }
  }
}

TEST(Bvh, a_missing_axis_keeps_its_offset) {
  const Rig rig = read_bvh(arm);
  EXPECT_EQ(pose_at(rig, rig.clips[0], 0.5).joints[2].translation, (Vec3{1, 7, 0}));
  EXPECT_EQ(pose_at(rig, rig.clips[0], 0.5).joints[2].rotation, Quat{});
}

TEST(Bvh, no_frames_are_a_clip_at_rest) {
  const Rig rig = read_bvh(
      "HIERARCHY ROOT a\n{ OFFSET 1 2 3 CHANNELS 1 Xposition End Site { OFFSET 1 0 0 } }\n"
      "MOTION Frames: 0 Frame Time: 0.1");
  ASSERT_EQ(rig.clips.size(), 1u);
  EXPECT_EQ(pose_at(rig, rig.clips[0], 0).joints[0].translation, (Vec3{1, 2, 3}));
}

TEST(Bvh, mistakes_are_named_with_their_line) {
  const std::string root = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n";
  EXPECT_EQ(input_error([&] { read_bvh(root + "CHANNELS 1 Wrotation\n}\n"); }),
            "line 5: 'Wrotation' should be a channel such as Xposition or Zrotation");
  const std::string one = root + "CHANNELS 1 Xrotation\n}\nMOTION\n";
  for (const auto& [text, message] : std::initializer_list<std::pair<std::string, const char*>>{
           {root, "line 5: the file ends before the closing brace of joint 0 (a)"},
           {root + "CHANNELS 2 Xrotation Xrotation\n}\nMOTION\nFrames: 0\nFrame Time: 1\n",
            "line 5: the joint has channel 'Xrotation' twice"},
           {root + "}\n", "line 6: '' should be ROOT or MOTION"},
           {one, "line 8: '' should be Frames"},
           {one + "Frames: 4000000000\nFrame Time: 1\n0\n",
            "line 8: the number of frames is 4000000000, but the file is too short for that: is it "
            "cut off?"},
           {one + "Frames: 2\nFrame Time: 0\n1 2\n", "line 9: the frame time should be above 0"},
           {one + "Frames: 2\nFrame Time: 1\n1\n",
            "line 11: the file ends where a frame's number should be"},
           {one + "Frames: 1\nFrame Time: 1\n1 2\n",
            "line 10: '2' comes after the last of 1 frames"},
           {one + "Frames: 1\nFrame Time: 1\nnan\n",
            "line 10: a frame's number should be a finite number, not 'nan'"},
           {"HIERARCHY\nMOTION\nFrames: 0\nFrame Time: 1\n", "line 2: there should be a ROOT"}}) {
    EXPECT_EQ(input_error([&, text = text] { read_bvh(text); }), message) << text;
  }
}

TEST(Bvh, a_chain_of_many_joints_is_read) {
  std::string text = "HIERARCHY ROOT a\n{ OFFSET 0 1 0\n";
  constexpr int joints = 20000;
  for (int i = 1; i < joints; ++i) text += "JOINT a\n{ OFFSET 0 1 0\n";
  for (int i = 0; i < joints; ++i) text += "} ";
  text += "\nMOTION Frames: 1 Frame Time: 1\n";
  EXPECT_EQ(read_bvh(text).skeleton.joints.size(), std::size_t{joints});
}

TEST(Bvh, what_is_written_moves_as_before) {
  Random random(5);
  HumanOptions options;
  options.random_axes = &random;
  Rig rig;
  rig.skeleton = human(options);
  random = Random(5);
  rig.clips.push_back(human_clip(options, human_walk(), 31, 1));
  const Rig again = read_bvh(write_bvh(rig));
  ASSERT_EQ(again.skeleton.joints.size(), rig.skeleton.joints.size());
  EXPECT_NEAR(duration(again.clips[0]), 1, 1e-12);
  for (const double time : {0.0, 0.3, 1.0}) {
    const auto before = forward_kinematics(rig.skeleton, pose_at(rig, rig.clips[0], time).joints);
    const auto after =
        forward_kinematics(again.skeleton, pose_at(again, again.clips[0], time).joints);
    for (std::size_t j = 0; j < before.size(); ++j) {
      const JointIndex same = find_joint(again.skeleton, rig.skeleton.joints[j].name);
      EXPECT_NEAR(distance(before[j].translation, after[same].translation), 0, 1e-9) << j;
    }
  }
}

TEST(Bvh, what_stretches_has_positions_and_frames_are_left_out) {
  Rig rig = tube_rig();
  rig.skeleton.joints.push_back({"scene", no_joint, {}, true});
  rig.skeleton.joints.back().rest.translation = {0, 0, 3};
  rig.skeleton.joints[0].parent = 3;
  rig.drivers.clear();
  rig.clips.resize(1);
  TranslationChannel stretch;
  stretch.joint = 2;
  stretch.curve.times = {0, 1};
  stretch.curve.values = {{0, 2, 0}, {0, 5, 0}};
  rig.clips[0].channels = {stretch};
  const Rig again = read_bvh(write_bvh(rig, 10));
  ASSERT_EQ(again.skeleton.joints.size(), 3u);
  EXPECT_EQ(again.skeleton.joints[0].rest.translation, (Vec3{0, 0, 3}));
  EXPECT_EQ(pose_at(again, again.clips[0], 1).joints[2].translation, (Vec3{0, 5, 0}));
  EXPECT_EQ(joint_of(again.clips[0].channels[0]), 0);
  EXPECT_EQ(again.clips[0].channels.size(), 5u);  // three rotations, and positions of two
  EXPECT_NE(wrong_usage([&] { write_bvh(Rig{}); }), "");
  EXPECT_NE(wrong_usage([&] { write_bvh(rig, 0); }), "");
  EXPECT_NE(wrong_usage([&] { write_bvh(rig, 1e9); }), "");
}

TEST(Bvh, malformed_files_are_refused_with_a_place) {
  expect_malformed_are_refused(arm, {.cuts = 2, .bytes = 490, .numbers = 68}, read_bvh);
}

}  // namespace
}  // namespace sinew
