// SPDX-License-Identifier: Apache-2.0
// Targets in pose and key files.
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/io/keys_json.h"
#include "sinew/io/pose_json.h"
#include "tests/motion/ik_rigs.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

Rig armed_rig() {
  Rig rig;
  rig.skeleton = two_arms();
  rig.skeleton.bones = bones_from_joints(rig.skeleton);
  return rig;
}

ToldPose posed_by(const Rig& rig, const std::string& json,
                  std::vector<std::string>* notes = nullptr) {
  return std::get<ToldPose>(parse_pose(json, rig, notes));
}

std::string target_error(const std::string& json) {
  try {
    parse_pose(json, armed_rig());
  } catch (const InputError& error) {
    return error.place() + ": " + error.problem();
  }
  return "no error";
}

TEST(PoseTargets, a_target_is_what_the_solver_makes_of_it) {
  const Rig rig = armed_rig();
  const ToldPose pose = posed_by(rig, R"({"targets": {"hand.L": {"position": [0.4, 1.5, 0.3],
      "pole": [0.3, 1, -1], "rotation": [0, 0, 0.6, 0.8]}}})");
  IkGoal goal = at({0.4, 1.5, 0.3});
  goal.pole = Vec3{0.3, 1, -1};
  goal.rotation = Quat{0, 0, 0.6, 0.8};
  EXPECT_EQ(pose.joints, reach(rig.skeleton, {6}, goal, rest_of(rig.skeleton)));
}

TEST(PoseTargets, they_are_solved_from_the_joints_beside_them) {
  const Rig rig = armed_rig();
  const std::string joints = R"("joints": {"chest": {"bend": [20, "y"]}})";
  const ToldPose bent = posed_by(rig, "{" + joints + "}");
  const ToldPose pose =
      posed_by(rig, "{" + joints + R"(, "targets": {"6": {"position": [0.5, 1.6, 0.2]}}})");
  EXPECT_EQ(pose.joints, reach(rig.skeleton, {6}, at({0.5, 1.6, 0.2}), bent.joints));
  EXPECT_EQ(pose.joints[2], bent.joints[2]);
  // A target without a position is a pin.
  const ToldPose pinned = posed_by(
      rig,
      R"({"targets": {"hips": {"position": [0.004, 1.03, 0]}, "hand.L": {}, "hand.R": {"rotation":
      "kept"}}})");
  const auto before = places(rig.skeleton, rest_of(rig.skeleton));
  EXPECT_LT(distance(places(rig.skeleton, pinned.joints)[6], before[6]), 1e-12);
  const auto hand = [&](const std::vector<Transform>& locals) {
    return forward_kinematics(rig.skeleton, locals)[10];
  };
  const Affine was = hand(rest_of(rig.skeleton)), is = hand(pinned.joints);
  EXPECT_LT(distance(is.linear.x, was.linear.x), 1e-12);
  EXPECT_LT(distance(is.translation, was.translation), 1e-12);
}

TEST(PoseTargets, lengths_stiffness_limits_and_roots_are_read) {
  const Rig rig = armed_rig();
  std::vector<std::string> notes;
  const std::string far = R"({"targets": {"hand.L": {"position": [1.5, 1.5, 0], "root": "arm.L",
      "lengths": ")";
  const ToldPose kept = posed_by(rig, far + R"(kept"}}})", &notes);
  EXPECT_LT(length_change(rig.skeleton, rest_of(rig.skeleton), kept.joints), 1e-9);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].find("joint 6 (hand.L) cannot reach its target and stops 0.7"), 0u)
      << notes[0];
  notes.clear();
  const ToldPose longer =
      posed_by(rig, far + R"(beyond-reach"}}, "stiffness": {"arm.L": "rigid"}})", &notes);
  EXPECT_EQ(longer.joints[5].translation, rig.skeleton.joints[5].rest.translation);
  EXPECT_GT(length(longer.joints[6].translation), 0.9);
  EXPECT_LT(distance(places(rig.skeleton, longer.joints)[6], {1.5, 1.5, 0}), 1e-12);
  EXPECT_TRUE(notes.empty());
  const ToldPose free = posed_by(
      rig, R"({"targets": {"forearm.L": {"position": [0.4, 1.8, 0.3], "lengths": "free"}}})");
  const auto before = places(rig.skeleton, rest_of(rig.skeleton));
  EXPECT_LT(distance(places(rig.skeleton, free.joints)[6], before[6]), 1e-12);
  const ToldPose limited = posed_by(rig, R"({"targets": {"hand.L": {"position": [0.5, 1.9, 0.2],
      "root": "collar.L"}}, "limits": {"collar.L": {"cone": 10, "twist": [-5, 5]},
      "forearm.L": {"hinge": [0, 0, 2], "range": [-20, 140]},
      "arm.L": {"x": [-30, 30], "y": [-90, 90]}}})");
  const Quat collar = conjugate(rig.skeleton.joints[3].rest.rotation) * limited.joints[3].rotation;
  EXPECT_LT(degrees(rotation_angle(collar)), std::sqrt(125.0) + 1e-6);
  const Quat elbow = conjugate(rig.skeleton.joints[5].rest.rotation) * limited.joints[5].rotation;
  EXPECT_LT(std::hypot(elbow.x, elbow.y), 1e-9);
}

