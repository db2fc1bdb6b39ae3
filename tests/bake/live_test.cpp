// SPDX-License-Identifier: Apache-2.0
// Helpers in poses that no clip has, moved as the table and as the constraints say.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "sinew/bake/bake.h"
#include "sinew/deform/deform.h"
#include "sinew/deform/twist.h"
#include "sinew/io/gltf.h"
#include "sinew/io/gltf/document.h"
#include "sinew/samples/samples.h"
#include "tests/support/comparing.h"
#include "tests/support/plain_skinning.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

// Three bones in a straight line, with joints that are turned against each other at rest, so that
// bones lie along no axis of their joints.
Rig crooked_tube() {
  Rig rig = make_tube({.bones = 3, .rings = 121, .sides = 8});
  const Quat turn = rotation_about(normalized(Vec3{1, -2, 0.5}), 0.8);
  std::vector<Affine> frames = rest_globals(rig.skeleton);
  for (std::size_t j = 0; j < frames.size(); ++j) {
    Quat turned;
    for (std::size_t k = 0; k < j; ++k) turned = turned * turn;
    frames[j].linear = to_matrix(turned);
    Joint& joint = rig.skeleton.joints[j];
    joint.rest = to_transform(j == 0 ? frames[j] : inverse(frames[j - 1]) * frames[j]);
    rig.skeleton.bones[j].inverse_bind = inverse(frames[j]);
  }
  return rig;
}

// Joint 1 and 2 turned about the tube, which lies along x at rest, and joint 2 pulled.
Pose turned_pose(const Rig& rig, double first, double second, double stretch) {
  Pose pose = rest_pose(rig);
  for (const int j : {1, 2}) {
    const Joint& joint = rig.skeleton.joints[j];
    Transform& local = pose.joints[j];
    const Vec3 along = normalized(joint.rest.translation);
    local.rotation = rotation_about(along, radians(j == 1 ? first : second)) * local.rotation;
  }
  pose.joints[2].translation *= stretch;
  return pose;
}

std::vector<Vec3> truth(const Rig& rig, const Pose& pose) {
  return deform_reference(rig, bone_states(rig, pose), pose.shapes,
                          method_from_name("stbs-lbs", rig))
      .positions;
}

std::vector<Vec3> plain_skinning(const Rig& rig, const std::vector<Transform>& locals) {
  return plain_skinning(rig, bone_maps(rig.skeleton, forward_kinematics(rig.skeleton, locals)));
}

std::vector<Transform> with_helpers_at_rest(const Rig& baked, const Pose& pose) {
  std::vector<Transform> locals;
  for (const Joint& joint : baked.skeleton.joints) locals.push_back(joint.rest);
  std::copy(pose.joints.begin(), pose.joints.end(), locals.begin());
  return locals;
}

Quat rotation_of(const Affine& frame) { return to_transform(frame).rotation; }

// As a script does it, from the table's text and the frames of the pose.
std::vector<Transform> moved_by_table(const Baked& baked, const Pose& pose) {
  const Skeleton& skeleton = baked.rig.skeleton;
  std::vector<Transform> locals = with_helpers_at_rest(baked.rig, pose);
  const std::vector<Affine> frames = forward_kinematics(skeleton, locals);
  const auto joint_named = [&](const nlohmann::json& name) {
    return static_cast<std::size_t>(find_joint(skeleton, name.get<std::string>()));
  };
  const auto vector = [](const nlohmann::json& v) { return Vec3{v[0], v[1], v[2]}; };
  const auto quaternion = [](const nlohmann::json& q) { return Quat{q[0], q[1], q[2], q[3]}; };
  const auto table = nlohmann::json::parse(to_json(baked.table));
  for (const auto& row : table["helpers"]) {
    const std::size_t helper = joint_named(row["helper"]);
    const std::size_t parent = skeleton.joints[helper].parent;
    const Vec3 axis = vector(row["axis"]);
    const double length_at_bind = row["length"];
    Vec3 tail = axis * length_at_bind;
    double pull = 0;
    if (!row["stretch"].is_null()) {
      tail = transform_point(inverse(frames[parent]),
                             frames[joint_named(row["stretch"]["joint"])].translation);
      pull = row["stretch"]["share"].get<double>() * (length(tail) - length_at_bind);
    }
    double angle = 0;
    for (const auto& twist : row["twists"]) {
      const Quat q = conjugate(rotation_of(frames[joint_named(twist["parent"])])) *
                     rotation_of(frames[joint_named(twist["joint"])]) *
                     conjugate(quaternion(twist["bind"]));
      double turned = no_twist;
      angle += twist["share"].get<double>() * follow_twist(turned, q, vector(twist["axis"]));
    }
    const Vec3 direction = normalized(tail);
    locals[helper].translation = direction * (row["place"].get<double>() * length_at_bind + pull);
    locals[helper].rotation = rotation_between(axis, direction) * rotation_about(axis, angle) *
                              quaternion(row["rotation"]);
  }
  return locals;
}

