// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/retarget.h"

#include <gtest/gtest.h>

#include "sinew/motion/clip_sampler.h"
#include "tests/support/human.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

std::vector<Transform> locals_at(const Skeleton& skeleton, const Clip& clip, double time) {
  Pose pose;
  for (const Joint& joint : skeleton.joints) pose.joints.push_back(joint.rest);
  ClipSampler(clip).sample(time, pose);
  return pose.joints;
}

std::vector<Affine> globals_at(const Skeleton& skeleton, const Clip& clip, double time) {
  return forward_kinematics(skeleton, locals_at(skeleton, clip, time));
}

Vec3 place(const Skeleton& skeleton, const std::vector<Affine>& globals, const char* name) {
  return globals[find_joint(skeleton, name)].translation;
}

RetargetOptions exact_keys() {
  RetargetOptions options;
  options.tolerance = 0;
  return options;
}

Retargeted play(const Skeleton& source, const Clip& motion, const Skeleton& target,
                const RetargetOptions& options = exact_keys()) {
  return retarget(source, motion, target, map_joints(source, target), options);
}

void expect_same_places(const std::vector<Affine>& a, const std::vector<Affine>& b, double scale,
                        double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t j = 0; j < a.size(); ++j) {
    EXPECT_NEAR(distance(a[j].translation * scale, b[j].translation), 0, tolerance) << j;
  }
}

TEST(Retarget, a_skeleton_plays_its_own_motion_unchanged) {
  Random random(1);
  HumanOptions options;
  options.random_axes = &random;
  options.arm_drop = 0.4;
  const Skeleton skeleton = human(options);
  random = Random(1);
  const Clip walk = human_clip(options, human_walk(), 31, 1);
  const Retargeted result = play(skeleton, walk, skeleton);
  EXPECT_EQ(result.scale, 1);
  EXPECT_EQ(result.frames, 31u);
  EXPECT_EQ(int(result.hips), 0);
  for (int f = 0; f < 31; ++f) {
    const auto before = locals_at(skeleton, walk, f / 30.0),
               after = locals_at(skeleton, result.clip, f / 30.0);
    for (std::size_t j = 0; j < before.size(); ++j) {
      EXPECT_NEAR(distance(before[j].translation, after[j].translation), 0, 1e-9) << j;
      expect_same_rotation(before[j].rotation, after[j].rotation, 1e-9);
    }
  }
}

TEST(Retarget, local_axes_do_not_matter) {
  Random random(2);
  HumanOptions options, turned;
  options.names = cmu_names();
  turned.random_axes = &random;
  const Skeleton source = human(options), target = human(turned);
  const Clip walk = human_clip(options, human_walk(), 31, 1);
  const Clip result = play(source, walk, target).clip;
  for (const double time : {0.0, 0.3, 0.7, 1.0}) {
    expect_same_places(globals_at(source, walk, time), globals_at(target, result, time), 1, 1e-9);
  }
}

TEST(Retarget, twice_as_tall_walks_twice_as_far) {
  HumanOptions small, tall;
  small.names = cmu_names();
  tall.size = 2;
  const Skeleton source = human(small), target = human(tall);
  const Clip walk = human_clip(small, human_walk(), 31, 1);
  const Retargeted result = play(source, walk, target);
  EXPECT_NEAR(result.scale, 2, 1e-12);
  for (const double time : {0.0, 0.5, 1.0}) {
    expect_same_places(globals_at(source, walk, time), globals_at(target, result.clip, time), 2,
                       1e-9);
  }
  EXPECT_NEAR(place(target, globals_at(target, result.clip, 1), "hips").z, 2.4, 1e-9);
}

