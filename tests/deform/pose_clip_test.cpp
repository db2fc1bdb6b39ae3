// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/pose_clip.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/deform/posed_rig.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

// A tube on three bones whose second joint is twisted (degrees).
PoseKey twisted_key(const Rig& rig, double time, double twist, Ease ease = Ease::linear) {
  PoseKey key{time, {rest_pose(rig), {}, {}}, ease};
  PoseTeller(rig.skeleton).turn(key.pose, 1, {}, radians(twist));
  return key;
}

double twist_at(const Rig& rig, const Clip& clip, double time) {
  return degrees(bone_states(rig, clip, time)[1].own_twist);
}

std::string clip_error(const Rig& rig, const std::vector<PoseKey>& keys) {
  try {
    clip_from_poses(rig, "clip", keys);
  } catch (const InputError& error) {
    return error.place();
  }
  return "no error";
}

TEST(PoseClip, goes_through_its_poses) {
  const Rig rig = make_tube({.bones = 3});
  const PoseTeller teller(rig.skeleton);
  std::vector<PoseKey> keys = {twisted_key(rig, 0.5, 0), twisted_key(rig, 1, 120),
                               twisted_key(rig, 3, -30)};
  const ToldBend bend{{0, 1, 0}, 0.6};
  teller.turn(keys[1].pose, 2, std::span(&bend, 1), 0);
  teller.stretch(keys[2].pose, 1, 1.5);
  const Clip clip = clip_from_poses(rig, "wave", keys);
  EXPECT_EQ(clip.name, "wave");
  EXPECT_EQ(duration(clip), 3);
  for (const PoseKey& key : keys) {
    const Pose pose = pose_at(rig, clip, key.time);
    for (std::size_t j = 0; j < 3; ++j) {
      const Quat &a = pose.joints[j].rotation, &b = key.pose.joints[j].rotation;
      EXPECT_NEAR(std::fabs(dot(a, b)), 1, 1e-15);
      EXPECT_EQ(pose.joints[j].translation, key.pose.joints[j].translation);
    }
  }
  EXPECT_EQ(clip.channels.size(), 3u);  // two rotations and a translation
}

TEST(PoseClip, full_turns_between_poses_survive) {
  const Rig rig = make_tube({.bones = 3});
  const std::vector<PoseKey> keys = {twisted_key(rig, 0, 0), twisted_key(rig, 1, 720),
                                     twisted_key(rig, 2, 170), twisted_key(rig, 3, -170)};
  const Clip clip = clip_from_poses(rig, "wring", keys);
  EXPECT_NEAR(twist_at(rig, clip, 0.25), 180, 1e-6);
  EXPECT_NEAR(twist_at(rig, clip, 0.75), 540, 1e-6);
  EXPECT_NEAR(twist_at(rig, clip, 1), 720, 1e-6);
  EXPECT_NEAR(twist_at(rig, clip, 1.5), 445, 1e-6);
  EXPECT_NEAR(twist_at(rig, clip, 2.5), 0, 1e-6);
  EXPECT_NEAR(twist_at(rig, clip, 3), -170, 1e-6);
}

TEST(PoseClip, half_turns_go_the_way_they_say) {
  const Rig rig = make_tube({.bones = 3});
  for (const double turn : {180.0, -180.0, 360.0, -540.0}) {
    const std::vector<PoseKey> keys = {twisted_key(rig, 0, 0), twisted_key(rig, 2, turn)};
    EXPECT_NEAR(twist_at(rig, clip_from_poses(rig, "", keys), 1), turn / 2, 1e-6) << turn;
  }
}

TEST(PoseClip, eases_say_how_to_get_to_the_next_key) {
  Rig rig = make_tube({.bones = 3});
  rig.controls = {{"breath", 0}};
  const auto value = [&](Ease first, Ease second, double time) {
    std::vector<PoseKey> keys = {twisted_key(rig, 0, 0, first), twisted_key(rig, 1, 0, second),
                                 twisted_key(rig, 2, 0)};
    keys[1].pose.controls = {1};
    keys[2].pose.controls = {3};
    return pose_at(rig, clip_from_poses(rig, "", keys), time).controls[0];
  };
  EXPECT_NEAR(value(Ease::linear, Ease::linear, 0.25), 0.25, 1e-15);
  EXPECT_NEAR(value(Ease::smooth, Ease::linear, 0.25), 0.15625, 1e-15);
  EXPECT_NEAR(value(Ease::smooth, Ease::linear, 1.25), 1.5, 1e-15);
  EXPECT_EQ(value(Ease::step, Ease::step, 0.999999), 0);
  EXPECT_EQ(value(Ease::step, Ease::step, 1.5), 1);
  EXPECT_EQ(value(Ease::step, Ease::linear, 0.99), 0);
  EXPECT_EQ(value(Ease::step, Ease::linear, 1), 1);
  EXPECT_EQ(value(Ease::linear, Ease::step, 1.99), 1);
}

