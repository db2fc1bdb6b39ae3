// SPDX-License-Identifier: Apache-2.0
// From poses and from animated joints to bones that stretch and twist.
#include "sinew/deform/bone_state.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/deform/deform.h"
#include "tests/support/refusals.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

constexpr Vec3 x_axis{1, 0, 0};

double twist_of(const Quat& q) { return twist_angle(q, x_axis); }

TEST(BonePoses, a_missing_rotation_is_the_smallest_one) {
  const Rig rig = make_tube({.bones = 1});
  auto poses = rest_bones(rig);
  poses[0].end = {0, 1, 0};
  const auto states = bone_states(rig.skeleton, poses);
  EXPECT_NEAR(rotation_angle(states[0].rotation), pi / 2, 1e-12);
  EXPECT_LT(distance(rotate(states[0].rotation, x_axis), Vec3{0, 1, 0}), 1e-14);
}

TEST(BonePoses, a_rotation_that_misses_the_direction_is_an_error_that_says_by_how_much) {
  const Rig rig = make_tube({.bones = 1});
  auto poses = rest_bones(rig);
  poses[0].rotation = rotation_about(Vec3{0, 0, 1}, radians(10));
  try {
    bone_states(rig.skeleton, poses);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("10 degrees"), std::string::npos) << error.what();
    EXPECT_EQ(error.place(), "/bones/0");
  }
}

TEST(BonePoses, wrong_counts_and_numbers_are_errors) {
  const Rig rig = make_tube();
  auto poses = rest_bones(rig);
  poses.pop_back();
  EXPECT_EQ(bad_input([&] { bone_states(rig.skeleton, poses); }),
            "bones: the pose has 1 bones, the skeleton has 2");
  poses = rest_bones(rig);
  poses[1].twist_end = std::nan("");
  EXPECT_EQ(bad_input([&] { bone_states(rig.skeleton, poses); }),
            "/bones/1: its numbers are not all finite");
  poses = rest_bones(rig);
  poses[0].rotation = Quat{0, 0, 0, 2};
  EXPECT_EQ(bad_input([&] { bone_states(rig.skeleton, poses); }),
            "/bones/0: its rotation is not a unit quaternion (x, y, z, w)");
}

TEST(JointPoses, at_rest_nothing_is_stretched_or_twisted) {
  const Rig rig = make_tube({.bones = 3});
  for (const BoneState& state : states_of(rig, rest_pose(rig))) {
    EXPECT_LT(length(stretch_vector(state)), 1e-14);
    EXPECT_EQ(state.twist_head, 0);
    EXPECT_EQ(state.twist_tail, 0);
    EXPECT_NEAR(std::fabs(state.rotation.w), 1, 1e-15);
  }
}

TEST(JointPoses, both_sides_of_a_joint_agree_on_its_twist_for_every_share) {
  Rig rig = make_tube();
  for (const double share : {0.0, 0.25, 0.5, 1.0}) {
    rig.skeleton.joints[1].twist_shares = TwistShares{share, 1 - share};
    Pose pose = rest_pose(rig);
    pose.joints[1].rotation = rotation_about(x_axis, 2.4);
    const auto states = states_of(rig, pose);
    EXPECT_NEAR(states[0].twist_tail, share * 2.4, 1e-12);
    EXPECT_NEAR(states[1].twist_head, -(1 - share) * 2.4, 1e-12);
    // R K at either side of the joint is the same rotation.
    EXPECT_NEAR(twist_of(states[0].rotation) + states[0].twist_tail,
                twist_of(states[1].rotation) + states[1].twist_head, 1e-12);
  }
}

TEST(JointPoses, the_candy_wrapper_is_gone) {
  const Rig rig = make_tube();
  Pose pose = rest_pose(rig);
  pose.joints[1].rotation = rotation_about(x_axis, pi - 1e-9);
  const auto states = states_of(rig, pose);
  const auto least_radius = [&](const char* method) {
    double least = 1;
    for (const Vec3& p :
         deform_reference(rig, states, {}, method_from_name(method, rig)).positions) {
      least = std::min(least, std::hypot(p.y, p.z) / 0.2);
    }
    return least;
  };
  EXPECT_LT(least_radius("lbs"), 1e-6);
  EXPECT_GT(least_radius("stbs-lbs"), 0.9);
  EXPECT_GT(least_radius("stbs-dqs"), 1 - 1e-9);
}

