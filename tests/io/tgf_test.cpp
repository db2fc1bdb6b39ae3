// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/tgf.h"

#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "tests/support/assets.h"
#include "tests/support/input_errors.h"

namespace sinew {
namespace {

constexpr const char* three_bones =
    "1 0 0.1 0 further columns\n2 1 0.333333333333333314 0\n3 2 0 1e-3\n4 1 1 1\n#\n"
    "1 2 1 0 0\n2 3\n2 4\n#\n9 9\n";

TEST(Tgf, bones_keep_the_order_of_the_file) {
  const Skeleton skeleton = read_tgf(three_bones);
  ASSERT_EQ(skeleton.joints.size(), 4u);
  ASSERT_EQ(skeleton.bones.size(), 3u);
  EXPECT_EQ(skeleton.bones[0].head, (Vec3{0, 0.1, 0}));
  EXPECT_EQ(skeleton.bones[2].tail, (Vec3{1, 1, 1}));
  EXPECT_EQ(skeleton.joints[3].parent, 1);
}

TEST(Tgf, joints_go_by_their_numbers_and_the_second_separator_may_be_missing) {
  const Skeleton skeleton = read_tgf("\xef\xbb\xbf\r\n20 0 0 0\r\n10 1 0 0\r\n# bones\r\n10 20");
  ASSERT_EQ(skeleton.bones.size(), 1u);
  EXPECT_EQ(skeleton.bones[0].joint, 1);
  EXPECT_EQ(skeleton.bones[0].tail_joint, 0);
}

TEST(Tgf, writing_and_reading_again_gives_the_same_bones) {
  const Skeleton skeleton = read_tgf(three_bones);
  EXPECT_EQ(read_tgf(write_tgf(skeleton)), skeleton);
}

TEST(Tgf, names_come_back_and_what_would_not_be_taken_for_one_is_left_out) {
  Skeleton skeleton = read_tgf(
      "1 0 0 0 hip\n2 1 0 0  upper arm \n3 2 0 0 0.5 1\n4 3 0 0 # tip\n#\n1 2\n2 3\n3 4\n");
  std::vector<std::string> names;
  for (const Joint& joint : skeleton.joints) names.push_back(joint.name);
  EXPECT_EQ(names, (std::vector<std::string>{"hip", "upper arm", "", ""}));
  EXPECT_EQ(read_tgf(write_tgf(skeleton)), skeleton);
  for (const char* name : {"12", "two\nlines", "#hash", " blank"}) {
    skeleton.joints[0].name = name;
    EXPECT_EQ(read_tgf(write_tgf(skeleton)).joints[0].name, "") << name;
  }
}

TEST(Tgf, the_tail_of_a_leaf_becomes_a_point) {
  Skeleton skeleton;
  skeleton.joints.resize(2);
  skeleton.joints[1].parent = 0;
  skeleton.joints[1].rest.translation = {0, 2, 0};
  skeleton.bones = bones_from_joints(skeleton);
  const Skeleton again = read_tgf(write_tgf(skeleton));
  ASSERT_EQ(again.bones.size(), 2u);
  for (std::size_t b = 0; b < 2; ++b) {
    EXPECT_EQ(again.bones[b].head, skeleton.bones[b].head);
    EXPECT_EQ(again.bones[b].tail, skeleton.bones[b].tail);
  }
}

TEST(Tgf, mistakes_are_named_with_their_line) {
  EXPECT_EQ(input_error([] { read_tgf("1 0 0 0\n2 1 0 0\n#\n1 3\n"); }),
            "line 4: a bone should have the numbers of two joints, not '3'");
  for (const auto& [text, message] : std::initializer_list<std::pair<const char*, const char*>>{
           {"", "line 1: there should be a line '#' between joints and bones"},
           {"1 0 0 0\n", "line 2: there should be a line '#' between joints and bones"},
           {"1 0 0\n#\n", "line 1: joint 1 should have three finite coordinates, not ''"},
           {"1 0 0 x\n#\n", "line 1: joint 1 should have three finite coordinates, not 'x'"},
           {"1 0 0 0\n1 0 0 1\n#\n", "line 2: joint 1 is listed twice"},
           {"a 0 0 0\n#\n", "line 1: a joint's number should be an integer, not 'a'"},
           {"1 0 0 nan\n#\n", "line 1: joint 1 should have three finite coordinates, not 'nan'"},
           {"1 0 0 0\n2 0 0 0\n#\n1 2\n",
            "line 4: the bone's two joints are at the same place: remove it"},
           {"1 0 0 0\n#\n1\n", "line 3: a bone should have the numbers of two joints, not ''"},
           {"1 0 0 0\n#\n1 1\n",
            "line 3: the bone's two joints are at the same place: remove it"}}) {
    EXPECT_EQ(input_error([text = text] { read_tgf(text); }), message) << text;
  }
}

TEST(Tgf, malformed_files_are_refused_with_a_place) {
  expect_malformed_are_refused(three_bones,
                               {.cuts = 19, .bytes = 283, .numbers = 54, .after_the_end = true},
                               [](std::string_view text) { validate(read_tgf(text)); });
}

TEST(Tgf, arm_and_hand_have_their_bones) {
  SINEW_ASSET_OR_SKIP(arm, "arm.tgf");
  SINEW_ASSET_OR_SKIP(hand, "hand.tgf");
  EXPECT_EQ(read_rig(arm).skeleton.bones.size(), 4u);
  const Skeleton skeleton = read_rig(hand).skeleton;
  EXPECT_EQ(skeleton.joints.size(), 21u);
  EXPECT_EQ(skeleton.bones.size(), 20u);
  EXPECT_EQ(skeleton.bones[0].joint, 5);
  EXPECT_EQ(skeleton.bones[0].head, (Vec3{-0.16766723, 0.12476223, -0.049004442}));
}

}  // namespace
}  // namespace sinew
