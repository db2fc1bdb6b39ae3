// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/keys_json.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/io/pose_json.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

std::string place_of_keys_error(const std::string& json) {
  try {
    parse_keys(json, make_tube());
  } catch (const InputError& error) {
    return error.place();
  }
  return "no error";
}

TEST(KeysFile, keys_have_a_time_a_pose_and_perhaps_an_ease) {
  const Rig rig = make_tube();
  const KeysFile file = parse_keys(R"({"name": "wave", "loop": true, "keys": [
      {"time": 0, "pose": {"joints": {}}},
      {"time": 0.5, "pose": {"joints": {"bone1": {"twist": 90}}}, "ease": "smooth"},
      {"time": 2, "pose": {}, "ease": "step"}]})",
                                   rig);
  EXPECT_EQ(file.name, "wave");
  EXPECT_TRUE(file.loop);
  ASSERT_EQ(file.keys.size(), 3u);
  EXPECT_EQ(file.keys[0].ease, Ease::linear);
  EXPECT_EQ(file.keys[1].time, 0.5);
  EXPECT_EQ(file.keys[1].ease, Ease::smooth);
  EXPECT_EQ(file.keys[2].ease, Ease::step);
  EXPECT_EQ(file.keys[1].pose,
            std::get<ToldPose>(parse_pose(R"({"joints": {"bone1": {"twist": 90}}})", rig)));
  EXPECT_FALSE(parse_keys(R"({"keys": [{"time": 1, "pose": {}}]})", rig).loop);
}

TEST(KeysFile, errors_name_the_json_pointer) {
  EXPECT_EQ(place_of_keys_error("{}"), "/keys");
  EXPECT_EQ(place_of_keys_error(R"({"keys": []})"), "/keys");
  EXPECT_EQ(place_of_keys_error(R"({"keys": [], "fps": 30})"), "/fps");
  EXPECT_EQ(place_of_keys_error(R"({"keys": [{"pose": {}}]})"), "/keys/0/time");
  EXPECT_EQ(place_of_keys_error(R"({"keys": [{"time": 0}]})"), "/keys/0/pose");
  EXPECT_EQ(place_of_keys_error(R"({"keys": [{"time": "0", "pose": {}}]})"), "/keys/0/time");
  EXPECT_EQ(place_of_keys_error(R"({"keys": [{"time": 0, "pose": {}, "ease": "fast"}]})"),
            "/keys/0/ease");
  EXPECT_EQ(place_of_keys_error(R"({"keys": [{"time": 0, "pose": {"bones": []}}]})"),
            "/keys/0/pose");
  EXPECT_EQ(place_of_keys_error(
                R"({"keys": [{"time": 0, "pose": {"joints": {"bone1": {"bend": [1, "q"]}}}}]})"),
            "/keys/0/pose/joints/bone1/bend/1");
  EXPECT_EQ(place_of_keys_error(R"({"name": 3, "keys": [{"time": 0, "pose": {}}]})"), "/name");
  EXPECT_EQ(place_of_keys_error(R"({"loop": 1, "keys": [{"time": 0, "pose": {}}]})"), "/loop");
}

}  // namespace
}  // namespace sinew