TEST(JointPoses, siblings_take_off_their_own_share_alone) {
  Rig rig;
  rig.skeleton.joints = {{"palm", -1, {}, false},
                         {"middle", 0, {{1, 0, 0}, {}, {1, 1, 1}}, false},
                         {"thumb", 0, {{0.2, 1, 0}, {}, {1, 1, 1}}, false},
                         {"tip", 1, {{1, 0, 0}, {}, {1, 1, 1}}, false}};
  rig.skeleton.bones = bones_from_joints(rig.skeleton);
  ASSERT_EQ(rig.skeleton.bones[0].tail_joint, 1);
  rig.skeleton.joints[2].twist_shares = TwistShares{0.5, 0.5};  // nobody is there to take the half
  Pose pose = rest_pose(rig);
  const Vec3 thumb = normalized(rig.skeleton.bones[2].tail - rig.skeleton.bones[2].head);
  pose.joints[2].rotation = rotation_about(thumb, 0.8);
  const auto states = states_of(rig, pose);
  EXPECT_NEAR(states[2].twist_head, -0.4, 1e-12);
  EXPECT_EQ(states[0].twist_tail, 0);
}

TEST(JointPoses, the_root_turning_is_no_twist) {
  const Rig rig = make_tube();
  Pose pose = rest_pose(rig);
  pose.joints[0].rotation = rotation_about(x_axis, 1.0);
  const auto states = states_of(rig, pose);
  EXPECT_EQ(states[0].twist_head, 0);
  EXPECT_NEAR(states[1].twist_head, 0, 1e-15);
}

TEST(JointPoses, stretch_comes_from_translation_and_from_scale_alike) {
  const Rig rig = make_tube();
  Pose moved = rest_pose(rig);
  moved.joints[1].translation.x = 1.7;
  Pose scaled_pose = rest_pose(rig);
  scaled_pose.joints[0].scale.x = 1.7;
  const auto a = states_of(rig, moved);
  const auto b = states_of(rig, scaled_pose);
  EXPECT_LT(distance(stretch_vector(a[0]), Vec3{0.7, 0, 0}), 1e-14);
  EXPECT_LT(distance(stretch_vector(b[0]), Vec3{0.7, 0, 0}), 1e-14);
  EXPECT_LT(length(stretch_vector(a[1])), 1e-14);
}

TEST(JointPoses, scale_across_the_bone_stays) {
  const Rig rig = make_tube({.bones = 1});
  Pose pose = rest_pose(rig);
  pose.joints[0].scale = {1, 2, 3};
  const auto states = states_of(rig, pose);
  EXPECT_LT(distance(states[0].across * Vec3{1, 1, 1}, Vec3{1, 2, 3}), 1e-12);
  const auto result =
      deform_reference(rig, states, {}, method_from_name("stbs-lbs", rig)).positions;
  for (std::size_t v = 0; v < result.size(); ++v) {
    const Vec3& p = rig.mesh.positions[v];
    EXPECT_LT(distance(result[v], Vec3{p.x, 2 * p.y, 3 * p.z}), 1e-12);
  }
}

TEST(JointPoses, squash_keeps_the_volume_of_a_stretched_bone) {
  const Rig rig = make_tube({.bones = 1});
  Pose pose = rest_pose(rig);
  pose.joints[0].scale.x = 4;
  const auto states = states_of(rig, pose, {.squash = true});
  EXPECT_NEAR(determinant(states[0].across) * 4, 1, 1e-12);
  EXPECT_LT(distance(states[0].across * x_axis, x_axis), 1e-14);
}

TEST(JointPoses, twists_are_followed_through_full_turns) {
  Rig rig = make_tube();
  Curve<Quat> spin;
  for (int k = 0; k <= 24; ++k) {
    spin.times.push_back(k * 0.25);
    spin.values.push_back(rotation_about(x_axis, radians(30.0 * k)));
  }
  const Clip clip{"spin", {RotationChannel{1, spin}}};
  rig.skeleton.joints[1].twist_shares = TwistShares{1, 0};
  EXPECT_NEAR(bone_states(rig, clip, 6.0)[0].twist_tail, 4 * pi, 1e-9);
  EXPECT_NEAR(bone_states(rig, clip, 1.5)[0].twist_tail, pi, 1e-9);
  EXPECT_NEAR(bone_states(rig, clip, 1.6)[0].twist_tail, radians(192), 1e-9);
}

