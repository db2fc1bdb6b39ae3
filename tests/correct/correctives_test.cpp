// SPDX-License-Identifier: Apache-2.0
#include "sinew/correct/correctives.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/correct/undeform.h"
#include "sinew/deform/deform.h"
#include "sinew/deform/posed_rig.h"
#include "tests/support/refusals.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

Rig bending_tube(int bones = 2) { return make_tube({.bones = bones, .rings = 41, .sides = 12}); }

double size_of(const Rig& rig) { return bounding_box(rig.mesh.positions).diagonal(); }

ToldPose bent_pose(const Rig& rig, double angle, int joint = 1, const Vec3& axis = {0, 0, 1}) {
  ToldPose pose{rest_pose(rig), {}, {}};
  pose.joints[std::size_t(joint)].rotation = rotation_about(axis, radians(angle));
  return pose;
}

// The rig in a pose by the method, with all that its drivers do.
std::vector<Vec3> shown(const Rig& rig, ToldPose pose, const Method& method) {
  pose.shapes.resize(rig.mesh.shapes.size(), 0.0);
  apply_drivers(rig, pose);
  PosedRig posed{RigPlan(rig), {.detail = method.traits().bones}};
  posed.set(pose);
  return deform_reference(rig, posed.bones(), posed.shapes(), method).positions;
}

// What the method shows, with a lump around the first joint and all of it shifted a little.
std::vector<Vec3> sculpted(const Rig& rig, const ToldPose& pose, const Method& method,
                           double amount = 0.05) {
  std::vector<Vec3> positions = shown(rig, pose, method);
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const Vec3& p = rig.mesh.positions[v];
    const double near = std::exp(-8 * (p.x - 1) * (p.x - 1));
    const Vec3 outwards = normalized(Vec3{0, p.y, p.z});
    positions[v] += outwards * (amount * near) + Vec3{0.01, 0.02, amount * near * p.y};
  }
  return positions;
}

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = 0;
  for (std::size_t v = 0; v < a.size(); ++v) largest = std::max(largest, distance(a[v], b[v]));
  return largest;
}

TEST(Correctives, every_method_shows_the_sculpted_example_in_its_pose) {
  const Rig rig = bending_tube();
  for (const MethodInfo* info : methods()) {
    const Method method = method_from_name(info->name, rig);
    const ToldPose pose = bent_pose(rig, 100);
    const std::vector<Vec3> wanted = sculpted(rig, pose, method);
    const Corrected corrected = make_correctives(rig, {{{"elbow", pose, wanted}}}, method);
    validate(corrected.rig);
    EXPECT_GT(largest_difference(shown(rig, pose, method), wanted), 0.02 * size_of(rig));
    EXPECT_LT(largest_difference(shown(corrected.rig, pose, method), wanted), 1e-4 * size_of(rig))
        << info->name;
    EXPECT_FALSE(is_poor(corrected.correctives)) << info->name << "\n" << to_text(corrected);
    EXPECT_LT(corrected.correctives[0].largest_off, 1e-4) << info->name;
    // Nothing at rest.
    EXPECT_LT(largest_difference(shown(corrected.rig, {rest_pose(rig), {}, {}}, method),
                                 rig.mesh.positions),
              1e-9 * size_of(rig))
        << info->name;
  }
}

TEST(Correctives, bends_beyond_those_of_elbows_are_shown_too_or_named_as_impossible) {
  const Rig rig = bending_tube();
  for (const MethodInfo* info : methods()) {
    const Method method = method_from_name(info->name, rig);
    const bool is_curve = info->name.starts_with("ocd");
    for (const double angle : {120.0, 130.0, 145.0}) {
      const ToldPose pose = bent_pose(rig, angle);
      const std::vector<Vec3> wanted = sculpted(rig, pose, method);
      const Corrected corrected = make_correctives(rig, {{{"elbow", pose, wanted}}}, method);
      const CorrectiveReport& report = corrected.correctives[0];
      // Offset curves press the inside of a bend flat.
      EXPECT_LE(report.off.size(), is_curve && angle > 120 ? 20u : 0u) << info->name << angle;
      for (const OffVertex& vertex : report.off) EXPECT_TRUE(vertex.singular) << info->name;
      // What is reported is what is shown.
      const std::vector<Vec3> again = shown(corrected.rig, pose, method);
      EXPECT_NEAR(largest_difference(again, wanted) / size_of(rig), report.largest_off, 1e-6)
          << info->name << angle;
    }
  }
}

