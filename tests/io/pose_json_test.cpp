// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/pose_json.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/samples/samples.h"
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
  const Pose& pose = std::get<ToldPose>(file);
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
  const Pose& pose = std::get<ToldPose>(file);
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

ToldPose joint_pose(const std::string& json, const Rig& rig) {
  return std::get<ToldPose>(parse_pose(json, rig));
}

TEST(PoseFile, joints_bend_twist_and_stretch_relative_to_rest_in_degrees) {
  const Rig rig = make_tube({.bones = 3});
  const ToldPose pose = joint_pose(
      R"({"joints": {"bone1": {"twist": 340, "stretch": 1.6, "bend": [30, "y"]}}})", rig);
  ToldPose same{rest_pose(rig), {}, {}};
  const PoseTeller teller(rig.skeleton);
  const ToldBend bend{{0, 1, 0}, radians(30)};
  teller.turn(same, 1, std::span(&bend, 1), radians(340));
  teller.stretch(same, 1, 1.6);
  EXPECT_EQ(pose, same);
  EXPECT_EQ(pose.joints[2].translation, (Vec3{1.6, 0, 0}));
}

TEST(PoseFile, bends_have_an_axis_by_name_or_by_numbers_and_may_be_several) {
  const Rig rig = make_tube();
  const auto rotation = [&](const std::string& bend) {
    return joint_pose(R"({"joints": {"1": {"bend": )" + bend + "}}}", rig).joints[1].rotation;
  };
  EXPECT_EQ(rotation("[]"), Quat{});
  EXPECT_EQ(rotation("[0, \"x\"]"), Quat{});
  EXPECT_NEAR(degrees(rotation_angle(rotation("[30, \"x\"]"))), 30, 1e-12);
  EXPECT_EQ(rotation("[30, \"z\"]"), rotation("[30, [0, 0, 7]]"));
  EXPECT_EQ(rotation("[[30, \"z\"]]"), rotation("[30, \"z\"]"));
  const Vec3 image = rotate(rotation(R"([[90, "z"], [90, "x"]])"), Vec3{1, 0, 0});
  EXPECT_LT(distance(image, Vec3{0, 0, 1}), 1e-15);
}

TEST(PoseFile, raw_values_are_where_bends_twists_and_stretches_start_from) {
  const Rig rig = make_tube({.bones = 3});
  const ToldPose pose = joint_pose(R"({"joints": {
      "bone1": {"rotation": [0, 0, 0.6, 0.8], "bend": [30, "x"], "stretch": 2},
      "bone2": {"translation": [1.25, 0, 0.5]}}})",
                                   rig);
  const Quat wanted = Quat{0, 0, 0.6, 0.8} * rotation_about(Vec3{1, 0, 0}, radians(30));
  EXPECT_LT(rotation_angle(conjugate(wanted) * pose.joints[1].rotation), 1e-12);
  EXPECT_EQ(pose.joints[2].translation, (Vec3{2.25, 0, 0.5}));
}

TEST(PoseFile, an_unknown_joint_is_refused_with_the_nearest_names) {
  try {
    parse_pose(R"({"joints": {"bone_1": {"twist": 5}}})", make_tube());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(error.problem().find("did you mean 'bone1'"), std::string::npos) << error.what();
  }
}

TEST(PoseFile, errors_of_bends_twists_and_stretches_name_the_json_pointer) {
  const auto place = [](const std::string& joint) {
    return place_of_pose_error((R"({"joints": {"bone1": )" + joint + "}}").c_str());
  };
  EXPECT_EQ(place(R"({"twist": "far"})"), "/joints/bone1/twist");
  EXPECT_EQ(place(R"({"twist": 36001})"), "/joints/bone1/twist");
  EXPECT_EQ(place(R"({"twist": [1, 2]})"), "/joints/bone1/twist");
  EXPECT_EQ(place(R"({"stretch": 0})"), "/joints/bone1/stretch");
  EXPECT_EQ(place(R"({"stretch": -2})"), "/joints/bone1/stretch");
  EXPECT_EQ(place(R"({"stretch": [1]})"), "/joints/bone1/stretch");
  EXPECT_EQ(place(R"({"bend": 30})"), "/joints/bone1/bend");
  EXPECT_EQ(place(R"({"bend": [30]})"), "/joints/bone1/bend");
  EXPECT_EQ(place(R"({"bend": [30, "x", "y"]})"), "/joints/bone1/bend");
  EXPECT_EQ(place(R"({"bend": [30, "w"]})"), "/joints/bone1/bend/1");
  EXPECT_EQ(place(R"({"bend": [30, [0, 0, 0]]})"), "/joints/bone1/bend/1");
  EXPECT_EQ(place(R"({"bend": [30, [0, 1]]})"), "/joints/bone1/bend/1");
  EXPECT_EQ(place(R"({"bend": [[30, "x"], ["x", 30]]})"), "/joints/bone1/bend/1/0");
  EXPECT_EQ(place(R"({"bend": ["x", 30]})"), "/joints/bone1/bend/0");
  EXPECT_EQ(place("7"), "/joints/bone1");
}