TEST(JointPoses, leaf_and_coincident_joints_are_defined) {
  Rig rig;
  rig.skeleton.joints = {{"a", -1, {}, false}, {"b", 0, {}, false}, {"c", 1, {}, false}};
  rig.skeleton.bones = bones_from_joints(rig.skeleton);
  Pose pose = rest_pose(rig);
  pose.joints[1].rotation = rotation_about(normalized(Vec3{1, 1, 1}), 2.0);
  pose.joints[0].scale = {0, 0, 0};
  for (const BoneState& state : states_of(rig, pose)) {
    EXPECT_TRUE(is_finite(stretch_vector(state)));
    EXPECT_TRUE(std::isfinite(state.twist_head) && std::isfinite(state.rotation.w));
  }
}

TEST(JointPoses, a_frame_at_the_end_of_a_bone_stretches_and_twists_it) {
  Rig rig = make_tube({.bones = 1});
  Bone& bone = rig.skeleton.bones[0];
  const Vec3 place = transform_point(bone.inverse_bind, bone.tail);
  rig.skeleton.joints.push_back({"end", bone.joint, {place, {}, {1, 1, 1}}, true});
  bone.tail_joint = static_cast<int>(rig.skeleton.joints.size()) - 1;
  Pose pose = rest_pose(rig);
  pose.joints[bone.joint].rotation = rotation_about(Vec3{0, 0, 1}, 0.7);
  Transform& end = pose.joints.back();
  end.translation = place * 1.5;
  end.rotation = rotation_about(x_axis, 2.0);
  const BoneState state = states_of(rig, pose)[0];
  EXPECT_NEAR(distance(state.posed_head, state.posed_tail), 1.5 * length(place), 1e-12);
  EXPECT_NEAR(state.twist_tail, 2.0, 1e-12);
  EXPECT_NEAR(state.twist_head, 0, 1e-12);
  EXPECT_NEAR(rotation_angle(state.rotation), 0.7, 1e-12);
}

TEST(SameIntent, a_bone_that_does_not_twist_is_turned_by_the_mean_of_its_end_twists) {
  const Rig rig = make_tube();
  auto poses = rest_bones(rig);
  poses[0].twist_end = radians(100);
  poses[1].twist_start = radians(100);
  poses[1].twist_end = radians(620);
  const auto states = bone_states(rig.skeleton, poses, {.same_intent = true});
  EXPECT_NEAR(twist_of(states[0].turn), radians(50), 1e-12);
  EXPECT_NEAR(twist_of(states[1].turn), radians(360 - 360), 1e-12);
  EXPECT_NEAR(states[1].own_twist, radians(360 - 50), 1e-12);
  for (const BoneState& state : states) {
    EXPECT_LT(distance(transform_point(state.matrix, state.tail), state.tail), 1e-12);
    EXPECT_LT(distance(state.matrix.linear * Vec3{0, 1, 0}, rotate(state.turn, Vec3{0, 1, 0})),
              1e-12);
  }
  for (const BoneState& state : bone_states(rig.skeleton, poses)) {
    EXPECT_EQ(twist_of(state.turn), 0);
  }
}

TEST(SameIntent, a_bone_is_scaled_along_its_axis_by_whatever_channel_stretches_it) {
  const Rig rig = make_tube({.bones = 3});
  Pose moved = rest_pose(rig);
  moved.joints[0].rotation = rotation_about(normalized(Vec3{1, 2, 3}), 0.6);
  moved.joints[1].translation = {1.6, 0.3, 0};
  moved.joints[2].scale = {1, 1.2, 1.2};
  const auto plain = states_of(rig, moved);
  const auto states = bone_states(rig, moved, {.same_intent = true});
  for (std::size_t b = 0; b < 3; ++b) {
    EXPECT_LT(distance(transform_point(states[b].matrix, states[b].head), states[b].posed_head),
              1e-12);
    EXPECT_LT(distance(transform_point(states[b].matrix, states[b].tail), states[b].posed_tail),
              1e-12);
    EXPECT_EQ(states[b].twist_head, plain[b].twist_head);
    EXPECT_EQ(states[b].twist_tail, plain[b].twist_tail);
  }
  EXPECT_NEAR(length(states[0].matrix.linear * Vec3{0, 1, 0}), 1, 1e-12);
  // Nothing pulls at the other two: they move by their joints' own matrices.
  EXPECT_EQ(states[1].matrix, plain[1].matrix);
  EXPECT_EQ(states[2].matrix, plain[2].matrix);
}

