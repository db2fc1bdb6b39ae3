// SPDX-License-Identifier: Apache-2.0
#include "sinew/skeleton/skeleton.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

Joint joint(std::string name, int parent, Vec3 translation) {
  return {std::move(name), parent, {translation, {}, {1, 1, 1}}, false};
}

Skeleton with_bones(std::vector<Joint> joints) {
  Skeleton skeleton{std::move(joints), {}};
  skeleton.bones = bones_from_joints(skeleton);
  return skeleton;
}

std::string message_of(const Skeleton& skeleton) {
  try {
    validate(skeleton);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Skeleton, children_may_come_before_their_parents) {
  const Skeleton skeleton{
      {joint("hand", 2, {1, 0, 0}), joint("root", -1, {0, 5, 0}), joint("arm", 1, {2, 0, 0})}, {}};
  EXPECT_EQ(evaluation_order(skeleton), (std::vector<JointIndex>{1, 2, 0}));
  EXPECT_EQ(rest_globals(skeleton)[0].translation, (Vec3{3, 5, 0}));
}

TEST(Skeleton, a_cycle_is_an_error_that_names_its_joints) {
  const Skeleton skeleton{
      {joint("a", -1, {}), joint("b", 3, {}), joint("c", 1, {}), joint("d", 2, {})}, {}};
  const std::string message = message_of(skeleton);
  for (const char* name : {"(b)", "(c)", "(d)"}) {
    EXPECT_NE(message.find(name), std::string::npos) << message;
  }
  EXPECT_EQ(message.find("(a)"), std::string::npos) << message;
}

TEST(Skeleton, a_parent_that_does_not_exist_is_an_error) {
  EXPECT_NE(message_of({{joint("a", 7, {})}, {}}).find("parent 7"), std::string::npos);
}

TEST(Skeleton, names_may_repeat_or_be_missing) {
  const Skeleton skeleton{{joint("", -1, {}), joint("x", 0, {1, 0, 0}), joint("x", 1, {1, 0, 0})},
                          {}};
  EXPECT_EQ(message_of(skeleton), "");
  EXPECT_EQ(find_joint(skeleton, "x"), 1);
  EXPECT_EQ(find_joint(skeleton, "y"), no_joint);
}

TEST(Bones, point_to_the_only_child_and_leaves_go_on_straight) {
  const Skeleton skeleton =
      with_bones({joint("a", -1, {}), joint("b", 0, {2, 0, 0}), joint("c", 1, {0, 1, 0})});
  EXPECT_EQ(skeleton.bones[0].tail, (Vec3{2, 0, 0}));
  EXPECT_EQ(skeleton.bones[0].tail_joint, 1);
  EXPECT_EQ(skeleton.bones[2].tail_joint, no_joint);
  EXPECT_EQ(skeleton.bones[2].tail, (Vec3{2, 1.5, 0}));
}

TEST(Bones, of_several_children_the_one_straight_on_is_chosen) {
  const Skeleton skeleton =
      with_bones({joint("spine", -1, {}), joint("chest", 0, {0, 1, 0}),
                  joint("shoulder", 1, {1, 0.2, 0}), joint("neck", 1, {0, 0.5, 0.1})});
  EXPECT_EQ(skeleton.bones[1].tail_joint, 3);
}

TEST(Bones, a_root_points_to_its_largest_subtree) {
  const Skeleton skeleton = with_bones({joint("hips", -1, {}), joint("leg", 0, {0, -1, 0}),
                                        joint("spine", 0, {0, 1, 0}), joint("head", 2, {0, 1, 0})});
  EXPECT_EQ(skeleton.bones[0].tail_joint, 2);
}

TEST(Bones, never_have_zero_length) {
  const Skeleton chain =
      with_bones({joint("a", -1, {1, 1, 1}), joint("b", 0, {}), joint("c", 1, {}),
                  joint("d", 2, {0, 0, 3}), joint("e", 3, {}), joint("f", 4, {})});
  for (const Bone& bone : chain.bones) EXPECT_GT(distance(bone.head, bone.tail), 0.3);
  EXPECT_EQ(chain.bones[0].tail_joint, 3);  // past those at its own place

  const Skeleton lone = with_bones({joint("only", -1, {})});
  EXPECT_EQ(lone.bones[0].tail, (Vec3{0, 1, 0}));
}

TEST(Bones, frames_have_none_but_pass_their_motion_on) {
  Skeleton skeleton{{joint("scene", -1, {0, 0, 9}), joint("a", 0, {}), joint("b", 1, {1, 0, 0})},
                    {}};
  skeleton.joints[0].is_frame = true;
  skeleton.bones = bones_from_joints(skeleton);
  ASSERT_EQ(skeleton.bones.size(), 2u);
  EXPECT_EQ(skeleton.bones[0].joint, 1);
  EXPECT_EQ(skeleton.bones[0].head, (Vec3{0, 0, 9}));
}

TEST(Bones, bind_takes_the_head_to_the_joint_origin) {
  Skeleton skeleton{{joint("a", -1, {3, 2, 1})}, {}};
  skeleton.joints[0].rest.rotation = rotation_about(normalized(Vec3{1, 2, 3}), 0.7);
  const auto bones = bones_from_joints(skeleton);
  EXPECT_LT(length(transform_point(bones[0].inverse_bind, bones[0].head)), 1e-12);
}

TEST(Segments, disjoint_ones_are_a_skeleton_of_roots) {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {5, 0, 0}, {6, 1, 0}};
  const std::vector<std::array<int, 2>> segments = {{0, 1}, {2, 3}};
  const Skeleton skeleton = skeleton_from_segments(points, segments);
  EXPECT_EQ(message_of(skeleton), "");
  EXPECT_EQ(skeleton.joints[0].parent, no_joint);
  EXPECT_EQ(skeleton.joints[2].parent, no_joint);
  EXPECT_EQ(skeleton.joints[3].parent, 2);
  EXPECT_EQ(skeleton.bones[1].head, points[2]);
  EXPECT_EQ(skeleton.bones[1].tail, points[3]);
  const auto globals = rest_globals(skeleton);
  for (std::size_t j = 0; j < points.size(); ++j) EXPECT_EQ(globals[j].translation, points[j]);
}

TEST(Segments, a_closed_loop_keeps_all_its_bones) {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const std::vector<std::array<int, 2>> segments = {{0, 1}, {1, 2}, {2, 0}};
  const Skeleton skeleton = skeleton_from_segments(points, segments);
  EXPECT_EQ(message_of(skeleton), "");
  EXPECT_EQ(skeleton.bones.size(), 3u);
  EXPECT_EQ(skeleton.joints[0].parent, no_joint);
}

TEST(Segments, bad_ones_are_named) {
  const std::vector<Vec3> points = {{0, 0, 0}, {0, 0, 0}};
  const std::vector<std::array<int, 2>> nowhere = {{0, 2}};
  const std::vector<std::array<int, 2>> flat = {{0, 1}};
  EXPECT_EQ(bad_input([&] { skeleton_from_segments(points, nowhere); }),
            "bone 0: it names joint 2, but there are 2 joints");
  EXPECT_EQ(
      bad_input([&] { skeleton_from_segments(points, flat); }),
      "bone 0: it goes from joint 0 to joint 1 at the same place and has no length; leave it out");
}

}  // namespace
}  // namespace sinew