TEST(PoseFile, joints_without_a_bone_neither_twist_nor_stretch) {
  Rig rig = make_tube();
  rig.skeleton.joints.push_back({"node", no_joint, {}, true});
  const auto place = [&](const char* json) {
    try {
      parse_pose(json, rig);
    } catch (const InputError& error) {
      return error.place();
    }
    return std::string("no error");
  };
  EXPECT_EQ(place(R"({"joints": {"node": {"twist": 5}}})"), "/joints/node/twist");
  EXPECT_EQ(place(R"({"joints": {"node": {"stretch": 2}}})"), "/joints/node/stretch");
  EXPECT_EQ(place(R"({"joints": {"node": {"twist": 0, "stretch": 1, "bend": [5, "x"]}}})"),
            "no error");
  const ToldPose rest{rest_pose(rig), {}, {}};
  EXPECT_EQ(joint_pose(write_pose(rig, rest), rig), rest);
}

TEST(PoseFile, a_written_rest_pose_is_read_back_with_the_same_bits) {
  for (const char* name : {"arm", "tube3"}) {
    Rig rig = make_sample(name, 300);
    rig.drivers.clear();
    for (Joint& joint : rig.skeleton.joints) {
      const double j = double(&joint - rig.skeleton.joints.data());
      joint.rest.rotation = normalized(Quat{0.1 * j, 0.3, -0.7, 1.1});
    }
    const ToldPose rest{rest_pose(rig), {}, {}};
    EXPECT_EQ(joint_pose(write_pose(rig, rest), rig), rest) << name;
  }
}

TEST(PoseFile, generalized_bones_are_left_out_and_computed_when_read) {
  const Rig rig = make_sample("mannequin", 300);
  const std::string text = write_pose(rig, {rest_pose(rig), {}, {}});
  EXPECT_EQ(text.find("kneecap.L"), std::string::npos);
  EXPECT_NE(text.find("breathing"), std::string::npos);
  EXPECT_EQ(joint_pose(text, rig), joint_pose(R"({"joints": {}})", rig));
}

TEST(PoseFile, what_generalized_bones_compute_is_not_posed) {
  Rig rig = make_tube({.bones = 3});
  rig.drivers = {{2, RotationShare{0, 0.5}}};
  const auto place = [&](const char* json) {
    try {
      parse_pose(json, rig);
    } catch (const InputError& error) {
      return error.place();
    }
    return std::string("no error");
  };
  EXPECT_EQ(place(R"({"joints": {"bone2": {"twist": 5}}})"), "/joints/bone2/twist");
  EXPECT_EQ(place(R"({"joints": {"bone2": {"bend": [5, "x"]}}})"), "/joints/bone2/bend");
  EXPECT_EQ(place(R"({"joints": {"bone1": {"stretch": 2}}})"), "/joints/bone1/stretch");
  EXPECT_EQ(place(R"({"joints": {"bone1": {"stretch": 1}, "bone0": {"stretch": 2}}})"), "no error");
  EXPECT_EQ(place(R"({"joints": {"bone2": {"stretch": 2}}})"), "no error");
}

TEST(PoseFile, joints_without_a_name_of_their_own_go_by_number) {
  Rig rig = make_tube({.bones = 3});
  rig.skeleton.joints[1].name = "";
  rig.skeleton.joints[2].name = "bone0";
  ToldPose pose{rest_pose(rig), {}, {}};
  pose.joints[1].translation = {7, 0, 0};
  pose.joints[2].translation = {8, 0, 0};
  EXPECT_EQ(joint_pose(write_pose(rig, pose), rig), pose);
  rig.skeleton.joints[0].name = "1";
  EXPECT_THROW(write_pose(rig, pose), InputError);
}

TEST(PoseFile, written_twists_keep_their_turns_and_written_tails_their_length) {
  const Rig rig = make_tube({.bones = 3});
  const ToldPose pose = joint_pose(R"({"joints": {"1": {"twist": -500, "bend": [40, "z"]},
                                                  "2": {"stretch": 1.75}}})",
                                   rig);
  const ToldPose again = joint_pose(write_pose(rig, pose), rig);
  EXPECT_EQ(again.tails, pose.tails);
  ASSERT_EQ(again.twists.size(), 1u);
  EXPECT_NEAR(again.twists[0].angle, pose.twists[0].angle, 1e-12);
  EXPECT_LT(rotation_angle(conjugate(again.joints[1].rotation) * pose.joints[1].rotation), 1e-12);
}

}  // namespace
}  // namespace sinew