TEST(Retarget, arms_point_where_the_source_points_them_whatever_the_rest_pose) {
  HumanOptions t_pose, a_pose;
  t_pose.names = cmu_names();
  a_pose.arm_drop = 0.8;
  const Skeleton source = human(t_pose), target = human(a_pose);
  const Clip walk = human_clip(t_pose, human_walk(), 31, 1);
  const Clip result = play(source, walk, target).clip;
  for (const double time : {0.0, 0.25, 0.5, 1.0}) {
    expect_same_places(globals_at(source, walk, time), globals_at(target, result, time), 1, 1e-9);
  }
  // And the other way round.
  a_pose.names = cmu_names();
  t_pose.names.clear();
  const Skeleton from = human(a_pose), to = human(t_pose);
  const Clip hanging = human_clip(a_pose, human_walk(), 31, 1);
  const Clip back = play(from, hanging, to).clip;
  expect_same_places(globals_at(from, hanging, 0.3), globals_at(to, back, 0.3), 1, 1e-9);
}

TEST(Retarget, left_stays_left) {
  HumanOptions options;
  options.names = cmu_names();
  const Skeleton source = human(options), target = human();
  const HumanMotion salute = {[](const std::string& name, double time) {
                                const bool raised = name == "upper_arm.L" || name == "forearm.L" ||
                                                    name == "hand.L" || name == "index.L";
                                return rotation_about(Vec3{0, 0, 1}, raised ? time : 0);
                              },
                              [](double) { return Vec3{}; }};
  const Clip motion = human_clip(options, salute, 11, 1);
  const auto globals = globals_at(target, play(source, motion, target).clip, 1);
  EXPECT_GT(place(target, globals, "hand.L").y, 1.8);
  EXPECT_GT(place(target, globals, "hand.L").x, 0.2);
  EXPECT_NEAR(place(target, globals, "hand.R").y, 1.45, 1e-9);
}

TEST(Retarget, a_source_that_lies_along_another_axis_stands_up) {
  HumanOptions z_up;
  z_up.names = cmu_names();
  // z is up, and it faces -y, as Blender's characters do.
  z_up.stance = rotation_about(Vec3{1, 0, 0}, pi / 2);
  const Skeleton source = human(z_up), target = human();
  const Clip walk = human_clip(z_up, human_walk(), 31, 1);
  const Clip upright = human_clip({}, human_walk(), 31, 1);
  const Clip result = play(source, walk, target).clip;
  expect_same_places(globals_at(target, upright, 0.4), globals_at(target, result, 0.4), 1, 1e-9);
}

TEST(Retarget, hips_at_the_origin_of_the_file_do_not_sink_into_the_ground) {
  HumanOptions at_origin;
  at_origin.names = cmu_names();
  at_origin.hips_at_origin = true;
  at_origin.size = 17.5;  // inches or so
  const Skeleton source = human(at_origin), target = human();
  HumanMotion walk = human_walk();
  // The motion has the hips where they are above the ground.
  walk.way = [way = walk.way](double time) { return way(time) + Vec3{0, 1, 0}; };
  const Clip motion = human_clip(at_origin, walk, 31, 1);
  const Clip result = play(source, motion, target).clip;
  double lowest = 1;
  for (int f = 0; f <= 30; ++f) {
    const auto globals = globals_at(target, result, f / 30.0);
    for (const char* toes : {"toes.L", "toes.R"}) {
      lowest = std::min(lowest, place(target, globals, toes).y);
    }
  }
  EXPECT_NEAR(lowest, 0.02, 1e-9);
}

// A row of joints above each other between hips and neck, instead of human()'s two.
Skeleton with_spine(int count) {
  Skeleton skeleton = human();
  skeleton.joints[1].name = "spine1";
  skeleton.joints[1].rest.translation = {0, 0.1, 0};
  int parent = 1;
  for (int k = 2; k <= count; ++k) {
    Joint joint;
    joint.name = "spine" + std::to_string(k);
    joint.parent = parent;
    joint.rest.translation = {0, 0.05, 0};
    parent = static_cast<int>(skeleton.joints.size());
    skeleton.joints.push_back(joint);
  }
  for (Joint& joint : skeleton.joints) {
    if (joint.parent == 2) joint.parent = parent;
  }
  skeleton.joints[2].name = "unused";
  skeleton.joints[2].parent = no_joint;
  skeleton.bones = bones_from_joints(skeleton);
  return skeleton;
}