// As files split them where textures end.
Rig split_at_each_triangle(const Rig& rig) {
  Rig split = rig;
  Mesh& mesh = split.mesh;
  mesh.positions.clear();
  mesh.triangles.clear();
  split.skin.weights = {};
  split.skin.endpoints.clear();
  for (const Triangle& t : rig.mesh.triangles) {
    const auto first = Index(mesh.positions.size());
    mesh.triangles.push_back({first, first + 1, first + 2});
    for (const Index v : t) {
      mesh.positions.push_back(rig.mesh.positions[v]);
      const auto row = rig.skin.weights.row(v);
      split.skin.weights.influences.insert(split.skin.weights.influences.end(), row.begin(),
                                           row.end());
      split.skin.weights.offsets.push_back(split.skin.weights.influences.size());
    }
  }
  return split;
}

TEST(Correctives, seams_stay_closed_where_neighbours_move_each_other) {
  if (find_method("delta-mush") == nullptr) GTEST_SKIP();
  const Rig rig = split_at_each_triangle(bending_tube());
  const Method method = method_from_name("delta-mush", rig);
  const ToldPose pose = bent_pose(rig, 130);
  const std::vector<Vec3> wanted = sculpted(rig, pose, method);
  const Corrected corrected = make_correctives(rig, {{{"elbow", pose, wanted}}}, method);
  EXPECT_LT(largest_difference(shown(corrected.rig, pose, method), wanted), 1e-4 * size_of(rig));
}

TEST(Correctives, several_examples_are_each_shown_in_their_pose) {
  const Rig rig = bending_tube(3);
  const Method method = method_from_name("stbs-dqs", rig);
  std::vector<CorrectiveExample> examples;
  for (const double angle : {45.0, 110.0, -60.0}) {
    const ToldPose pose = bent_pose(rig, angle);
    examples.push_back({"first", pose, sculpted(rig, pose, method, angle / 1000)});
  }
  const ToldPose second = bent_pose(rig, 80, 2);
  examples.push_back({"second", second, sculpted(rig, second, method, 0.03)});
  const Corrected corrected = make_correctives(rig, examples, method);
  EXPECT_EQ(corrected.rig.pose_spaces.size(), 2u);  // no joint in common
  EXPECT_EQ(corrected.rig.mesh.shapes[0].name, "first");
  EXPECT_EQ(corrected.rig.mesh.shapes[2].name, "first 3");
  for (const CorrectiveExample& example : examples) {
    EXPECT_LT(largest_difference(shown(corrected.rig, example.pose, method), example.positions),
              1e-6 * size_of(rig));
  }
  // Of disjoint joints both act at once.
  ToldPose both = bent_pose(rig, 110);
  both.joints[2] = second.joints[2];
  both.shapes.resize(4);
  apply_drivers(corrected.rig, both);
  EXPECT_NEAR(both.shapes[1], 1, 1e-9);
  EXPECT_NEAR(both.shapes[3], 1, 1e-9);
}

TEST(Correctives, an_example_of_two_joints_is_interpolated_with_those_of_each) {
  const Rig rig = bending_tube(3);
  const Method method = method_from_name("lbs", rig);
  ToldPose both = bent_pose(rig, 90);
  both.joints[2].rotation = rotation_about(Vec3{0, 0, 1}, radians(70));
  std::vector<CorrectiveExample> examples;
  for (const ToldPose& pose : {bent_pose(rig, 90), bent_pose(rig, 70, 2), both}) {
    examples.push_back({"e", pose, sculpted(rig, pose, method)});
  }
  const Corrected corrected = make_correctives(rig, examples, method);
  ASSERT_EQ(corrected.rig.pose_spaces.size(), 1u);
  EXPECT_EQ(corrected.rig.pose_spaces[0].joints.size(), 2u);
  for (const CorrectiveExample& example : examples) {
    EXPECT_LT(largest_difference(shown(corrected.rig, example.pose, method), example.positions),
              1e-6 * size_of(rig));
  }
}

TEST(Correctives, more_examples_may_be_added_later) {
  const Rig rig = bending_tube();
  const Method method = method_from_name("dqs", rig);
  const CorrectiveExample first{"a", bent_pose(rig, 60), sculpted(rig, bent_pose(rig, 60), method)};
  const CorrectiveExample second{"b", bent_pose(rig, 120),
                                 sculpted(rig, bent_pose(rig, 120), method)};
  const Rig once = make_correctives(rig, {{first}}, method).rig;
  CorrectiveExample later = second;
  later.pose.shapes.resize(once.mesh.shapes.size(), 0.0);
  const Rig twice = make_correctives(once, {{later}}, method).rig;
  EXPECT_EQ(twice.pose_spaces, make_correctives(rig, {{first, second}}, method).rig.pose_spaces);
  for (const CorrectiveExample* example : {&first, &second}) {
    EXPECT_LT(largest_difference(shown(twice, example->pose, method), example->positions),
              1e-6 * size_of(rig));
  }
}

