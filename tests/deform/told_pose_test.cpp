// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/told_pose.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/io/gltf.h"
#include "sinew/samples/samples.h"
#include "tests/support/assets.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

const Rig& told_mannequin() {
  static const Rig rig = make_sample("mannequin", 500);
  return rig;
}

ToldPose told_rest(const Rig& rig) { return {rest_pose(rig), {}, {}}; }

Vec3 place_of(const Rig& rig, const Pose& pose, JointIndex joint) {
  return forward_kinematics(rig.skeleton, pose.joints)[joint].translation;
}

double bone_length(const BoneState& bone) { return distance(bone.posed_head, bone.posed_tail); }

TEST(ToldPose, a_twist_turns_about_the_bone_and_leaves_what_lies_on_its_axis) {
  const Rig& rig = told_mannequin();
  const JointIndex hand = find_joint(rig.skeleton, "hand.L");
  ToldPose pose = told_rest(rig);
  PoseTeller(rig.skeleton).turn(pose, hand, {}, radians(170));
  const Pose rest = rest_pose(rig);
  for (std::size_t j = 0; j < rig.skeleton.joints.size(); ++j) {
    // The fingers beside the middle one are not on the hand's axis.
    JointIndex up = rig.skeleton.joints[j].parent;
    while (up != no_joint && up != hand) up = rig.skeleton.joints[up].parent;
    const std::string& name = rig.skeleton.joints[j].name;
    if (up == hand && name != "middle_1.L") continue;
    EXPECT_LT(distance(place_of(rig, pose, int(j)), place_of(rig, rest, int(j))), 1e-15) << name;
  }
  EXPECT_NEAR(degrees(rotation_angle(pose.joints[hand].rotation)), 170, 1e-10);
}

TEST(ToldPose, a_chain_that_is_twisted_does_not_move) {
  const Rig rig = make_tube({.bones = 4});
  ToldPose pose = told_rest(rig);
  const PoseTeller teller(rig.skeleton);
  for (int j = 0; j < 4; ++j) teller.turn(pose, j, {}, radians(80 + 300 * j));
  for (int j = 0; j < 4; ++j) {
    EXPECT_LT(distance(place_of(rig, pose, j), place_of(rig, rest_pose(rig), j)), 1e-14);
  }
}

TEST(ToldPose, twists_keep_their_turns_and_their_sign) {
  const Rig rig = make_tube({.bones = 3});
  for (const double angle : {30.0, 170.0, 180.0, -180.0, 190.0, 340.0, 540.0, -720.0, 36000.0}) {
    ToldPose pose = told_rest(rig);
    PoseTeller(rig.skeleton).turn(pose, 1, {}, radians(angle));
    const auto bones = bone_states(rig, pose);
    EXPECT_NEAR(degrees(bones[1].own_twist), angle, 1e-7) << angle;
    // In a row of equal tubes, both sides take half of it.
    EXPECT_NEAR(degrees(bones[0].twist_tail - bones[1].twist_head), angle, 1e-7) << angle;
  }
}

TEST(ToldPose, twists_keep_their_turns_when_bent) {
  const Rig& rig = told_mannequin();
  const JointIndex joint = find_joint(rig.skeleton, "forearm.L");
  for (const double angle : {200.0, -500.0, 720.0}) {
    ToldPose pose = told_rest(rig);
    const Vec3 across = normalized(any_perpendicular(twist_axes(rig.skeleton)[joint]));
    const ToldBend bend{across, radians(60)};
    PoseTeller(rig.skeleton).turn(pose, joint, std::span(&bend, 1), radians(angle));
    const auto bones = bone_states(rig, pose);
    for (std::size_t b = 0; b < bones.size(); ++b) {
      if (rig.skeleton.bones[b].joint != joint) continue;
      EXPECT_NEAR(degrees(bones[b].own_twist), angle, 1e-9);
    }
  }
}