std::vector<Transform> turned_by_constraints(const Baked& baked, const Pose& pose) {
  std::vector<Transform> locals = with_helpers_at_rest(baked.rig, pose);
  apply_constraints(baked.rig.skeleton, baked.constraints, locals);
  return locals;
}

TEST(LiveHelpers, the_table_puts_the_skin_where_the_true_bones_do) {
  const Rig rig = crooked_tube();
  const double box = bounding_box(rig.mesh.positions).diagonal();
  for (const LiveHelpers live : {LiveHelpers::table, LiveHelpers::vrm}) {
    const Baked baked = bake(rig, {.influences = 0, .live = live});
    EXPECT_TRUE(is_within_bound(baked.report)) << to_text(baked.report);
    for (const double stretch : {0.7, 1.0, 1.3}) {
      const Pose pose = turned_pose(rig, -60, 150, stretch);
      const std::vector<Vec3> exact = truth(rig, pose);
      const std::vector<Vec3> skin = plain_skinning(baked.rig, moved_by_table(baked, pose));
      EXPECT_LT(100 * largest_difference(exact, skin) / box,
                baked.report.live->max_error_box_percent);
    }
  }
}

TEST(LiveHelpers, constraints_turn_the_skin_to_where_the_true_bones_have_it) {
  const Rig rig = crooked_tube();
  const double box = bounding_box(rig.mesh.positions).diagonal();
  const Baked baked = bake(rig, {.influences = 0, .live = LiveHelpers::vrm});
  const double reported = baked.report.live->constraint_error_box;
  EXPECT_LT(reported, 1.01 * baked.report.live->max_error_box_percent);
  for (const double first : {-170.0, 0.0, 80.0}) {
    const Pose pose = turned_pose(rig, first, 150, 1);
    const std::vector<Vec3> exact = truth(rig, pose);
    const std::vector<Vec3> skin = plain_skinning(baked.rig, turned_by_constraints(baked, pose));
    EXPECT_LT(100 * largest_difference(exact, skin) / box, 1.01 * reported);
    const double plain = largest_difference(exact, plain_skinning(rig, pose.joints));
    EXPECT_GT(100 * plain / box, 10 * reported);
  }
}

TEST(LiveHelpers, each_helper_has_one_roll_and_no_weight_is_negative) {
  for (const double share : {0.0, 0.3, 1.0}) {
    Rig rig = crooked_tube();
    for (Joint& joint : rig.skeleton.joints) joint.twist_shares = TwistShares{share, 1 - share};
    const Baked baked = bake(rig, {.live = LiveHelpers::vrm});
    std::vector<int> rolls(baked.rig.skeleton.joints.size(), 0);
    for (const JointConstraint& c : baked.constraints) {
      EXPECT_GE(c.weight, 0);
      EXPECT_LE(c.weight, 1);
      if (c.kind == JointConstraint::Kind::roll) ++rolls[c.joint];
    }
    for (const LiveHelper& helper : baked.table.helpers) {
      const int joint = find_joint(baked.rig.skeleton, helper.name);
      // Where the next joint keeps its twist to itself, nothing twists the first bone.
      const bool twists = share > 0 || helper.joint != "bone0";
      EXPECT_EQ(rolls[joint], twists ? 1 : 0) << share << helper.name;
    }
    const LiveReport& live = *baked.report.live;
    EXPECT_LT(live.constraint_error, 2) << share;
    EXPECT_GT(live.plain_error_box, 5 * live.constraint_error_box) << share;
  }
}

TEST(LiveHelpers, what_constraints_cannot_read_is_named_and_measured) {
  // The second bone points to a joint below a node between.
  Rig rig = crooked_tube();
  Joint between;
  between.name = "between";
  between.parent = 1;
  rig.skeleton.joints.push_back(between);
  rig.skeleton.joints[2].parent = 3;
  const Baked baked = bake(rig, {.segments = 8, .all_bones = true, .live = LiveHelpers::vrm});
  ASSERT_FALSE(baked.report.notes.empty());
  EXPECT_EQ(baked.report.notes.front(),
            "bone1: constraints leave out the twist of bone2, which is not its direct child");
  Pose pose = rest_pose(rig);
  pose.joints[2].rotation =
      rotation_about(normalized(pose.joints[2].translation), 2.0) * pose.joints[2].rotation;
  const std::vector<Vec3> exact = truth(rig, pose);
  const double by_table =
      largest_difference(exact, plain_skinning(baked.rig, moved_by_table(baked, pose)));
  const double by_constraints =
      largest_difference(exact, plain_skinning(baked.rig, turned_by_constraints(baked, pose)));
  EXPECT_GT(by_constraints, 4 * by_table);
}

