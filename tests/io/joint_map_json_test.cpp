// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/joint_map_json.h"

#include <gtest/gtest.h>

#include "tests/support/human.h"
#include "tests/support/input_errors.h"

namespace sinew {
namespace {

Skeleton cmu() {
  HumanOptions options;
  options.names = cmu_names();
  return human(options);
}

TEST(JointMapJson, a_mapping_is_read) {
  const Skeleton source = cmu(), target = human();
  const JointMap map = parse_joint_map(
      R"({"Hips": "hips", "Spine1": ["spine", "chest"], "Head": null, "Neck": [], "3": "4"})",
      source, target);
  ASSERT_EQ(map.pairs.size(), 4u);
  EXPECT_EQ(map.pairs[0], (JointPair{3, 4}));
  EXPECT_EQ(map.pairs[1], (JointPair{0, 0}));
  EXPECT_EQ(map.pairs[2], (JointPair{2, 1}));
  EXPECT_EQ(map.pairs[3], (JointPair{2, 2}));
}

TEST(JointMapJson, what_is_written_is_read_back) {
  const Skeleton source = cmu(), target = human();
  JointMap map = map_joints(source, target);
  map.pairs.pop_back();
  map.pairs.push_back({1, 2});
  const std::string text = to_json(map, source, target);
  EXPECT_NE(text.find("\"Hips\": \"hips\""), std::string::npos) << text;
  EXPECT_NE(text.find("\"RightToeBase\": null"), std::string::npos) << text;
  const JointMap again = parse_joint_map(text, source, target);
  EXPECT_EQ(again.pairs.size(), map.pairs.size());
  EXPECT_EQ(to_json(again, source, target), text);
}

TEST(JointMapJson, joints_that_share_a_name_go_by_number) {
  Skeleton source = cmu();
  const Skeleton target = human();
  source.joints[2].name = source.joints[1].name;
  source.joints[3].name = "";
  JointMap map;
  map.pairs = {{1, 1}, {2, 2}, {3, 3}};
  EXPECT_EQ(parse_joint_map(to_json(map, source, target), source, target).pairs.size(), 3u);
  EXPECT_NE(to_json(map, source, target).find("\"2\": \"chest\""), std::string::npos);
}

TEST(JointMapJson, mistakes_are_named_with_their_place) {
  const Skeleton source = cmu(), target = human();
  for (const auto& [text, message] : std::initializer_list<std::pair<const char*, const char*>>{
           {"[]", "/: a mapping is an object, {\"source joint\": \"target joint\", ...}"},
           {R"({"Hip": "hips"})",
            "/Hip: the motion has no joint 'Hip' (did you mean 'Hips'?); it has 23 of them, by "
            "name or by number from 0 on"},
           {R"({"Hips": ["hips", "shin"]})",
            "/Hips/1: the rig has no joint 'shin' (did you mean 'shin.L' or 'shin.R'?); it has 23 "
            "of them, by name or by number from 0 on"},
           {R"({"Hips": ["hips", "spine", "hips"]})", "/Hips/2: is in this list already"},
           {R"({"Hips": 3})", "/Hips: must be the name of a joint, a list of names, or null"},
           {R"({"23": "hips"})",
            "/23: the motion has no joint '23'; it has 23 of them, by name or by number from 0 "
            "on"}}) {
    EXPECT_EQ(input_error([&, text = text] { parse_joint_map(text, source, target); }), message);
  }
}

TEST(JointMapJson, malformed_files_are_refused_with_a_place) {
  const Skeleton source = cmu(), target = human();
  expect_malformed_are_refused(
      R"({"Hips": "hips", "0": ["spine"]})", {.bytes = 4},
      [&](std::string_view text) { parse_joint_map(text, source, target); });
}

}  // namespace
}  // namespace sinew
