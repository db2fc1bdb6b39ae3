// SPDX-License-Identifier: Apache-2.0
// What functions of skeletons and motions require of their callers, and that they refuse the
// rest.
#include <limits>

#include "sinew/rig/rig.h"
#include "sinew/skeleton/bones.h"
#include "sinew/skeleton/constraints.h"
#include "sinew/skeleton/limbs.h"
#include "sinew/skeleton/mirror.h"
#include "tests/support/refusals.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

TEST(SkeletonRequirements, inverse_bind_matrices_are_finite) {
  for (const bool in_linear : {true, false}) {
    Skeleton skeleton = tube_rig().skeleton;
    Affine& bind = skeleton.bones[1].inverse_bind;
    (in_linear ? bind.linear.y.z : bind.translation.x) = not_a_number;
    EXPECT_EQ(bad_input([&] { validate(skeleton); }),
              "bone 1: its inverse bind matrix is not finite");
  }
}

TEST(SkeletonRequirements, bones_have_joints_that_exist) {
  Skeleton skeleton = tube_rig().skeleton;
  skeleton.bones[2].joint = 7;
  const std::string message = "bone 2: its joint 7 does not exist";
  EXPECT_EQ(bad_input([&] { validate(skeleton); }), message);
  EXPECT_EQ(bad_input([&] { find_limbs(skeleton); }), message);
  EXPECT_EQ(bad_input([&] { mirror_bones(skeleton, {}); }), message);
  EXPECT_EQ(bad_input([&] { find_bones(skeleton, "joint 0"); }), message);
  EXPECT_EQ(bad_input([&] { infer_tails(skeleton); }), message);
  EXPECT_EQ(bad_input([&] { bone_maps(skeleton, rest_globals(skeleton)); }), message);
  skeleton.bones[2].joint = 2;
  skeleton.bones[0].tail_joint = -3;
  EXPECT_EQ(bad_input([&] { infer_tails(skeleton); }),
            "bone 0: it points to joint -3, which does not exist");
}

TEST(SkeletonRequirements, lengths_and_tolerances_are_numbers) {
  Skeleton skeleton = tube_rig().skeleton;
  for (const double length : {0.0, -1.0, not_a_number}) {
    EXPECT_EQ(wrong_usage([&] { infer_tails(skeleton, length); }),
              "the length of a bone that nothing else gives one is a number above 0");
  }
  EXPECT_EQ(wrong_usage([&] {
              mirror_bones(skeleton, {{}, {2, 0, 0}});
            }),
            "a mirror plane has a point and a normal of unit length");
  EXPECT_EQ(wrong_usage([&] { mirror_bones(skeleton, {}, not_a_number); }),
            "the tolerance for bones is a number from 0 on");
}

TEST(SkeletonRequirements, bones_are_found_by_name_or_number_and_the_nearest_is_named) {
  Skeleton skeleton = tube_rig().skeleton;
  skeleton.joints[2].name.clear();
  EXPECT_EQ(find_bones(skeleton, "joint 1"), std::vector<BoneIndex>{1});
  EXPECT_EQ(find_bones(skeleton, "2"), std::vector<BoneIndex>{2});
  EXPECT_EQ(bone_name(skeleton, 1), "joint 1");
  EXPECT_EQ(bone_name(skeleton, 2), "2");
  EXPECT_EQ(
      wrong_usage([&] { find_bones(skeleton, "Joint_0"); }),
      "there is no bone 'Joint_0' (did you mean 'joint 0' or 'joint 1'?); there are 3, by their "
      "joints' names or by the numbers from 0 on");
}

TEST(SkeletonRequirements, constraints_name_joints_and_axes_that_exist) {
  const Skeleton skeleton = tube_rig().skeleton;
  std::vector<Transform> locals(3), two(2);
  const auto apply = [&](JointConstraint c, std::vector<Transform>& pose) {
    return wrong_usage([&] { apply_constraints(skeleton, {&c, 1}, pose); });
  };
  EXPECT_EQ(apply({1, 0}, two), "the pose has 2 joints, the skeleton has 3");
  EXPECT_EQ(apply({1, 5}, locals), "constraint 0 names joint 5, but there are 3");
  EXPECT_EQ(apply({-1, 0}, locals), "constraint 0 names joint -1, but there are 3");
  EXPECT_EQ(apply({1, 0, JointConstraint::Kind::roll, 3}, locals),
            "constraint 0 turns about axis 3; it is 0, 1 or 2");
}

TEST(MotionRequirements, forward_kinematics_has_one_place_per_joint) {
  const Skeleton skeleton = tube_rig().skeleton;
  std::vector<Transform> two(2), three(3);
  std::vector<Affine> globals(3);
  EXPECT_EQ(wrong_usage([&] { forward_kinematics(skeleton, two); }),
            "2 local transforms, room for 3 frames and an order of 3 do not fit 3 joints");
  EXPECT_EQ(wrong_usage([&] {
              forward_kinematics(skeleton, std::vector<JointIndex>{0, 1, 3}, three, globals);
            }),
            "the order names joint 3, but there are 3");
  EXPECT_EQ(wrong_usage([&] { bone_maps(skeleton, std::vector<Affine>(2)); }),
            "2 frames for 3 joints");
}

TEST(MotionRequirements, a_clip_drives_what_the_pose_has) {
  const Rig rig = tube_rig();
  const auto played = [&](Channel channel) {
    Clip clip{"wild", {std::move(channel)}};
    return wrong_usage([&] { pose_at(rig, clip, 0); });
  };
  Curve<Vec3> place;
  place.times = {0};
  place.values = {{}};
  EXPECT_EQ(played(TranslationChannel{9, place}), "clip 'wild' drives joint 9, but the pose has 3");
  Curve<double> value;
  value.times = {0};
  value.values = {1};
  EXPECT_EQ(played(ControlChannel{-1, value}).find("clip 'wild' drives control -1, but"), 0u);
  Curve<std::vector<double>> shapes;
  shapes.times = {0};
  shapes.values = {std::vector<double>(100)};
  EXPECT_EQ(played(ShapeChannel{0, shapes}).find("clip 'wild' drives blend shapes from 0, but"),
            0u);
}

TEST(MotionRequirements, curves_have_a_value_for_each_key) {
  Curve<double> curve;
  curve.times = {0, 1};
  curve.values = {1};
  EXPECT_EQ(wrong_usage([&] { sample(curve, 0.5); }),
            "a curve has 2 times, 1 values, 0 and 0 handles");
  curve.values = {1, 2};
  EXPECT_EQ(sample(curve, 0.5), 1.5);
  curve.interpolation = Interpolation::hermite;
  EXPECT_EQ(wrong_usage([&] { sample(curve, 0.5); }),
            "a curve has 2 times, 2 values, 0 and 0 handles");
}

}  // namespace
}  // namespace sinew