TEST(PoseTargets, limits_of_the_rig_hold_unless_the_pose_has_others) {
  Rig rig = armed_rig();
  const std::string target = R"({"targets": {"hand.L": {"position": [0.5, 1.9, 0.2]}})";
  const auto elbow = [&](const std::string& more) {
    const ToldPose pose = posed_by(rig, target + more + "}");
    return conjugate(rig.skeleton.joints[5].rest.rotation) * pose.joints[5].rotation;
  };
  const double bend = degrees(rotation_angle(elbow("")));
  ASSERT_GT(bend, 20);
  rig.limits = {{5, ConeLimit{{0, 1, 0}, radians(10), 0, 0}}};
  EXPECT_NEAR(degrees(rotation_angle(elbow(""))), 10, 1e-6);
  EXPECT_NEAR(degrees(rotation_angle(elbow(R"(, "limits": {"arm.L": {"cone": 180}})"))), 10, 1e-6);
  EXPECT_NEAR(
      degrees(rotation_angle(elbow(R"(, "limits": {"forearm.L": {"cone": 15, "twist": [0, 0]}})"))),
      15, 1e-6);
  EXPECT_NEAR(degrees(rotation_angle(elbow(R"(, "limits": {"forearm.L": null})"))), bend, 1e-9);
  EXPECT_EQ(target_error(target + R"(, "limits": {"forearm.L": null, "5": {"cone": 1}}})"),
            "/limits/forearm.L: the joint has a limit already, by name or by number");
}

TEST(PoseTargets, errors_name_the_place) {
  const auto target = [](const std::string& members) {
    return target_error(R"({"targets": {"hand.L": {)" + members + "}}}");
  };
  EXPECT_EQ(target_error(R"({"targets": {"hand.X": {}}})").find("/targets/hand.X: the rig has no"),
            0u);
  EXPECT_EQ(target(R"("position": [1, 2])").find("/targets/hand.L/position: "), 0u);
  EXPECT_EQ(target(R"("position": [1e200, 2, 0])"),
            "/targets/hand.L/position: is too large to compute with");
  EXPECT_EQ(target(R"("rotation": [1, 1, 1, 1])").find("/targets/hand.L/rotation: "), 0u);
  EXPECT_EQ(target(R"("weight": 2)"), "/targets/hand.L/weight: a weight is from 0 to 1");
  EXPECT_EQ(target(R"("lengths": "elastic")"),
            "/targets/hand.L/lengths: must be one of \"kept\", \"free\", \"beyond-reach\"");
  EXPECT_EQ(target(R"("root": "arm.R")").find("/targets/hand.L/root: the chain of joint 6"), 0u);
  EXPECT_EQ(target(R"("lengths": "free", "pole": [0, 0, 0])"),
            "/targets/hand.L/pole: has no meaning with \"lengths\": \"free\"");
  EXPECT_EQ(target(R"("children": "stay")").find("/targets/hand.L/children: only has"), 0u);
  EXPECT_EQ(target(R"("speed": 1)").find("/targets/hand.L/speed: "), 0u);
  EXPECT_EQ(target_error(R"({"targets": {"hand.L": {}, "6": {}}})"),
            "/targets: joint 6 (hand.L) has two handles");
  const auto beside = [](const std::string& members) {
    return target_error(R"({"targets": {"hand.L": {}}, )" + members + "}");
  };
  EXPECT_EQ(beside(R"("limits": {"arm.L": {"hinge": [0, 0, 0]}})"),
            "/limits/arm.L/hinge: an axis must have a length");
  EXPECT_EQ(beside(R"("limits": {"arm.L": {"cone": 200}})").find("/limits/arm.L: a limit goes"),
            0u);
  EXPECT_EQ(beside(R"("limits": {"arm.L": {"x": [10, 20]}})").find("/limits/arm.L: a limit goes"),
            0u);
  EXPECT_EQ(beside(R"("limits": {"arm.L": {}})").find("/limits/arm.L: a limit has a"), 0u);
  EXPECT_EQ(beside(R"("stiffness": {"arm.L": -1})"),
            "/stiffness/arm.L: a stiffness is a number above 0, or \"rigid\"");
  EXPECT_EQ(beside(R"("softness": 1)"), "/softness: a softness is from 0 to 0.5");
  Rig driven = armed_rig();
  driven.drivers = {{6, RotationShare{5, 0.5}}};
  EXPECT_EQ(bad_input([&] { parse_pose(R"({"targets": {"hand.L": {}}})", driven); }),
            "/targets/hand.L: the joint is computed, so it cannot reach for a target");
  EXPECT_EQ(target_error(R"({"joints": {}, "limits": {}})"),
            "/limits: has no meaning without \"targets\"");
}

