// SPDX-License-Identifier: Apache-2.0
#include "sinew/puppet/picture_bones.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/io/tgf.h"
#include "tests/support/input_errors.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

TEST(PictureBones, all_ways_of_writing_them_down_mean_the_same) {
  const PictureBones expected{{{"a", {1, 2}}, {"b", {3, 4}}, {"c", {5, 0}}},
                              {{"b", 0, 1, 0}, {"long", 1, 2, 2.5}}};
  for (const char* json :
       {R"({"joints": {"a": [1, 2], "b": [3, 4], "c": [5, 0]},
            "bones": [["a", "b"], {"name": "long", "from": "b", "to": "c", "layer": 2.5}]})",
        R"({"joints": [{"name": "a", "position": [1, 2]}, {"name": "b", "position": [3, 4]},
                       {"name": "c", "position": [5, 0]}],
            "bones": [[0, 1], {"name": "long", "from": 1, "to": 2, "layer": 2.5}]})"}) {
    EXPECT_EQ(parse_picture_bones(json), expected);
  }
  EXPECT_EQ(parse_picture_bones(to_json(expected)), expected);
  const PictureBones unnamed =
      parse_picture_bones(R"({"joints": [[1, 2], [3, 4]], "bones": [[1, 0]]})");
  EXPECT_EQ(unnamed.joints[1].name, "joint_1");
  EXPECT_EQ(unnamed.bones[0].name, "joint_0");
}

TEST(PictureBones, tgf_files_are_read_in_pixels) {
  const PictureBones bones =
      picture_bones(read_tgf("1 10 20 0\n2 30 20 0\n3 30 60 0\n#\n1 2\n2 3\n"));
  ASSERT_EQ(bones.joints.size(), 3U);
  EXPECT_EQ(bones.joints[2].place, (Vec2{30, 60}));
  ASSERT_EQ(bones.bones.size(), 2U);
  EXPECT_EQ(picture_bones(read_plane_tgf("1 10 20\n2 30 20\n#\n1 2\n")).joints[1].place,
            (Vec2{30, 20}));
  EXPECT_EQ(bones.bones[1].from, 1);
  EXPECT_EQ(bones.bones[1].to, 2);
}

TEST(PictureBones, what_is_wrong_is_named) {
  for (const auto& [json, place] :
       {std::pair{R"({"joints": {"a": [1, 2]}, "bones": []})", "/bones"},
        std::pair{R"({"joints": {"a": [1, 2]}})", "/bones"},
        std::pair{R"({"joints": {"a": [1]}, "bones": [["a", "a"]]})", "/joints/a"},
        std::pair{R"({"joints": {"a": [1, 2]}, "bones": [["a", "x"]]})", "/bones/0/1"},
        std::pair{R"({"joints": {"a": [1, 2]}, "bones": [["a", "a"]]})", "/bones/0"},
        std::pair{R"({"joints": [[1, 2], [1, 2]], "bones": [[0, 1]]})", "/bones/0"},
        std::pair{R"({"joints": [[1, 2], [1e300, 2]], "bones": [[0, 1]]})", "/joints/1"},
        std::pair{R"({"joints": [[1, 2], [3, 2]], "bones": [[0, 1, 1]]})", "/bones/0"},
        std::pair{R"({"joints": [[1, 2], [3, 2]], "bones": [[0, 7]]})", "/bones/0/1"},
        std::pair{R"({"joints": [[1, 2], [3, 2]], "bones": [{"from": 0, "to": 1, "lyer": 1}]})",
                  "/bones/0/lyer"},
        std::pair{
            R"({"joints": [{"name": "a", "position": [1, 2]}, {"name": "a", "position": [2, 2]}],
                      "bones": [[0, 1]]})",
            "/joints/1"}}) {
    EXPECT_EQ(input_error([text = json] {
                parse_picture_bones(text);
              }).rfind(std::string(place) + ": ", 0),
              0U)
        << json;
  }
  expect_malformed_are_refused(R"({"joints": {"a": [1, 2], "b": [3, 4]}, "bones": [["a", "b"]]})",
                               {.bytes = 17},
                               [](std::string_view json) { parse_picture_bones(json); });
  EXPECT_EQ(wrong_usage([] { read_picture_bones("bones.png"); }),
            "bones.png: bones on a picture are a .json or .tgf file");
  EXPECT_EQ(refusal<FileError>([] { read_picture_bones("missing.json"); }),
            "missing.json: cannot be opened: No such file or directory");
}

TEST(PictureBones, a_joint_is_within_a_million_pixels) {
  const auto place_at = [](const std::string& x) {
    return place_of_error([&] {
      parse_picture_bones(R"({"joints": [[1, 2], [-1000000, )" + x + R"(]], "bones": [[0, 1]]})");
    });
  };
  EXPECT_EQ(place_at("1000000"), "");
  EXPECT_EQ(place_at("1000000.0000001"), "/joints/1");
}

// A head on a neck, and an ear on the head that does not start at the neck's end.
constexpr const char* eared = R"({"joints": {"root": [50, 90], "head": [50, 50], "ear": [65, 35],
    "tip": [75, 20]}, "bones": [{"from": "ear", "to": "tip", "parent": "neck"},
    {"name": "neck", "from": "root", "to": "head"}]})";

TEST(PictureBones, a_bone_may_hang_on_another_without_touching_it) {
  const PictureBones bones = parse_picture_bones(eared);
  EXPECT_EQ(bones.bones[0].parent, 1);
  EXPECT_EQ(parse_picture_bones(to_json(bones)), bones);
  const std::vector<int> before = joints_before(bones);
  ASSERT_EQ(bones.joints[0].name, "ear");
  EXPECT_EQ(before, (std::vector<int>{1, 2, no_joint, 0})) << "ear, head, root, tip";
  EXPECT_TRUE(is_carried(bones, 0, before[0]));
  EXPECT_FALSE(is_carried(bones, 3, before[3]));
  EXPECT_FALSE(is_carried(bones, 2, before[2]));
  // Bones that hang on one another hang on none.
  PictureBones ring = bones;
  ring.bones[1].parent = 0;
  EXPECT_EQ(joints_before(ring), before);
}

TEST(PictureBones, a_parent_that_does_not_exist_is_named) {
  EXPECT_EQ(wrong_usage([] {
              picture_bones(PlaneBones{{{0, 0}, {9, 0}}, {{0, 1}}, {}});
            }),
            "there are 1 segments, but 0 parents");
  for (const auto& [parent, place] :
       {std::pair{"\"nobody\"", "/bones/0/parent"}, {"7", "/bones/0/parent"}}) {
    const std::string json = std::string(R"({"joints": {"a": [0, 0], "b": [9, 0]},
        "bones": [{"from": "a", "to": "b", "parent": )") +
                             parent + "}]}";
    EXPECT_EQ(input_error([&] { parse_picture_bones(json); }).rfind(place, 0), 0U) << json;
  }
}

}  // namespace
}  // namespace sinew