// The k-th spine joint, from 1 on, turns by `angle` of each of `angles` about z.
Clip bend(const Skeleton& skeleton, const std::vector<double>& angles) {
  Clip clip;
  for (std::size_t k = 0; k < angles.size(); ++k) {
    Curve<Quat> curve;
    curve.times = {0};
    curve.values = {rotation_about(Vec3{0, 0, 1}, angles[k])};
    clip.channels.emplace_back(
        RotationChannel{find_joint(skeleton, "spine" + std::to_string(k + 1)), curve});
  }
  return clip;
}

TEST(Retarget, rows_of_different_lengths_bend_alike) {
  const std::vector<std::vector<double>> expected = {
      {}, {0.6}, {0.3, 0.3}, {0.2, 0.2, 0.2}, {0.15, 0.15, 0.15, 0.15}};
  for (int from = 1; from <= 4; ++from) {
    for (int to = 1; to <= 4; ++to) {
      const Skeleton source = with_spine(from), target = with_spine(to);
      const Clip result = play(source, bend(source, expected[from]), target).clip;
      const auto locals = locals_at(target, result, 0);
      for (int k = 0; k < to; ++k) {
        const JointIndex joint = find_joint(target, "spine" + std::to_string(k + 1));
        expect_same_rotation(locals[joint].rotation, rotation_about(Vec3{0, 0, 1}, expected[to][k]),
                             1e-9);
      }
    }
  }
}

TEST(Retarget, a_twist_of_several_turns_keeps_them) {
  HumanOptions options;
  options.names = cmu_names();
  const Skeleton source = human(options), target = human();
  const HumanMotion screw = {[](const std::string& name, double time) {
                               const bool turns = name == "hand.L" || name == "index.L";
                               return rotation_about(Vec3{1, 0, 0}, turns ? 2 * pi * time : 0);
                             },
                             [](double) { return Vec3{}; }};
  const Clip motion = human_clip(options, screw, 61, 2);
  RetargetOptions few;
  for (const double fps : {0.0, 24.0}) {
    few.fps = fps;
    const Clip result = play(source, motion, target, few).clip;
    const JointIndex hand = find_joint(target, "hand.L");
    double sum = 0;
    Quat before;
    for (int f = 0; f <= 120; ++f) {
      const Quat now = locals_at(target, result, f / 60.0)[hand].rotation;
      sum += twist_angle(conjugate(before) * now, Vec3{1, 0, 0});
      before = now;
    }
    EXPECT_NEAR(sum, 4 * pi, 0.01) << fps;
    for (const Channel& channel : result.channels) {
      const auto* turn = std::get_if<RotationChannel>(&channel);
      if (turn == nullptr || turn->joint != hand) continue;
      const auto& curve = std::get<Curve<Quat>>(turn->curve);
      EXPECT_LT(curve.values.size(), 61u);
      for (std::size_t k = 1; k < curve.values.size(); ++k) {
        EXPECT_GT(dot(curve.values[k - 1], curve.values[k]), 0) << k;
      }
    }
  }
}

// One joint of the source moves three: they share a turn of more than half a turn.
TEST(Retarget, a_shared_turn_does_not_jump_past_half_a_turn) {
  const Skeleton source = with_spine(1), target = with_spine(3);
  Clip motion;
  Curve<Quat> curve;
  for (int f = 0; f <= 30; ++f) {
    curve.times.push_back(f / 30.0);
    curve.values.push_back(rotation_about(Vec3{0, 1, 0}, 1.5 * pi * f / 30));
  }
  motion.channels.emplace_back(RotationChannel{find_joint(source, "spine1"), curve});
  const Clip result = play(source, motion, target).clip;
  const JointIndex first = find_joint(target, "spine1");
  expect_same_rotation(locals_at(target, result, 1)[first].rotation,
                       rotation_about(Vec3{0, 1, 0}, pi / 2), 1e-9);
}