TEST(LiveHelpers, without_clips_all_bones_get_segments_for_half_a_turn) {
  Rig rig = crooked_tube();
  for (Joint& joint : rig.skeleton.joints) joint.twist_shares = TwistShares{0.5, 0.5};
  const Baked baked = bake(rig, {.live = LiveHelpers::table});
  ASSERT_EQ(baked.report.bones.size(), 3u);
  EXPECT_NEAR(baked.report.bones[1].twist, 179, 1e-6);  // 89.5 from either end
  EXPECT_GE(baked.report.bones[1].segments, 9);
  EXPECT_TRUE(baked.constraints.empty());
  for (const LiveHelper& helper : baked.table.helpers) {
    const int joint = find_joint(baked.rig.skeleton, helper.name);
    EXPECT_EQ(baked.rig.skeleton.joints[joint].parent, find_joint(rig.skeleton, helper.joint));
  }
}

TEST(LiveHelpers, clips_play_as_well_as_without_constraints) {
  const Rig rig = make_sample("arm", 800);
  const Baked plain = bake(rig, {.influences = 8});
  const Baked live = bake(rig, {.influences = 8, .live = LiveHelpers::vrm});
  EXPECT_TRUE(is_within_bound(live.report)) << to_text(live.report);
  for (std::size_t c = 0; c < rig.clips.size(); ++c) {
    const double time = 0.4 * duration(rig.clips[c]);
    const Pose pose = pose_at(rig, rig.clips[c], time);
    const std::vector<Vec3> exact = deform_reference(rig, bone_states(rig, rig.clips[c], time),
                                                     pose.shapes, method_from_name("stbs-lbs", rig))
                                        .positions;
    const Pose moved = pose_at(live.rig, live.rig.clips[c], time);
    const double box = bounding_box(rig.mesh.positions).diagonal();
    EXPECT_LT(100 * largest_difference(exact, plain_skinning(live.rig, moved.joints)) / box,
              live.report.max_error_box_percent);
  }
  EXPECT_GT(live.report.helpers, plain.report.helpers);
}

TEST(LiveHelpers, joints_without_a_name_get_one_that_the_table_uses) {
  Rig rig = crooked_tube();
  rig.skeleton.joints[1].name.clear();
  const Baked baked = bake(rig, {.live = LiveHelpers::table});
  EXPECT_EQ(baked.rig.skeleton.joints[1].name, "joint1");
  for (const LiveHelper& helper : baked.table.helpers) {
    EXPECT_NE(find_joint(baked.rig.skeleton, helper.joint), no_joint);
    for (const LiveTwist& twist : helper.twists) {
      EXPECT_NE(find_joint(baked.rig.skeleton, twist.joint), no_joint);
      EXPECT_NE(find_joint(baked.rig.skeleton, twist.parent), no_joint);
    }
  }
}

// The constraints of all nodes, as one text.
std::string constraints_in(const Model& model) {
  gltf::Json all = gltf::Json::array();
  for (const auto& node : model.source->json["nodes"]) {
    if (node.contains("extensions")) all.push_back({node["name"], node["extensions"]});
  }
  return all.dump();
}

TEST(LiveHelpers, constraints_are_written_as_vrm_has_them_and_stay_in_the_file) {
  const Model file = parse_gltf(to_glb({crooked_tube(), nullptr}));
  const Baked baked = bake(file.rig, {.segments = 2, .live = LiveHelpers::vrm});
  const Model fresh = parse_gltf(to_glb({baked.rig, nullptr, baked.constraints}));
  const Model updated = parse_gltf(to_glb({baked.rig, file.source, baked.constraints}));
  for (const Model* model : {&fresh, &updated}) {
    const auto& json = model->source->json;
    EXPECT_EQ(json["extensionsUsed"], gltf::Json({"VRMC_node_constraint"}));
    EXPECT_FALSE(json.contains("extensionsRequired"));
    std::size_t found = 0;
    for (const auto& node : json["nodes"]) {
      if (!node.contains("extensions")) continue;
      ++found;
      const auto& extension = node["extensions"]["VRMC_node_constraint"];
      EXPECT_EQ(extension["specVersion"], "1.0");
      ASSERT_EQ(extension["constraint"].size(), 1u);
      const auto& values = extension["constraint"].begin().value();
      const std::string source = json["nodes"][values["source"].get<std::size_t>()]["name"];
      const int joint = find_joint(baked.rig.skeleton, node["name"].get<std::string>());
      const auto made = std::find_if(baked.constraints.begin(), baked.constraints.end(),
                                     [&](const JointConstraint& c) { return c.joint == joint; });
      ASSERT_NE(made, baked.constraints.end());
      EXPECT_EQ(baked.rig.skeleton.joints[made->source].name, source);
      EXPECT_EQ(values["weight"], made->weight);
      if (made->kind == JointConstraint::Kind::roll) {
        EXPECT_EQ(values["rollAxis"], std::string(1, "XYZ"[made->axis]));
      }
    }
    EXPECT_EQ(found, baked.constraints.size());
    EXPECT_EQ(constraints_in(parse_gltf(to_glb(*model))), constraints_in(*model));
  }
}

}  // namespace
}  // namespace sinew