// The hand goes from key to key on a straight line, at all times.
TEST(PoseTargets, a_clip_follows_targets_between_keys) {
  const Rig rig = armed_rig();
  const KeysFile file = parse_keys(R"({"keys": [
      {"time": 0, "pose": {"targets": {"hand.L": {"position": [0.6, 1.5, 0.2]}}}},
      {"time": 1, "pose": {"targets": {"hand.L": {"position": [0.4, 1.4, 0.4]}}}, "ease": "smooth"},
      {"time": 2, "pose": {"targets": {"hand.L": {"position": [0.6, 1.7, 0.3]}}}},
      {"time": 3, "pose": {}}]})",
                                   rig);
  std::vector<std::string> notes;
  const Clip clip =
      solve_targets(rig, clip_from_poses(rig, "reach", file.keys), file.keys, 60, &notes);
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(duration(clip), 3);
  const auto hand = [&](double time) {
    return places(rig.skeleton, pose_at(rig, clip, time).joints)[6];
  };
  const Vec3 a{0.6, 1.5, 0.2}, b{0.4, 1.4, 0.4}, c{0.6, 1.7, 0.3};
  for (double t = 0; t <= 1; t += 0.01) {
    EXPECT_LT(distance(hand(t), lerp(a, b, t)), 1e-4) << t;
    EXPECT_LT(distance(hand(1 + t), lerp(b, c, t * t * (3 - 2 * t))), 1e-4) << t;
  }
  // A key without the target lets go of it.
  const Vec3 home = places(rig.skeleton, rest_of(rig.skeleton))[6];
  EXPECT_LT(distance(hand(2.5), lerp(home, c, 0.5)), 1e-4);
  const auto end = pose_at(rig, clip, 3).joints;
  EXPECT_LT(largest_turn_between(rig.skeleton, rest_of(rig.skeleton), end), 1e-7);
  // Only the joints of the chain and the hand turn.
  for (const Channel& channel : clip.channels) {
    if (std::holds_alternative<RotationChannel>(channel)) {
      EXPECT_GE(joint_of(channel), 4);
    }
  }
}

TEST(PoseTargets, keys_agree_about_what_a_target_is) {
  const Rig rig = armed_rig();
  const auto made = [&](const std::string& first, const std::string& second) {
    const KeysFile file = parse_keys(R"({"keys": [{"time": 0, "pose": {)" + first +
                                         R"(}}, {"time": 1, "pose": {)" + second + "}}]}",
                                     rig);
    try {
      solve_targets(rig, clip_from_poses(rig, "reach", file.keys), file.keys);
    } catch (const InputError& error) {
      return error.place() + ": " + error.problem();
    }
    return std::string("no error");
  };
  const std::string target = R"("targets": {"hand.L": {"position": [0.6, 1.5, 0.2]}})";
  EXPECT_EQ(made(target, target), "no error");
  EXPECT_EQ(made(target, R"("targets": {"hand.L": {"position": [0, 1, 0], "root": "chest"}})")
                .find("/keys/1: the target of joint 6 (hand.L) has another root"),
            0u);
  EXPECT_EQ(
      made(target, R"("targets": {"hand.L": {}})")
          .find("/keys/1: the target of joint 6 (hand.L) has a position, rotation or pole in"),
      0u);
  EXPECT_EQ(made(target, target + R"(, "softness": 0.1)")
                .find("/keys/1: its limits, stiffness or softness differ from those of key 0"),
            0u);
}

TEST(PoseTargets, two_million_keys_are_the_most) {
  const Rig rig = armed_rig();
  const auto made = [&](const std::string& time, double rate) {
    const std::string pose = R"("pose": {"targets": {"hand.L": {"rotation": "kept"}}})";
    const KeysFile file = parse_keys(
        R"({"keys": [{"time": 0, )" + pose + R"(}, {"time": )" + time + ", " + pose + "}]}", rig);
    return bad_input(
        [&] { solve_targets(rig, clip_from_poses(rig, "long", file.keys), file.keys, rate); });
  };
  EXPECT_EQ(made("1", 1999999), "");
  EXPECT_EQ(made("1", 2000000),
            "/keys/1/time: at 1 seconds and 2000000 keys per second, the targets take more than "
            "2000000 keys");
  EXPECT_NE(made("1000000", 60), "");
  EXPECT_NE(made("1", 1e300), "");
}

TEST(PoseTargets, a_step_waits_for_the_next_key) {
  const Rig rig = armed_rig();
  const KeysFile file = parse_keys(R"({"keys": [
      {"time": 0, "pose": {"targets": {"hand.L": {"position": [0.6, 1.5, 0.2]}}}, "ease": "step"},
      {"time": 1, "pose": {"targets": {"hand.L": {"position": [0.4, 1.4, 0.4]}}}}]})",
                                   rig);
  const Clip clip = solve_targets(rig, clip_from_poses(rig, "jump", file.keys), file.keys, 30);
  const auto hand = [&](double time) {
    return places(rig.skeleton, pose_at(rig, clip, time).joints)[6];
  };
  EXPECT_LT(distance(hand(0.99), {0.6, 1.5, 0.2}), 1e-9);
  EXPECT_LT(distance(hand(1), {0.4, 1.4, 0.4}), 1e-9);
}

}  // namespace
}  // namespace sinew