TEST(Retarget, in_place_keeps_the_height_and_nothing_else) {
  HumanOptions options;
  options.names = cmu_names();
  const Skeleton source = human(options), target = human();
  const Clip walk = human_clip(options, human_walk(), 31, 1);
  RetargetOptions in_place = exact_keys();
  in_place.in_place = true;
  const Clip result = play(source, walk, target, in_place).clip;
  const Vec3 hips = place(target, globals_at(target, result, 0.7), "hips");
  EXPECT_NEAR(hips.x, 0, 1e-12);
  EXPECT_NEAR(hips.y, 1 + human_walk().way(0.7).y, 1e-9);
  EXPECT_NEAR(hips.z, 0, 1e-12);
}

TEST(Retarget, frames_and_keys_are_as_asked) {
  HumanOptions options;
  options.names = cmu_names();
  const Skeleton source = human(options), target = human();
  const Clip walk = human_clip(options, human_walk(), 121, 1);
  RetargetOptions sampled = exact_keys();
  sampled.fps = 24;
  const Retargeted result = play(source, walk, target, sampled);
  EXPECT_EQ(result.frames, 25u);
  EXPECT_NEAR(duration(result.clip), 1, 1e-12);
  expect_same_places(globals_at(source, walk, 0.5), globals_at(target, result.clip, 0.5), 1, 1e-3);

  RetargetOptions loose;
  loose.tolerance = radians(0.5);
  const Retargeted few = play(source, walk, target, loose);
  std::size_t keys = 0;
  for (const Channel& channel : few.clip.channels) {
    if (const auto* turn = std::get_if<RotationChannel>(&channel)) {
      keys += std::get<Curve<Quat>>(turn->curve).times.size();
    }
  }
  EXPECT_LT(keys, 23u * 121 / 5);
  EXPECT_EQ(duration(few.clip), 1);
  const Clip all = play(source, walk, target).clip;
  for (int f = 0; f <= 120; ++f) {
    const auto exact = locals_at(target, all, f / 120.0),
               near = locals_at(target, few.clip, f / 120.0);
    for (std::size_t j = 0; j < exact.size(); ++j) {
      EXPECT_LE(rotation_angle(conjugate(exact[j].rotation) * near[j].rotation),
                loose.tolerance * 1.001);
    }
  }
}

// A file saved in the midst of a motion: its bones are bound as at rest before.
TEST(Retarget, where_rest_and_bind_differ_bind_counts) {
  HumanOptions options;
  options.names = cmu_names();
  const Skeleton source = human(options), target = human();
  const Clip walk = human_clip(options, human_walk(), 31, 1);
  Skeleton saved = target;
  for (const char* joint : {"thigh.L", "shin.R", "forearm.L", "spine"}) {
    saved.joints[find_joint(saved, joint)].rest.rotation = rotation_about(Vec3{1, 0, 0}, 0.5);
  }
  const Clip expected = play(source, walk, target).clip, result = play(source, walk, saved).clip;
  expect_same_places(globals_at(target, expected, 0.4), globals_at(saved, result, 0.4), 1, 1e-9);
}

TEST(Retarget, a_moment_can_stand_for_the_rest_pose) {
  HumanOptions options;
  options.names = cmu_names();
  Skeleton source = human(options);
  const Skeleton target = human();
  const HumanMotion first_at_rest = {
      [](const std::string& name, double time) {
        return name.starts_with("thigh") ? rotation_about(Vec3{1, 0, 0}, -time) : Quat{};
      },
      [](double) { return Vec3{}; }};
  const Clip motion = human_clip(options, first_at_rest, 11, 1);
  // Its own rest pose is none that a body can take.
  for (Joint& joint : source.joints) joint.rest.rotation = rotation_about(Vec3{0, 0, 1}, 1.0);
  RetargetOptions from_start = exact_keys();
  from_start.rest_time = 0;
  const Clip result = play(source, motion, target, from_start).clip;
  const Clip expected = human_clip({}, first_at_rest, 11, 1);
  expect_same_places(globals_at(target, expected, 1), globals_at(target, result, 1), 1, 1e-9);
}