TEST(Correctives, blend_shapes_that_the_rig_has_are_part_of_the_example) {
  Rig rig = bending_tube();
  BlendShape fat;
  fat.name = "fat";
  fat.default_weight = 0.5;
  for (const Vec3& p : rig.mesh.positions) fat.positions.push_back({0, p.y / 2, p.z / 2});
  rig.mesh.shapes = {fat};
  const Method method = method_from_name("lbs", rig);
  ToldPose pose = bent_pose(rig, 90);
  pose.shapes[0] = 0.8;
  const std::vector<Vec3> wanted = sculpted(rig, pose, method);
  const Corrected corrected = make_correctives(rig, {{{"e", pose, wanted}}}, method);
  EXPECT_LT(largest_difference(shown(corrected.rig, pose, method), wanted), 1e-6 * size_of(rig));
}

TEST(Correctives, an_example_that_changes_nothing_moves_nothing) {
  const Rig rig = bending_tube();
  const Method method = method_from_name("stbs-dqs", rig);
  const ToldPose pose = bent_pose(rig, 75);
  const Corrected corrected =
      make_correctives(rig, {{{"same", pose, shown(rig, pose, method)}}}, method);
  EXPECT_EQ(corrected.correctives[0].moved, 0u);
  EXPECT_EQ(corrected.rig.mesh.shapes[0].positions, std::vector<Vec3>(1));
  EXPECT_EQ(corrected.rig.mesh.shapes[0].vertices, std::vector<Index>(1));
}

// Half a turn of linear blending brings the middle ring to a line: a candy wrapper that no shape
// before skinning can open.
TEST(Correctives, vertices_that_cannot_be_inverted_are_reported_by_number) {
  const Rig rig = make_tube({.rings = 41, .sides = 12});
  const Method method = method_from_name("lbs", rig);
  const ToldPose pose = bent_pose(rig, 180, 1, {1, 0, 0});
  std::vector<Vec3> wanted = shown(rig, pose, method);
  std::vector<Index> flattened;
  for (std::size_t v = 0; v < wanted.size(); ++v) {
    const bool in_the_middle = std::fabs(rig.mesh.positions[v].x - 1) < 1e-9;
    if (in_the_middle) flattened.push_back(Index(v));
    const Vec3& p = rig.mesh.positions[v];
    wanted[v] += Vec3{0, p.y, p.z} * 0.1;
  }
  ASSERT_EQ(flattened.size(), 12u);
  const Corrected corrected = make_correctives(rig, {{{"twist", pose, wanted}}}, method);
  EXPECT_TRUE(is_poor(corrected.correctives));
  const CorrectiveReport& report = corrected.correctives[0];
  EXPECT_EQ(report.singular, 12u);
  std::vector<Index> off;
  for (const OffVertex& vertex : report.off) {
    off.push_back(vertex.vertex);
    EXPECT_TRUE(vertex.singular);
    EXPECT_NEAR(vertex.distance * size_of(rig), 0.02, 1e-6);
  }
  EXPECT_EQ(off, flattened);
  // All others are where they should be, and none has gone far.
  EXPECT_LT(report.largest_move, 0.2);
  const auto json = nlohmann::json::parse(to_json(corrected));
  EXPECT_EQ(json["correctives"][0]["off"].size(), 12u);
  EXPECT_EQ(json["poor"], true);
  EXPECT_NE(to_text(corrected).find("12 off"), std::string::npos) << to_text(corrected);
}

TEST(Correctives, normals_turn_with_the_corrected_surface) {
  Rig rig = bending_tube();
  rig.mesh.normals.values = vertex_normals(rig.mesh.positions, rig.mesh.triangles);
  const Method method = method_from_name("lbs", rig);
  const ToldPose pose = bent_pose(rig, 90);
  const Corrected corrected =
      make_correctives(rig, {{{"e", pose, sculpted(rig, pose, method, 0.1)}}}, method);
  const BlendShape& shape = corrected.rig.mesh.shapes[0];
  ASSERT_EQ(shape.normals.size(), shape.positions.size());
  std::vector<Vec3> moved = rig.mesh.positions;
  for (std::size_t i = 0; i < shape.positions.size(); ++i) {
    moved[shape.vertices.empty() ? i : shape.vertices[i]] += shape.positions[i];
  }
  const std::vector<Vec3> expected = vertex_normals(moved, rig.mesh.triangles);
  for (std::size_t i = 0; i < shape.positions.size(); ++i) {
    const std::size_t v = shape.vertices.empty() ? i : shape.vertices[i];
    EXPECT_LT(distance(rig.mesh.normals.values[v] + shape.normals[i], expected[v]), 1e-9);
  }
}