TEST(PoseClip, smooth_twists_of_several_turns_are_smooth) {
  const Rig rig = make_tube({.bones = 3});
  const std::vector<PoseKey> keys = {twisted_key(rig, 0, 0, Ease::smooth),
                                     twisted_key(rig, 2, 720)};
  const Clip clip = clip_from_poses(rig, "", keys);
  for (const double t : {0.25, 0.5, 0.75}) {
    EXPECT_NEAR(twist_at(rig, clip, 2 * t), 720 * t * t * (3 - 2 * t), 1e-6);
  }
}

TEST(PoseClip, loops_return_to_the_first_pose) {
  const Rig rig = make_tube({.bones = 3});
  std::vector<PoseKey> keys = {twisted_key(rig, 1, 20), twisted_key(rig, 2, 0),
                               twisted_key(rig, 4, 90)};
  close_loop(keys);
  ASSERT_EQ(keys.size(), 4u);
  EXPECT_EQ(keys[3].time, 5.5);
  EXPECT_EQ(keys[3].pose, keys[0].pose);
  close_loop(keys);
  EXPECT_EQ(keys.size(), 4u);
}

TEST(PoseClip, what_stays_at_rest_has_no_channel_but_the_time_counts) {
  const Rig rig = make_tube({.bones = 3});
  const std::vector<PoseKey> still = {twisted_key(rig, 0, 0), twisted_key(rig, 2, 0)};
  const Clip clip = clip_from_poses(rig, "", still);
  EXPECT_EQ(duration(clip), 2);
  EXPECT_EQ(pose_at(rig, clip, 1), rest_pose(rig));
}

TEST(PoseClip, free_tails_get_a_joint_to_stretch_them) {
  Rig rig = make_tube({.bones = 3});
  std::vector<PoseKey> keys = {twisted_key(rig, 0, 0), twisted_key(rig, 1, 90)};
  PoseTeller(rig.skeleton).stretch(keys[1].pose, 2, 2.5);
  const auto wanted = bone_states(rig, keys[1].pose);
  make_ends(rig, keys);
  validate(rig);
  ASSERT_EQ(rig.skeleton.joints.size(), 4u);
  EXPECT_EQ(rig.skeleton.joints[3].name, "bone2_end");
  put_clip(rig, clip_from_poses(rig, "pull", keys));
  validate(rig);
  const auto played = bone_states(rig, rig.clips[0], 1);
  EXPECT_NEAR(distance(played[2].posed_head, played[2].posed_tail), 2.5, 1e-12);
  for (std::size_t b = 0; b < 3; ++b) {
    EXPECT_LT(distance(played[b].posed_tail, wanted[b].posed_tail), 1e-12);
    EXPECT_NEAR(played[b].twist_head, wanted[b].twist_head, 1e-12);
    EXPECT_NEAR(played[b].twist_tail, wanted[b].twist_tail, 1e-12);
  }
}

TEST(PoseClip, clips_take_the_place_of_those_with_their_name) {
  Rig rig = make_tube({.bones = 3});
  const std::vector<PoseKey> a = {twisted_key(rig, 0, 0), twisted_key(rig, 2, 10)};
  put_clip(rig, clip_from_poses(rig, "one", a));
  put_clip(rig, clip_from_poses(rig, "two", a));
  put_clip(rig, clip_from_poses(rig, "one", std::span(a).first(1)));
  ASSERT_EQ(rig.clips.size(), 2u);
  EXPECT_EQ(duration(rig.clips[0]), 0);
}

TEST(PoseClip, what_a_clip_cannot_do_is_refused_with_its_key) {
  const Rig rig = make_tube({.bones = 3});
  EXPECT_EQ(clip_error(rig, {twisted_key(rig, 0, 190)}), "/keys/0");
  EXPECT_EQ(clip_error(rig, {twisted_key(rig, 0, 180)}), "no error");
  for (const double time : {-1.0, 1e7, std::nan("")}) {
    EXPECT_EQ(clip_error(rig, {twisted_key(rig, time, 0)}), "/keys/0/time") << time;
  }
  for (const double time : {0.5, 1.0, 1.0001, HUGE_VAL}) {
    EXPECT_EQ(clip_error(rig, {twisted_key(rig, 1, 0), twisted_key(rig, time, 0)}), "/keys/1/time");
  }
  EXPECT_EQ(clip_error(rig, {twisted_key(rig, 0, 0), twisted_key(rig, 0.1, 720)}), "/keys/1");
  EXPECT_EQ(clip_error(rig, {twisted_key(rig, 0, 0, Ease::step), twisted_key(rig, 1, 720)}),
            "/keys/0");
  EXPECT_THROW(clip_from_poses(rig, "", {}), UsageError);
  PoseKey other = twisted_key(rig, 0, 0);
  other.pose.joints.pop_back();
  EXPECT_THROW(clip_from_poses(rig, "", std::span(&other, 1)), UsageError);
}

}  // namespace
}  // namespace sinew