TEST(Retarget, joints_of_any_name_move_each_other_if_somebody_says_so) {
  const auto chain = [](const char* prefix, double length, const Vec3& along) {
    Skeleton skeleton;
    for (int j = 0; j < 4; ++j) {
      Joint joint;
      joint.name = prefix + std::to_string(j);
      joint.parent = j - 1;
      if (j > 0) joint.rest.translation = along * length;
      skeleton.joints.push_back(joint);
    }
    skeleton.bones = bones_from_joints(skeleton);
    return skeleton;
  };
  const Skeleton source = chain("a", 1, {0, 1, 0}), target = chain("b", 3, {1, 0, 0});
  Clip motion;
  Curve<Quat> curve;
  curve.times = {0, 1};
  curve.values = {Quat{}, rotation_about(Vec3{0, 0, 1}, 1.0)};
  motion.channels.emplace_back(RotationChannel{1, curve});
  JointMap map;
  for (int j = 0; j < 4; ++j) map.pairs.push_back({j, j});
  const Retargeted result = retarget(source, motion, target, map, exact_keys());
  EXPECT_NEAR(result.scale, 3, 1e-12);
  // The root does not turn; the others point where the source's do.
  const auto globals = globals_at(target, result.clip, 1);
  const Vec3 along = normalized(globals[2].translation - globals[1].translation);
  EXPECT_NEAR(distance(along, {-std::sin(1.0), std::cos(1.0), 0}), 0, 1e-9);
}

TEST(Retarget, computed_joints_get_no_channels) {
  const Skeleton skeleton = human();
  const Clip walk = human_clip({}, human_walk(), 5, 1);
  const JointIndex shin = find_joint(skeleton, "shin.L");
  RetargetOptions options = exact_keys();
  options.computed = {shin};
  const Retargeted result = play(skeleton, walk, skeleton, options);
  ASSERT_EQ(result.left_out.size(), 1u);
  EXPECT_EQ(result.left_out[0].target, shin);
  const auto has_channel = [](const Clip& clip, JointIndex joint) {
    return std::any_of(clip.channels.begin(), clip.channels.end(),
                       [&](const Channel& channel) { return joint_of(channel) == joint; });
  };
  EXPECT_FALSE(has_channel(result.clip, shin));
  EXPECT_TRUE(has_channel(result.clip, find_joint(skeleton, "foot.L")));
  EXPECT_TRUE(has_channel(play(skeleton, walk, skeleton).clip, shin));

  // Nor one that would put a joint in no pair back to where it was bound.
  Skeleton moved = skeleton;
  const JointIndex head = find_joint(skeleton, "head");
  moved.joints[head].rest.rotation = rotation_about(Vec3{1, 0, 0}, 0.3);
  JointMap map = map_joints(skeleton, moved);
  std::erase_if(map.pairs, [&](const JointPair& pair) { return pair.target == head; });
  EXPECT_TRUE(has_channel(retarget(skeleton, walk, moved, map).clip, head));
  options.computed = {head};
  EXPECT_FALSE(has_channel(retarget(skeleton, walk, moved, map, options).clip, head));
  options.computed = {99};
  EXPECT_EQ(wrong_usage([&] { retarget(skeleton, walk, moved, map, options); }),
            "there is no joint 99 to be computed; there are 23");
}