TEST(Correctives, threads_do_not_change_the_bits) {
  const Rig rig = bending_tube();
  for (const char* name : {"stbs-dqs", "delta-mush"}) {
    if (find_method(name) == nullptr) continue;
    const Method method = method_from_name(name, rig);
    const ToldPose pose = bent_pose(rig, 100);
    const CorrectiveExample example{"e", pose, sculpted(rig, pose, method)};
    set_thread_count(1);
    const Rig one = make_correctives(rig, {{example}}, method).rig;
    set_thread_count(3);
    const Rig three = make_correctives(rig, {{example}}, method).rig;
    set_thread_count(0);
    EXPECT_EQ(one, three) << name;
  }
}

TEST(Correctives, named_joints_alone_count) {
  const Rig rig = bending_tube(3);
  const Method method = method_from_name("lbs", rig);
  ToldPose pose = bent_pose(rig, 90);
  pose.joints[2].rotation = rotation_about(Vec3{0, 0, 1}, radians(20));
  const CorrectiveExample example{"e", pose, sculpted(rig, pose, method)};
  const Rig both = make_correctives(rig, {{example}}, method).rig;
  EXPECT_EQ(both.pose_spaces[0].joints, (std::vector<JointIndex>{1, 2}));
  const Rig one = make_correctives(rig, {{example}}, method, {.joints = {1}, .radius = 0.5}).rig;
  EXPECT_EQ(one.pose_spaces[0].joints, (std::vector<JointIndex>{1}));
  EXPECT_EQ(one.pose_spaces[0].radius, 0.5);
}

TEST(Correctives, what_does_not_fit_is_refused_with_both_numbers) {
  const Rig rig = bending_tube();
  const Method method = method_from_name("lbs", rig);
  CorrectiveExample example{"e", bent_pose(rig, 90), rig.mesh.positions};
  EXPECT_EQ(
      bad_input([&] {
        make_correctives(rig, {{{"r", {rest_pose(rig), {}, {}}, rig.mesh.positions}}}, method);
      }),
      "example 0: its pose turns no joint: there is nothing for a corrective to follow");
  EXPECT_EQ(bad_input([&] { make_correctives(rig, {{example}}, method, {.joints = {0}}); }),
            "example 0: its pose turns none of the joints that were named");
  EXPECT_EQ(bad_input([&] {
              make_correctives(rig, {{example, example}}, method);
            }),
            "pose space 0: examples 0 and 1 have the same pose");
  EXPECT_EQ(wrong_usage([&] { make_correctives(rig, {}, method); }), "correctives need an example");
  EXPECT_EQ(wrong_usage([&] { make_correctives(rig, {{example}}, method, {.joints = {7}}); }),
            "there is no joint 7");
  EXPECT_EQ(wrong_usage([&] { make_correctives(rig, {{example}}, method, {.radius = -1}); }),
            "the radius of examples is an angle above 0");
  example.positions.pop_back();
  EXPECT_EQ(bad_input([&] { make_correctives(rig, {{example}}, method); }),
            "example 0: it has 491 vertices, but the rig has 492; correctives need the same "
            "vertices in the same order");
}

TEST(Undeform, the_inverse_of_any_deformation_is_what_it_came_from) {
  const Rig rig = bending_tube(3);
  for (const MethodInfo* info : methods()) {
    const Method method = method_from_name(info->name, rig);
    ToldPose pose = bent_pose(rig, 60);
    pose.joints[2].rotation = rotation_about(Vec3{0.6, 0.8, 0}, radians(50));
    PosedRig posed{RigPlan(rig), {.detail = method.traits().bones}};
    posed.set(pose);
    Rig other = rig;
    for (Vec3& p : other.mesh.positions) p += 0.01 * Vec3{std::sin(5 * p.x), 1, std::cos(4 * p.y)};
    const std::vector<Vec3> targets = deform_reference(other, posed.bones(), {}, method).positions;
    const Undeformed found = undeform(rig, posed.bones(), {}, method, targets);
    for (const double off : found.off) EXPECT_LT(off, 1e-6 * size_of(rig)) << info->name;
  }
}

TEST(Undeform, bad_targets_are_refused) {
  const Rig rig = bending_tube();
  const Method method = method_from_name("lbs", rig);
  const std::vector<BoneState> bones = bone_states(rig, rest_pose(rig));
  std::vector<Vec3> targets = rig.mesh.positions;
  EXPECT_EQ(wrong_usage([&] { undeform(rig, {}, {}, method, targets); }),
            "the pose has 0 bones, the rig has 2");
  targets[3].y = std::nan("");
  EXPECT_EQ(bad_input([&] { undeform(rig, bones, {}, method, targets); }),
            "vertex 3: its target is not finite");
  targets.pop_back();
  EXPECT_EQ(wrong_usage([&] { undeform(rig, bones, {}, method, targets); }),
            "there are 491 targets for 492 vertices");
}

}  // namespace
}  // namespace sinew
