// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/pose_json.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

std::string place_of_pose_error(const char* json) {
  try {
    parse_pose(json, make_tube());
  } catch (const InputError& error) {
    return error.place();
  }
  return "no error";
}

TEST(PoseFile, bones_have_ends_and_perhaps_rotation_and_twist) {
  const PoseFile file = parse_pose(R"({"bones": [
      {"start": [0, 0, 0], "end": [0, 1, 0]},
      {"start": [0, 1, 0], "end": [0, 2, 0], "rotation": [0, 0, 0.6, 0.8], "twist": [-90, 720]}]})",
                                   make_tube());
  const auto& bones = std::get<std::vector<BonePose>>(file);
  EXPECT_EQ(bones[0], (BonePose{{0, 0, 0}, {0, 1, 0}, {}, 0, 0}));
  EXPECT_NEAR(bones[1].rotation->z, 0.6, 1e-15);
  EXPECT_NEAR(bones[1].twist_start, -pi / 2, 1e-15);
  EXPECT_NEAR(bones[1].twist_end, 4 * pi, 1e-14);
}

TEST(PoseFile, joints_go_by_name_or_index_and_the_rest_is_at_rest) {
  const Rig rig = make_tube();
  const PoseFile file = parse_pose(R"({"joints": {"bone1": {"translation": [2, 0, 0]},
                                                  "0": {"scale": [1, 2, 3]}}})",
                                   rig);
  const Pose& pose = std::get<Pose>(file);
  EXPECT_EQ(pose.joints[1].translation, (Vec3{2, 0, 0}));
  EXPECT_EQ(pose.joints[0].scale, (Vec3{1, 2, 3}));
  EXPECT_EQ(pose.joints[1].rotation, Quat{});
}

TEST(PoseFile, generalized_bones_follow) {
  Rig rig = make_tube({.bones = 3});
  rig.controls = {{"breath", 0}};
  rig.drivers = {{2, RotationShare{1, 0.5}}};
  const PoseFile file = parse_pose(
      R"({"joints": {"1": {"rotation": [0, 0, 0.6, 0.8]}}, "controls": {"breath": 0.25}})", rig);
  const Pose& pose = std::get<Pose>(file);
  EXPECT_NEAR(rotation_angle(pose.joints[2].rotation), rotation_angle(pose.joints[1].rotation) / 2,
              1e-12);
  EXPECT_EQ(pose.controls[0], 0.25);
}

TEST(PoseFile, members_without_a_meaning_are_refused_by_name) {
  EXPECT_EQ(place_of_pose_error(R"({"joints": {}, "bone": []})"), "/bone");
  EXPECT_EQ(place_of_pose_error(R"({"joints": {"0": {"rotate": [0, 0, 0, 1]}}})"),
            "/joints/0/rotate");
  EXPECT_EQ(
      place_of_pose_error(R"({"bones": [{"start": [0, 0, 0], "end": [0, 1, 0], "twists": [0, 9]},
                                         {"start": [0, 1, 0], "end": [0, 2, 0]}]})"),
      "/bones/0/twists");
  EXPECT_EQ(place_of_pose_error(R"({"bones": [{"start": [0, 0, 0], "end": [0, 1, 0]},
                                         {"start": [0, 1, 0], "end": [0, 2, 0]}], "shapes": {}})"),
            "/shapes");
}

TEST(PoseFile, errors_name_the_json_pointer) {
  EXPECT_EQ(place_of_pose_error("{}"), "/");
  EXPECT_EQ(place_of_pose_error(R"({"bones": []})"), "/bones");
  EXPECT_EQ(place_of_pose_error(R"({"bones": [{"start": [0, 0, 0]}, {}]})"), "/bones/0/end");
  EXPECT_EQ(place_of_pose_error(R"({"bones": [{"start": [0, 0], "end": [0, 1, 0]}, {}]})"),
            "/bones/0/start");
  EXPECT_EQ(place_of_pose_error(R"({"joints": {"elbow": {}}})"), "/joints/elbow");
  EXPECT_EQ(place_of_pose_error(R"({"joints": {"2": {}}})"), "/joints/2");
  EXPECT_EQ(place_of_pose_error(R"({"joints": {"0": {"rotation": [0, 0, 0, 2]}}})"),
            "/joints/0/rotation");
  EXPECT_EQ(place_of_pose_error(R"({"joints": []})"), "/joints");
}

}  // namespace
}  // namespace sinew