TEST(ToldPose, bends_are_turns_in_the_joints_frame_in_their_order_after_the_twist) {
  Rig rig = make_tube({.bones = 3});
  rig.skeleton.joints[1].rest.rotation = rotation_about(normalized(Vec3{1, 2, 3}), 0.7);
  const Quat rest = rig.skeleton.joints[1].rest.rotation;
  const PoseTeller teller(rig.skeleton);
  ToldPose pose = told_rest(rig);
  const ToldBend one{{1, 0, 0}, radians(30)};
  teller.turn(pose, 1, std::span(&one, 1), 0);
  EXPECT_NEAR(degrees(rotation_angle(conjugate(rest) * pose.joints[1].rotation)), 30, 1e-12);
  EXPECT_TRUE(pose.twists.empty());

  pose = told_rest(rig);
  const ToldBend two[] = {{{0, 0, 2}, radians(90)}, {{1, 0, 0}, radians(90)}};
  teller.turn(pose, 1, two, 0);
  // About z first, then about x, which has stayed where it was.
  const Vec3 image = rotate(conjugate(rest) * pose.joints[1].rotation, Vec3{1, 0, 0});
  EXPECT_LT(distance(image, Vec3{0, 0, 1}), 1e-15);

  pose = told_rest(rig);
  const Vec3 axis = twist_axes(rig.skeleton)[1];
  teller.turn(pose, 1, two, 1.1);
  const Vec3 tip = rotate(conjugate(rest) * pose.joints[1].rotation, axis);
  ToldPose untwisted = told_rest(rig);
  teller.turn(untwisted, 1, two, 0);
  EXPECT_LT(distance(tip, rotate(conjugate(rest) * untwisted.joints[1].rotation, axis)), 1e-15);
}

TEST(ToldPose, a_stretch_makes_one_bone_longer_and_no_other) {
  const Rig& rig = told_mannequin();
  const auto before = bone_states(rig, told_rest(rig));
  for (const char* name : {"forearm.L", "spine", "thigh.R", "hand.L", "head", "middle_3.L"}) {
    const JointIndex joint = find_joint(rig.skeleton, name);
    ToldPose pose = told_rest(rig);
    PoseTeller(rig.skeleton).stretch(pose, joint, 1.6);
    const auto after = bone_states(rig, pose);
    for (std::size_t b = 0; b < after.size(); ++b) {
      const double factor = rig.skeleton.bones[b].joint == joint ? 1.6 : 1;
      EXPECT_NEAR(bone_length(after[b]) / bone_length(before[b]), factor, 1e-12)
          << name << " " << b;
    }
  }
}

// Frames with rotations and scales, rest poses that are not the bind pose.
TEST(ToldPose, real_rigs_twist_about_their_bones_and_stretch_along_them) {
  SINEW_GLTF_ASSETS_OR_SKIP(files);
  for (const std::filesystem::path& file : files) {
    const Rig rig = read_gltf(file).rig;
    const PoseTeller teller(rig.skeleton);
    const auto before = bone_states(rig, told_rest(rig));
    for (std::size_t b = 0; b < before.size(); ++b) {
      const JointIndex joint = rig.skeleton.bones[b].joint;
      ToldPose twisted = told_rest(rig), stretched = told_rest(rig);
      teller.turn(twisted, joint, {}, radians(170));
      teller.stretch(stretched, joint, 1.6);
      const auto turned = bone_states(rig, twisted), longer = bone_states(rig, stretched);
      const double length = bone_length(before[b]);
      EXPECT_LT(distance(turned[b].posed_tail, before[b].posed_tail), 1e-9 * length) << file << b;
      for (std::size_t i = 0; i < before.size(); ++i) {
        // A root and the hips may be one segment.
        const bool is_same = distance(before[i].posed_head, before[b].posed_head) < 1e-9 * length &&
                             distance(before[i].posed_tail, before[b].posed_tail) < 1e-9 * length;
        EXPECT_NEAR(bone_length(longer[i]) / bone_length(before[i]), is_same ? 1.6 : 1, 1e-9)
            << file << " " << b << " " << i;
      }
    }
  }
}

TEST(ToldPose, what_hangs_beside_a_stretched_bone_goes_along_with_its_place_on_it) {
  const Rig& rig = told_mannequin();
  const auto moved = [&](const char* stretched, const char* joint) {
    ToldPose pose = told_rest(rig);
    PoseTeller(rig.skeleton).stretch(pose, find_joint(rig.skeleton, stretched), 2);
    const JointIndex j = find_joint(rig.skeleton, joint);
    return distance(place_of(rig, pose, j), place_of(rig, rest_pose(rig), j));
  };
  EXPECT_EQ(moved("hips", "thigh.L"), 0);  // below the hips' head
  EXPECT_NEAR(moved("chest", "neck"), std::hypot(0.19, 0.016), 1e-12);
  EXPECT_NEAR(moved("chest", "shoulder.L"), 0.15, 0.005);  // 0.15 above the chest's head
}