TEST(JointPoses, the_matrix_is_that_of_forward_kinematics) {
  const Rig rig = make_tube({.bones = 3});
  Pose pose = rest_pose(rig);
  pose.joints[1].rotation = rotation_about(normalized(Vec3{1, 2, 0}), 0.8);
  pose.joints[1].scale = {1, 2, 0.5};
  const auto maps = bone_maps(rig, pose);
  const auto states = states_of(rig, pose);
  for (std::size_t b = 0; b < 3; ++b) {
    EXPECT_EQ(states[b].matrix, maps[b]);
    const Mat3 again = to_matrix(states[b].turn) * states[b].scale_shear;
    EXPECT_LT(distance(again.y, maps[b].linear.y), 1e-12);
  }
}

TEST(JointPoses, a_second_skin_on_the_same_joints_is_stretched_and_twisted_alike) {
  // The same two joints bound a second time, turned by 90 degrees: body and clothes.
  Rig rig = make_tube();
  rig.skeleton.joints[1].twist_shares = TwistShares{0.5, 0.5};
  const Affine turned{to_matrix(rotation_about(Vec3{0, 0, 1}, pi / 2)), {0, 0, 4}};
  for (const Bone& bone : make_tube().skeleton.bones) {
    rig.skeleton.bones.push_back({bone.joint, bone.tail_joint, transform_point(turned, bone.head),
                                  transform_point(turned, bone.tail),
                                  bone.inverse_bind * inverse(turned)});
  }
  Pose pose = rest_pose(rig);
  pose.joints[1].translation.x = 1.5;
  pose.joints[1].rotation = rotation_about(x_axis, 1.0);
  const auto states = states_of(rig, pose);
  for (const std::size_t b : {0U, 1U}) {
    EXPECT_NEAR(states[b].twist_head, states[b + 2].twist_head, 1e-12);
    EXPECT_NEAR(states[b].twist_tail, states[b + 2].twist_tail, 1e-12);
    EXPECT_LT(distance(states[b].posed_tail, states[b + 2].posed_tail), 1e-12);
  }
  EXPECT_NEAR(states[2].twist_tail, 0.5, 1e-12);
}

TEST(JointPoses, rigid_meshes_of_the_scene_neither_stretch_nor_twist) {
  Rig rig = make_tube();
  for (Joint& joint : rig.skeleton.joints) joint.is_frame = true;
  Pose pose = rest_pose(rig);
  pose.joints[1].translation.x = 1.5;
  pose.joints[1].rotation = rotation_about(x_axis, 1.0);
  const auto states = states_of(rig, pose);
  const auto lbs = deform_reference(rig, states, {}, method_from_name("lbs", rig)).positions;
  const auto stbs = deform_reference(rig, states, {}, method_from_name("stbs-lbs", rig)).positions;
  for (std::size_t v = 0; v < lbs.size(); ++v) EXPECT_LT(distance(lbs[v], stbs[v]), 1e-12);
}

TEST(BoneTree, parents_come_first_and_twists_add_up_along_chains) {
  // A chain listed from its tip, with a branch.
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {2, 1, 0}};
  const std::vector<std::array<int, 2>> segments{{2, 3}, {1, 2}, {2, 4}, {0, 1}};
  const Skeleton skeleton = skeleton_from_segments(points, segments);
  const BoneTree tree = bone_tree(skeleton);
  EXPECT_EQ(tree.parents, (std::vector<BoneIndex>{1, 3, 1, -1}));
  std::vector<bool> seen(4, false);
  for (const int bone : tree.order) {
    const int parent = tree.parents[bone];
    EXPECT_TRUE(parent < 0 || seen[parent]) << bone;
    seen[bone] = true;
  }
  EXPECT_EQ(tree.order.size(), 4u);
  std::vector<BoneState> states(4);
  for (std::size_t b = 0; b < 4; ++b) states[b].own_twist = std::pow(10.0, double(b));
  std::vector<double> twists(4);
  accumulate_twists(tree, states, twists);
  EXPECT_EQ(twists, (std::vector<double>{1011, 1010, 1110, 1000}));
}

}  // namespace
}  // namespace sinew
