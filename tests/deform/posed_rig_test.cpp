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

}  // namespace
}  // namespace sinew