TEST(ToldPose, bones_with_one_start_stretch_each_along_itself) {
  const Vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}};
  const std::array<int, 2> segments[] = {{0, 1}, {0, 2}, {1, 3}};
  const Skeleton skeleton = skeleton_from_segments(points, segments);
  ToldPose pose;
  for (const Joint& joint : skeleton.joints) pose.joints.push_back(joint.rest);
  PoseTeller(skeleton).stretch(pose, 0, 3);
  const auto globals = forward_kinematics(skeleton, pose.joints);
  EXPECT_EQ(globals[1].translation, (Vec3{3, 0, 0}));
  EXPECT_EQ(globals[3].translation, (Vec3{4, 0, 0}));
  EXPECT_EQ(pose.tails, (std::vector<TailStretch>{{0, 3}}));  // nothing starts at (0, 1, 0)
}

TEST(ToldPose, a_stretch_reaches_through_joints_at_the_head) {
  Skeleton skeleton;
  skeleton.joints = {{"arm", no_joint, {}},
                     {"roll", 0, {{}, rotation_about(Vec3{0, 0, 1}, 0.5), {1, 1, 1}}},
                     {"hand", 1, {{0, 2, 0}, {}, {1, 1, 1}}}};
  skeleton.bones = bones_from_joints(skeleton);
  ASSERT_EQ(skeleton.bones[0].tail_joint, 2);
  ToldPose pose;
  for (const Joint& joint : skeleton.joints) pose.joints.push_back(joint.rest);
  PoseTeller(skeleton).stretch(pose, 0, 1.5);
  EXPECT_LT(distance(pose.joints[2].translation, Vec3{0, 3, 0}), 1e-15);
  EXPECT_EQ(pose.joints[1].translation, Vec3{});
}

TEST(ToldPose, played_clips_can_be_told_with_their_turns) {
  Rig rig = make_tube({.bones = 3});
  Curve<Quat> turning;
  for (int k = 0; k <= 8; ++k) {
    turning.times.push_back(k);
    turning.values.push_back(rotation_about(Vec3{1, 0, 0}, radians(75 * k)));
  }
  const Clip clip{"turn", {RotationChannel{1, turning}}};
  const RigPlan plan(rig);
  PosedRig played(plan), set(plan);
  for (const double time : {1.0, 3.3, 8.0}) {
    played.play(ClipPlan(plan, clip), time);
    set.set(played.told());
    for (std::size_t b = 0; b < 3; ++b) {
      EXPECT_EQ(set.bones()[b].twist_head, played.bones()[b].twist_head) << time;
      EXPECT_EQ(set.bones()[b].twist_tail, played.bones()[b].twist_tail) << time;
    }
  }
}

TEST(ToldPose, impossible_requests_are_refused) {
  const Rig rig = make_tube();
  const PoseTeller teller(rig.skeleton);
  ToldPose pose = told_rest(rig);
  EXPECT_THROW(teller.turn(pose, 2, {}, 0), UsageError);
  EXPECT_THROW(teller.stretch(pose, -1, 2), UsageError);
  EXPECT_THROW(teller.turn(pose, 0, {}, 630), InputError);
  EXPECT_THROW(teller.turn(pose, 0, {}, std::nan("")), InputError);
  const ToldBend nowhere{{0, 0, 0}, 1};
  EXPECT_THROW(teller.turn(pose, 0, std::span(&nowhere, 1), 0), InputError);
  for (const double angle : {630.0, -1e300, std::nan("")}) {
    const ToldBend far{{1, 0, 0}, angle};
    EXPECT_THROW(teller.turn(pose, 0, std::span(&far, 1), 0), InputError) << angle;
  }
  for (const double factor : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(teller.stretch(pose, 0, factor), InputError) << factor;
  }
  EXPECT_EQ(pose, told_rest(rig));
  pose.joints.pop_back();
  EXPECT_THROW(teller.stretch(pose, 0, 2), UsageError);

  PosedRig posed{RigPlan(rig)};
  ToldPose unknown = told_rest(rig);
  unknown.twists = {{7, 1}};
  EXPECT_THROW(posed.set(unknown), UsageError);
  unknown.twists = {{0, 1e4}};
  EXPECT_THROW(posed.set(unknown), UsageError);
  unknown.twists.clear();
  unknown.tails = {{0, 0}};
  EXPECT_THROW(posed.set(unknown), UsageError);
}

}  // namespace
}  // namespace sinew
