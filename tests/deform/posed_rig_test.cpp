// SPDX-License-Identifier: Apache-2.0
// The way through a frame: any time of a clip as if it had been played up to there, from plans that
// threads share.
#include "sinew/deform/posed_rig.h"

#include <array>
#include <cmath>
#include <cstring>
#include <thread>

#include <gtest/gtest.h>

#include "sinew/deform/method.h"
#include "sinew/deform/twist.h"
#include "sinew/kernels/targets.h"
#include "tests/support/refusals.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

bool same_bits(std::span<const BoneState> a, std::span<const BoneState> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

// Keys at steps of 30 degrees or less.
Curve<Quat> turning(double seconds, double degrees_per_second, const Vec3& axis,
                    const Quat& first = {}) {
  Curve<Quat> curve;
  const int keys = int(std::ceil(seconds * degrees_per_second / 30));
  for (int k = 0; k <= keys; ++k) {
    const double time = seconds * k / keys;
    curve.times.push_back(time);
    curve.values.push_back(rotation_about(axis, radians(degrees_per_second * time)) * first);
  }
  return curve;
}

// Three bones: the second twists by three turns and a half, the third swings round by a turn and a
// half while it is twisted, and its twist is unknown for a while.
Rig winding_tube() {
  Rig rig = make_tube({.bones = 3});
  for (Joint& joint : rig.skeleton.joints) joint.twist_shares = TwistShares{0.5, 0.5};
  const Quat twisted = rotation_about(Vec3{1, 0, 0}, radians(100));
  rig.clips = {{"wind",
                {RotationChannel{1, turning(4, 315, {1, 0, 0})},
                 RotationChannel{2, turning(4, 135, normalized(Vec3{0.1, 0.1, 1}), twisted)}}},
               {"nod", {RotationChannel{1, turning(1, 40, {0, 0, 1})}}}};
  return rig;
}

std::vector<double> winding_times() {
  std::vector<double> times;
  for (int i = 0; i <= 60; ++i) times.push_back(4.4 * ((i * 37) % 61) / 60 - 0.2);
  for (const double step : {0.0, 1.0, 59.0, 60.0, 239.0, 240.0}) times.push_back(step / 60);
  return times;
}

TEST(PosedRig, any_time_is_as_if_the_clip_had_been_played_up_to_there) {
  const Rig rig = winding_tube();
  const RigPlan plan(rig);
  double most_twist = 0, least_closeness = 1;  // cosine of half the swing
  for (const Clip& clip : rig.clips) {
    const ClipPlan played(plan, clip);
    PosedRig sought(plan);
    for (const double time : winding_times()) {
      // Step by step from the start, with nothing but poses.
      PosedRig followed(plan);
      Pose pose = pose_at(rig, clip, 0);
      if (time > 0) followed.set(pose);
      for (int step = 1; step / 60.0 < std::min(time, duration(clip)); ++step) {
        followed.follow(pose_at(rig, clip, step / 60.0));
      }
      pose = pose_at(rig, clip, time);
      time > 0 ? followed.follow(pose) : followed.set(pose);
      sought.play(played, time);
      EXPECT_TRUE(same_bits(sought.bones(), followed.bones())) << clip.name << " at " << time;
      EXPECT_EQ(sought.pose(), pose);
      for (const BoneState& bone : sought.bones()) {
        most_twist = std::max(most_twist, std::fabs(bone.own_twist));
      }
      const Quat& turned = pose.joints[2].rotation;
      least_closeness = std::min(least_closeness, std::hypot(turned.w, turned.x));
    }
  }
  EXPECT_GT(degrees(most_twist), 1200);
  EXPECT_LT(least_closeness, 0.25) << "there the twist is not known";
}

// Twists of less than a quarter turn, lost in a swing all the way round.
TEST(PosedRig, what_was_posed_in_between_leaves_no_trace_in_a_clip) {
  const Rig rig = winding_tube();
  const RigPlan plan(rig);
  const ClipPlan wind(plan, rig.clips[0]), nod(plan, rig.clips[1]);
  PosedRig expected(plan), posed(plan);
  expected.play(nod, 0.5);
  Pose other = plan.rest_pose();
  other.joints[2].translation += Vec3{1, 2, 3};
  posed.play(nod, 0.2);
  posed.set(other);
  posed.play(nod, 0.5);
  EXPECT_TRUE(same_bits(posed.bones(), expected.bones()));
  posed.follow(other);
  posed.play(nod, 0.5);
  EXPECT_TRUE(same_bits(posed.bones(), expected.bones()));
  posed.play(wind, 1);
  posed.play(nod, 0.5);
  EXPECT_TRUE(same_bits(posed.bones(), expected.bones()));
}

TEST(PosedRig, swings_past_half_a_turn_need_no_history_where_twists_are_small) {
  Rig rig = winding_tube();
  const Quat twisted = rotation_about(Vec3{1, 0, 0}, radians(60));
  rig.clips = {
      {"swing", {RotationChannel{2, turning(4, 180, normalized(Vec3{0, 0.1, 1}), twisted)}}}};
  const RigPlan plan(rig);
  const ClipPlan clip(plan, rig.clips[0]);
  PosedRig sought(plan), followed(plan);
  for (int step = 0; step < 240; ++step) {
    followed.follow(pose_at(rig, rig.clips[0], step / 60.0));
    sought.play(clip, step / 60.0);
    EXPECT_TRUE(same_bits(sought.bones(), followed.bones())) << step;
  }
}

TEST(PosedRig, a_pose_on_its_own_has_less_than_a_turn) {
  const Rig rig = winding_tube();
  const RigPlan plan(rig);
  const ClipPlan clip(plan, rig.clips[0]);
  PosedRig posed(plan);
  posed.play(clip, 3.9);
  const double wound = posed.bones()[1].own_twist;
  posed.set(posed.pose());
  const double lone = posed.bones()[1].own_twist;
  EXPECT_GT(wound, 6 * pi);
  EXPECT_LE(std::fabs(lone), pi);
  EXPECT_NEAR(std::remainder(wound - lone, 2 * pi), 0, 1e-9);
  posed.play(clip, 3.9);
  posed.follow(posed.pose());
  EXPECT_EQ(posed.bones()[1].own_twist, wound);
}

TEST(PosedRig, threads_share_plans) {
  const Rig rig = winding_tube();
  const RigPlan plan(rig);
  const ClipPlan clip(plan, rig.clips[0]);
  const std::vector<double> times = winding_times();
  std::vector<std::vector<BoneState>> expected;
  PosedRig alone(plan);
  for (const double time : times) {
    alone.play(clip, time);
    expected.emplace_back(alone.bones().begin(), alone.bones().end());
  }
  std::array<int, 2> wrong{};
  const auto play = [&](int thread) {
    PosedRig posed(plan);
    for (int round = 0; round < 20; ++round) {
      for (std::size_t i = 0; i < times.size(); ++i) {
        const std::size_t at = thread == 0 ? i : times.size() - 1 - i;
        posed.play(clip, times[at]);
        wrong[thread] += same_bits(posed.bones(), expected[at]) ? 0 : 1;
      }
    }
  };
  std::thread one(play, 0), other(play, 1);
  one.join();
  other.join();
  EXPECT_EQ(wrong[0] + wrong[1], 0);
}

TEST(PosedRig, plans_of_another_rig_or_of_less_detail_are_refused) {
  const Rig rig = winding_tube();
  const RigPlan plan(rig), other(rig);
  PosedRig posed(plan), plain(plan, {.detail = BoneDetail::matrices});
  const ClipPlan foreign(other, rig.clips[0]);
  EXPECT_EQ(wrong_usage([&] { posed.play(foreign, 0); }), "the clip was planned for another rig");
  const ClipPlan untwisted(plan, rig.clips[0], BoneDetail::turns);
  EXPECT_EQ(wrong_usage([&] { posed.play(untwisted, 0); }),
            "the clip was planned for less detail than the bones need: without twists");
  EXPECT_EQ(wrong_usage([&] { plain.play(untwisted, 0); }), "");
  Pose pose = plan.rest_pose();
  pose.shapes.push_back(1);
  EXPECT_EQ(wrong_usage([&] { posed.set(pose); }),
            "the pose has 3 joints, 1 shapes and 0 controls, the rig has 3, 0 and 0");
}

// What a method does not read is not computed, and what it reads has the same bits.
TEST(PosedRig, methods_get_what_they_read) {
  const Rig rig = winding_tube();
  const RigPlan plan(rig);
  const ClipPlan clip(plan, rig.clips[0]);
  PosedRig all(plan);
  all.play(clip, 2.3);
  for (const char* name : {"lbs", "dqs", "stbs-lbs", "stbs-dqs", "stretch-it"}) {
    const BoneDetail detail = method_from_name(name, rig).traits().bones;
    PosedRig some(plan, {.detail = detail});
    some.play(clip, 2.3);
    for (std::size_t b = 0; b < 3; ++b) {
      const BoneState &x = some.bones()[b], &y = all.bones()[b];
      EXPECT_EQ(x.matrix, y.matrix) << name;
      EXPECT_EQ(std::isnan(x.turn.w), detail < BoneDetail::turns) << name;
      EXPECT_EQ(std::isnan(x.twist_tail), detail < BoneDetail::ends) << name;
      EXPECT_EQ(std::isnan(x.own_twist), detail < BoneDetail::all) << name;
      if (detail < BoneDetail::turns) continue;
      EXPECT_EQ(x.turn, y.turn) << name;
      if (detail < BoneDetail::ends) continue;
      EXPECT_EQ(x.rotation, y.rotation) << name;
      EXPECT_EQ(x.twist_head, y.twist_head) << name;
      EXPECT_EQ(x.twist_tail, y.twist_tail) << name;
    }
  }
}

// Bones are posed eight at a time: as many as fill some eights and a part of one, all of which
// turn, some stretched, squeezed or mirrored.
Rig twisting_tree() {
  Rig rig;
  rig.skeleton.joints.resize(21);
  for (int j = 0; j < 21; ++j) {
    Joint& joint = rig.skeleton.joints[j];
    joint.parent = j == 0 ? no_joint : JointIndex(j % 4 == 0 ? j / 2 : j - 1);
    joint.rest.translation = {0.1 * std::sin(j), 0.4, 0.1 * std::cos(3.0 * j)};
    joint.twist_shares = TwistShares{0.5, 0.5};
  }
  rig.skeleton.bones = bones_from_joints(rig.skeleton);
  for (int b = 0; b < 21; ++b) {
    rig.mesh.positions.push_back(rig.skeleton.bones[b].head);
    rig.skin.weights.push_row(std::vector<Influence>{{b, 1}});
  }
  return rig;
}

Pose tree_pose(const Rig& rig, double seed) {
  Pose pose = rest_pose(rig);
  for (std::size_t j = 0; j < pose.joints.size(); ++j) {
    const double s = seed + 1.7 * double(j);
    Transform& joint = pose.joints[j];
    joint.rotation = rotation_about(
        normalized(Vec3{std::sin(2 * s), std::cos(5 * s), std::sin(7 * s)}), 3 * std::sin(11 * s));
    if (j % 3 == 1) joint.translation *= 1.5 + std::sin(s);
    if (j % 5 == 2) joint.scale = {1, 0.7, 1.2};
    if (j == 19) joint.scale = {-1, 1, 1};
    if (j == 20) joint.scale = {1, 0, 1};
  }
  return pose;
}

TEST(PosedRig, every_bone_of_many_is_posed_as_it_would_be_alone) {
  const Rig rig = twisting_tree();
  const RigPlan plan(rig);
  PosedRig posed(plan);
  for (int i = 0; i < 40; ++i) {
    const Pose pose = tree_pose(rig, 0.37 * i);
    posed.set(pose);
    const std::vector<Affine> globals = forward_kinematics(rig.skeleton, pose.joints);
    EXPECT_TRUE(std::equal(globals.begin(), globals.end(), posed.joints().begin()));
    for (int b = 0; b < 21; ++b) {
      const BoneState& bone = posed.bones()[b];
      const RigPlan::PlannedBone& planned = plan.data().bones[b];
      EXPECT_EQ(bone.matrix, globals[planned.joint] * planned.inverse_bind);
      EXPECT_EQ(bone.posed_head, transform_point(bone.matrix, bone.head));
      EXPECT_EQ(bone.scale_shear, to_matrix(conjugate(bone.turn)) * bone.matrix.linear);
      const Vec3 axis = normalized(bone.tail - bone.head);
      const Vec3 along = normalized(bone.posed_tail - bone.posed_head, rotate(bone.turn, axis));
      EXPECT_LT(distance(rotate(bone.rotation, axis), along), 1e-14);
      if (planned.links.parent < 0) continue;
      const BoneState& above = posed.bones()[planned.links.parent];
      const Quat turned = conjugate(above.turn) * bone.turn;
      double angle = no_twist;
      const double own = follow_twist(angle, turned, planned.axis);
      EXPECT_NEAR(bone.own_twist, own, 2e-15 * pi) << b << " in pose " << i;
      EXPECT_EQ(bone.twist_head, -planned.links.own_share * bone.own_twist);
    }
  }
}

TEST(PosedRig, bones_and_rotations_have_the_same_bits_with_every_instruction_set) {
  Rig rig = twisting_tree();
  Clip clip{"turn", {}};
  for (int j = 0; j < 21; ++j) {
    Curve<Quat> curve;
    for (int k = 0; k <= 20; ++k) {
      curve.times.push_back(0.1 * k);
      curve.values.push_back(tree_pose(rig, 0.2 * k).joints[j].rotation);
    }
    clip.channels.emplace_back(RotationChannel{j, curve});
  }
  const RigPlan plan(rig);
  const ClipPlan planned(plan, clip);
  std::vector<std::vector<BoneState>> expected;
  for (const std::string& target : kernel_targets()) {
    use_kernel_target(target);
    PosedRig posed(plan);
    for (std::size_t i = 0; i < 20; ++i) {
      posed.play(planned, 0.103 * double(i));
      if (expected.size() == i) expected.emplace_back(posed.bones().begin(), posed.bones().end());
      EXPECT_TRUE(same_bits(posed.bones(), expected[i])) << target << " in frame " << i;
    }
  }
  use_kernel_target("");
}

}  // namespace
}  // namespace sinew