TEST(Retarget, what_cannot_be_played_is_refused) {
  HumanOptions options;
  options.names = cmu_names();
  const Skeleton source = human(options), target = human();
  const Clip walk = human_clip(options, human_walk(), 3, 1);
  const JointMap map = map_joints(source, target);
  EXPECT_EQ(bad_input([&] { retarget(source, {}, target, map); }),
            "motion: it has no frames, so there is nothing to play");
  const std::string lists = bad_input([&] { retarget(source, walk, target, {}); });
  EXPECT_NE(lists.find("no joint of the motion has a name"), std::string::npos) << lists;
  EXPECT_NE(lists.find("The motion's joints: Hips, LowerBack, "), std::string::npos) << lists;
  EXPECT_NE(lists.find("The rig's joints: hips, spine, "), std::string::npos) << lists;
  JointMap legs;
  for (const JointPair& pair : map.pairs) {
    const std::string& name = target.joints[pair.target].name;
    if (name.starts_with("thigh") || name.starts_with("shin")) legs.pairs.push_back(pair);
  }
  EXPECT_NE(bad_input([&] { retarget(source, walk, target, legs); }).find("moves the rig's hips"),
            std::string::npos);
  JointMap wrong;
  wrong.pairs = {{0, 99}};
  EXPECT_EQ(wrong_usage([&] { retarget(source, walk, target, wrong); }),
            "the map pairs joint 0 with joint 99, but there are 23 and 23");
  RetargetOptions fast;
  fast.fps = 1e9;
  EXPECT_EQ(bad_input([&] { retarget(source, walk, target, map, fast); }),
            "motion: 1 seconds at 1000000000 frames per second are more than 2000000 frames");
  fast.fps = -1;
  EXPECT_NE(wrong_usage([&] { retarget(source, walk, target, map, fast); }), "");
  Skeleton huge = source;
  for (Joint& joint : huge.joints) joint.rest.translation *= 1e308;
  EXPECT_NE(bad_input([&] { retarget(huge, walk, target, map); }), "");
  Skeleton flat = target;
  flat.joints[0].rest.scale = {1, 0, 1};
  EXPECT_NE(bad_input([&] { retarget(source, walk, flat, map); }).find("scaled to nothing"),
            std::string::npos);
}

TEST(Retarget, two_million_frames_are_the_most) {
  Skeleton skeleton;
  skeleton.joints.resize(2);
  skeleton.joints[0].name = "hips";
  skeleton.joints[1].name = "spine";
  skeleton.joints[1].parent = 0;
  skeleton.joints[1].rest.translation = {0, 1, 0};
  const JointMap map = map_joints(skeleton, skeleton);
  Clip turn;
  Curve<Quat> curve;
  curve.times = {0, 1};
  curve.values = {Quat{}, rotation_about(Vec3{0, 1, 0}, 1.0)};
  turn.channels.push_back(RotationChannel{0, curve});
  RetargetOptions options;
  options.fps = 1999999;
  const Retargeted result = retarget(skeleton, turn, skeleton, map, options);
  EXPECT_EQ(result.frames, 2000000u);
  expect_same_rotation(locals_at(skeleton, result.clip, 0.5)[0].rotation,
                       rotation_about(Vec3{0, 1, 0}, 0.5), 2e-3);
  options.fps = 2000000;
  EXPECT_EQ(bad_input([&] { retarget(skeleton, turn, skeleton, map, options); }),
            "motion: 1 seconds at 2000000 frames per second are more than 2000000 frames");
  TranslationChannel many{0, {}};
  for (int k = 0; k <= 2000000; ++k) {
    many.curve.times.push_back(k / 1000.0);
    many.curve.values.push_back({0, k % 2 / 10.0, 0});
  }
  turn.channels.push_back(std::move(many));
  EXPECT_EQ(bad_input([&] { retarget(skeleton, turn, skeleton, map); }),
            "motion: it has 2000001 frames; 2000000 are the most");
}

}  // namespace
}  // namespace sinew
