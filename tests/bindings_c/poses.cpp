// SPDX-License-Identifier: Apache-2.0
// Poses, inverse kinematics, deforming and measuring through the C interface.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include <unistd.h>

#include "sinew/deform/posed_rig.h"
#include "sinew/kernels/binding.h"
#include "sinew/samples/samples.h"
#include "tests/bindings_c/c_api.h"

namespace sinew::c_api {
namespace {

class CPoses : public CApi {};

std::vector<double> field_of_pose(sinew_pose* pose, sinew_pose_field field) {
  sinew_array array{};
  EXPECT_OK(sinew_pose_get(pose, field, &array));
  return doubles(array);
}

// Positions and normals side by side, as an engine has them.
struct Vertex {
  float position[3], normal[3];
};

std::vector<Vertex> deformed(sinew_deformer* deformer, sinew_pose* pose, std::size_t count) {
  std::vector<Vertex> vertices(count);
  auto output = sized<sinew_output>();
  output.vertex_count = count;
  output.positions = vertices[0].position;
  output.normals = vertices[0].normal;
  output.position_stride = output.normal_stride = sizeof(Vertex);
  EXPECT_OK(sinew_deformer_deform(deformer, pose, &output));
  return vertices;
}

OwnedDeformer deformer_of(const sinew_rig* rig, const char* method, bool reference = false) {
  auto options = sized<sinew_deformer_options>();
  options.method = method;
  options.reference = reference ? 1 : 0;
  OwnedDeformer deformer;
  EXPECT_OK(sinew_deformer_create(rig, &options, deformer.out())) << method;
  return deformer;
}

TEST_F(CPoses, a_moment_of_a_clip_has_the_core_s_bits_by_every_method) {
  const Rig core = make_sample("arm", 300);
  const OwnedRig rig = sample("arm", 300);
  const OwnedPose pose = pose_of(rig);
  ASSERT_OK(sinew_pose_play(pose, 0, 0.4));
  const Binding binding(core);
  PosedRig posed((RigPlan(core)));
  posed.play(ClipPlan(posed.plan(), core.clips[0]), 0.4);
  std::size_t count = 0;
  ASSERT_OK(sinew_method_count(&count));
  ASSERT_EQ(count, methods().size());
  for (std::size_t m = 0; m < count; ++m) {
    auto info = sized<sinew_method_info>();
    ASSERT_OK(sinew_method_get(m, &info));
    ASSERT_EQ(info.name, methods()[m]->name);
    Palette palette(Plan(binding, method_from_name(info.name, core)));
    palette.update(posed.bones(), posed.shapes());
    std::vector<Vertex> expected(core.mesh.vertex_count());
    Output output;
    output.positions = expected[0].position;
    output.normals = expected[0].normal;
    output.position_stride = output.normal_stride = sizeof(Vertex);
    deform(palette, output);
    const OwnedDeformer deformer = deformer_of(rig, info.name);
    const std::vector<Vertex> vertices = deformed(deformer, pose, expected.size());
    EXPECT_EQ(std::memcmp(vertices.data(), expected.data(), expected.size() * sizeof(Vertex)), 0)
        << info.name;
    OwnedDeformer copy;
    ASSERT_OK(sinew_deformer_copy(deformer, copy.out()));
    const std::vector<Vertex> again = deformed(copy, pose, expected.size());
    EXPECT_EQ(std::memcmp(again.data(), expected.data(), expected.size() * sizeof(Vertex)), 0);
  }
}

TEST_F(CPoses, the_reference_is_close_to_the_kernels) {
  const OwnedRig rig = sample("arm", 150);
  const OwnedPose pose = pose_of(rig);
  ASSERT_OK(sinew_pose_play(pose, 0, 0.4));
  const std::size_t count = count_of(rig, SINEW_VERTEX);
  const auto fast = deformed(deformer_of(rig, "stbs-dqs"), pose, count);
  const auto slow = deformed(deformer_of(rig, "stbs-dqs", true), pose, count);
  for (std::size_t v = 0; v < count; ++v) {
    for (int k = 0; k < 3; ++k) {
      ASSERT_NEAR(fast[v].position[k], slow[v].position[k], 1e-5);
      ASSERT_NEAR(fast[v].normal[k], slow[v].normal[k], 1e-3);
    }
  }
}

TEST_F(CPoses, joints_are_set_one_by_one_or_all_at_once) {
  const OwnedRig rig = strip();
  const OwnedPose pose = pose_of(rig);
  EXPECT_EQ(field_of_pose(pose, SINEW_POSE_JOINTS), field_of(rig, SINEW_JOINT_RESTS));
  const double stretched[10] = {0, 2, 0, 0, 0, 0, 1, 1, 1, 1};
  ASSERT_OK(sinew_pose_set_joint(pose, 1, stretched));
  EXPECT_EQ(field_of_pose(pose, SINEW_POSE_BONE_HEADS)[4], 2);
  EXPECT_EQ(field_of_pose(pose, SINEW_POSE_BONE_TAILS)[1], 2);
  const std::vector<double> one = field_of_pose(pose, SINEW_POSE_JOINTS);
  ASSERT_OK(sinew_pose_rest(pose));
  EXPECT_EQ(field_of_pose(pose, SINEW_POSE_BONE_HEADS)[4], 1);
  const sinew_array all = array_of(one, 10);
  ASSERT_OK(sinew_pose_set_joints(pose, &all));
  EXPECT_EQ(field_of_pose(pose, SINEW_POSE_BONE_HEADS)[4], 2);
  EXPECT_EQ(field_of_pose(pose, SINEW_POSE_JOINT_FRAMES)[12 + 10], 2);
  // A float rotation is made a unit quaternion.
  std::vector<float> turned(one.begin(), one.end());
  turned[13] = 0.6F;
  turned[16] = 0.8F;
  const sinew_array floats = array_of(turned, 10);
  ASSERT_OK(sinew_pose_set_joints(pose, &floats));
  const std::vector<double> joints = field_of_pose(pose, SINEW_POSE_JOINTS);
  EXPECT_NEAR(std::hypot(joints[13], joints[16]), 1, 1e-15);
  EXPECT_EQ(field_of_pose(pose, SINEW_POSE_BONE_ROTATIONS).size(), 8u);
  EXPECT_EQ(field_of_pose(pose, SINEW_POSE_BONE_TWISTS).size(), 4u);
  EXPECT_EQ(field_of_pose(pose, SINEW_POSE_BONE_FRAMES).size(), 24u);
}

TEST_F(CPoses, json_is_taken_by_joints_and_by_bones_and_written_back) {
  const OwnedRig rig = strip();
  const OwnedPose pose = pose_of(rig);
  ASSERT_OK(sinew_pose_set_json(pose, R"({"joints": {"b": {"twist": 540}, "a": {"stretch": 2}}})"));
  EXPECT_NEAR(field_of_pose(pose, SINEW_POSE_BONE_HEADS)[4], 2, 1e-12);
  OwnedBuffer json;
  ASSERT_OK(sinew_pose_write_json(pose, json.out()));
  const OwnedPose other = pose_of(rig);
  ASSERT_OK(sinew_pose_set_json(other, text_in(json).c_str()));
  const auto twists = field_of_pose(pose, SINEW_POSE_BONE_TWISTS);
  const auto again = field_of_pose(other, SINEW_POSE_BONE_TWISTS);
  for (std::size_t i = 0; i < twists.size(); ++i) EXPECT_NEAR(twists[i], again[i], 1e-9);
  ASSERT_OK(sinew_pose_set_json(
      pose,
      R"({"bones": [{"start": [0,0,0], "end": [0,3,0]}, {"start": [0,3,0], "end": [0,5,0]}]})"));
  EXPECT_EQ(field_of_pose(pose, SINEW_POSE_BONE_TAILS)[4], 5);
  OwnedBuffer none;
  EXPECT_REFUSED(sinew_pose_write_json(pose, none.out()), SINEW_ERROR_USAGE, "by bones");
  EXPECT_REFUSED(sinew_pose_set_json(pose, "{\"joints\": {\"nobody\": {}}}"), SINEW_ERROR_INPUT,
                 "nobody");
  EXPECT_REFUSED(sinew_pose_set_json(pose, nullptr), SINEW_ERROR_USAGE, "json");
  // What was refused changed nothing.
  EXPECT_EQ(field_of_pose(pose, SINEW_POSE_BONE_TAILS)[4], 5);
}

TEST_F(CPoses, shapes_and_controls_are_set) {
  const OwnedRig rig = strip();
  auto shape = sized<sinew_shape_data>();
  const std::vector<float> up(18, 0.5F);
  shape.positions = array_of(up, 3);
  ASSERT_OK(sinew_rig_add_shape(rig, &shape));
  ASSERT_OK(sinew_rig_add_control(rig, "c", 0.5));
  const OwnedPose pose = pose_of(rig);
  EXPECT_EQ(field_of_pose(pose, SINEW_POSE_CONTROLS), std::vector<double>{0.5});
  const std::vector<double> two{2}, none{std::nan("")};
  const sinew_array given = array_of(two, 1), bad = array_of(none, 1);
  ASSERT_OK(sinew_pose_set_shapes(pose, &given));
  ASSERT_OK(sinew_pose_set_controls(pose, &given));
  EXPECT_EQ(field_of_pose(pose, SINEW_POSE_SHAPES), two);
  EXPECT_EQ(field_of_pose(pose, SINEW_POSE_CONTROLS), two);
  const auto vertices = deformed(deformer_of(rig, "lbs"), pose, 6);
  EXPECT_NEAR(vertices[0].position[0], 1, 1e-6);
  EXPECT_REFUSED(sinew_pose_set_shapes(pose, &bad), SINEW_ERROR_INPUT, "weights[0]");
  EXPECT_REFUSED(sinew_pose_set_controls(pose, &bad), SINEW_ERROR_INPUT, "values[0]");
  const sinew_array empty{};
  EXPECT_REFUSED(sinew_pose_set_shapes(pose, &empty), SINEW_ERROR_USAGE, "1 shapes");
  EXPECT_REFUSED(sinew_pose_set_controls(pose, nullptr), SINEW_ERROR_USAGE, "values");
}

TEST_F(CPoses, generalized_bones_follow_controls_and_joints) {
  const OwnedRig rig = strip();
  const auto file = std::filesystem::temp_directory_path() /
                    (std::to_string(::getpid()) + "sinew_c_drivers.json");
  std::ofstream(file) << R"({"controls": [{"name": "c", "default": 0}],
    "drivers": [{"joint": "b", "follow": {"property": "rotation", "axis": [1, 0, 0], "control": "c",
      "curve": {"interpolation": "linear", "times": [0, 1], "values": [0, 90]}}}]})";
  const std::string steps = R"([{"drivers": ")" + file.string() + R"("}])";
  ASSERT_OK(sinew_rig_edit(rig, steps.c_str(), nullptr, nullptr, nullptr));
  std::filesystem::remove(file);
  const OwnedPose pose = pose_of(rig);
  const std::vector<double> one{1};
  const sinew_array given = array_of(one, 1);
  ASSERT_OK(sinew_pose_set_controls(pose, &given));
  const std::vector<double> joints = field_of_pose(pose, SINEW_POSE_JOINTS);
  EXPECT_NEAR(joints[13], std::sqrt(0.5), 1e-12);
  // And when all joints are set.
  std::vector<double> rests = field_of(rig, SINEW_JOINT_RESTS);
  const sinew_array all = array_of(rests, 10);
  ASSERT_OK(sinew_pose_set_joints(pose, &all));
  EXPECT_NEAR(field_of_pose(pose, SINEW_POSE_JOINTS)[13], std::sqrt(0.5), 1e-12);
}

TEST_F(CPoses, wrong_poses_are_refused) {
  const OwnedRig rig = strip();
  const OwnedPose pose = pose_of(rig);
  const double bad[10] = {0, std::nan(""), 0, 0, 0, 0, 1, 1, 1, 1}, flat[10] = {};
  const double fine[10] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
  EXPECT_REFUSED(sinew_pose_set_joint(pose, 0, bad), SINEW_ERROR_INPUT, "not finite");
  EXPECT_REFUSED(sinew_pose_set_joint(pose, 0, flat), SINEW_ERROR_INPUT, "no length");
  EXPECT_REFUSED(sinew_pose_set_joint(pose, 2, fine), SINEW_ERROR_USAGE, "joint 2");
  EXPECT_REFUSED(sinew_pose_set_joint(pose, 0, nullptr), SINEW_ERROR_USAGE, "transform");
  const std::vector<double> one(10, 1.0);
  const sinew_array few = array_of(one, 10);
  EXPECT_REFUSED(sinew_pose_set_joints(pose, &few), SINEW_ERROR_USAGE, "2 joints");
  EXPECT_REFUSED(sinew_pose_set_joints(pose, nullptr), SINEW_ERROR_USAGE, "transforms");
  EXPECT_REFUSED(sinew_pose_play(pose, 0, 0), SINEW_ERROR_USAGE, "clip 0");
  const OwnedRig arm = sample("arm", 100);
  const OwnedPose arms = pose_of(arm);
  EXPECT_REFUSED(sinew_pose_play(arms, 0, std::nan("")), SINEW_ERROR_USAGE, "");
  sinew_array array{};
  EXPECT_REFUSED(sinew_pose_get(pose, static_cast<sinew_pose_field>(42), &array), SINEW_ERROR_USAGE,
                 "field 42");
  EXPECT_REFUSED(sinew_pose_get(pose, SINEW_POSE_JOINTS, nullptr), SINEW_ERROR_USAGE, "array");
  EXPECT_REFUSED(sinew_pose_create(rig, nullptr, nullptr), SINEW_ERROR_USAGE, "pose");
  auto options = sized<sinew_pose_options>();
  options.struct_size = 3;
  OwnedPose none;
  EXPECT_REFUSED(sinew_pose_create(rig, &options, none.out()), SINEW_ERROR_USAGE, "struct_size");
}

TEST_F(CPoses, twists_that_are_followed_count_turns) {
  const OwnedRig rig = strip();
  auto options = sized<sinew_pose_options>();
  options.follow = 1;
  OwnedPose pose;
  ASSERT_OK(sinew_pose_create(rig, &options, pose.out()));
  double largest = 0;
  for (int i = 0; i <= 8; ++i) {
    const double half = i * 0.25 * 3.14159265358979 / 2;
    const double turned[10] = {0, 1, 0, 0, std::sin(half), 0, std::cos(half), 1, 1, 1};
    ASSERT_OK(sinew_pose_set_joint(pose, 1, turned));
    for (const double t : field_of_pose(pose, SINEW_POSE_BONE_TWISTS)) {
      largest = std::max(largest, std::fabs(t));
    }
  }
  EXPECT_GT(largest, 3.2);
}

TEST_F(CPoses, a_deformer_keeps_what_it_was_made_for) {
  const OwnedPose no_pose;
  OwnedRig rig = strip();
  const OwnedPose pose = pose_of(rig);
  const OwnedDeformer deformer = deformer_of(rig, "stbs-lbs");
  const auto before = deformed(deformer, pose, 6);
  const std::vector<float> other(12, 0.5F);
  auto weights = sized<sinew_weights_data>();
  weights.weights = array_of(other, 2);
  ASSERT_OK(sinew_rig_set_weights(rig, &weights));
  ASSERT_OK(sinew_rig_free(rig));
  *rig.out() = nullptr;
  const auto after = deformed(deformer, pose, 6);
  EXPECT_EQ(std::memcmp(before.data(), after.data(), 6 * sizeof(Vertex)), 0);
}

TEST_F(CPoses, wrong_output_is_refused_and_not_touched) {
  const OwnedRig rig = strip();
  const OwnedPose pose = pose_of(rig);
  const OwnedDeformer deformer = deformer_of(rig, "lbs");
  std::vector<float> positions(18, 7.0F);
  auto output = sized<sinew_output>();
  output.positions = positions.data();
  output.vertex_count = 5;
  EXPECT_REFUSED(sinew_deformer_deform(deformer, pose, &output), SINEW_ERROR_USAGE, "6 vertices");
  output.vertex_count = 6;
  output.position_stride = 8;
  EXPECT_REFUSED(sinew_deformer_deform(deformer, pose, &output), SINEW_ERROR_USAGE, "8 bytes");
  output.position_stride = 0;
  output.tangents = positions.data();
  EXPECT_REFUSED(sinew_deformer_deform(deformer, pose, &output), SINEW_ERROR_USAGE, "tangents");
  EXPECT_REFUSED(sinew_deformer_deform(deformer, pose, nullptr), SINEW_ERROR_USAGE, "output");
  const OwnedRig arm = sample("arm", 100);
  const OwnedPose arms = pose_of(arm);
  output.tangents = nullptr;
  EXPECT_REFUSED(sinew_deformer_deform(deformer, arms, &output), SINEW_ERROR_USAGE, "bone");
  EXPECT_EQ(positions, std::vector<float>(18, 7.0F));
  output.struct_size = 100000;
  EXPECT_REFUSED(sinew_deformer_deform(deformer, pose, &output), SINEW_ERROR_USAGE, "struct_size");
}

TEST_F(CPoses, a_newer_caller_s_options_are_refused_only_where_they_say_something) {
  const OwnedRig rig = strip();
  struct Newer {
    sinew_deformer_options known;
    double added;
  } options{};
  options.known.struct_size = sizeof options;
  OwnedDeformer deformer;
  EXPECT_OK(sinew_deformer_create(rig, &options.known, deformer.out()));
  OwnedDeformer other;
  options.added = 1;
  EXPECT_REFUSED(sinew_deformer_create(rig, &options.known, other.out()), SINEW_ERROR_USAGE,
                 "does not know");
  // An older caller's struct is shorter.
  options.known.method = "no such method";
  options.known.struct_size = sizeof(std::size_t);
  EXPECT_OK(sinew_deformer_create(rig, &options.known, other.out()));
}

TEST_F(CPoses, methods_say_what_they_are_and_take_settings) {
  std::size_t count = 0;
  ASSERT_OK(sinew_method_count(&count));
  std::size_t settings = 0;
  for (std::size_t m = 0; m < count; ++m) {
    auto info = sized<sinew_method_info>();
    ASSERT_OK(sinew_method_get(m, &info));
    EXPECT_NE(std::string(info.summary), "");
    for (std::size_t s = 0; s < info.setting_count; ++s, ++settings) {
      const char *name = nullptr, *help = nullptr;
      ASSERT_OK(sinew_method_setting(m, s, &name, &help));
      EXPECT_NE(std::string(name), "");
    }
    EXPECT_REFUSED(sinew_method_setting(m, info.setting_count, nullptr, nullptr), SINEW_ERROR_USAGE,
                   "setting");
  }
  EXPECT_GT(settings, 0u);
  auto info = sized<sinew_method_info>();
  EXPECT_REFUSED(sinew_method_get(count, &info), SINEW_ERROR_USAGE, "method");
  EXPECT_REFUSED(sinew_method_get(0, nullptr), SINEW_ERROR_USAGE, "info");
  const OwnedRig rig = strip();
  auto options = sized<sinew_deformer_options>();
  OwnedDeformer deformer;
  options.method = "stbs";
  EXPECT_REFUSED(sinew_deformer_create(rig, &options, deformer.out()), SINEW_ERROR_USAGE,
                 "stbs-dqs");
  options.method = "delta-mush";
  sinew_setting setting{"iterations", "-3"};
  options.settings = &setting;
  options.setting_count = 1;
  EXPECT_REFUSED(sinew_deformer_create(rig, &options, deformer.out()), SINEW_ERROR_USAGE,
                 "iterations");
  setting.value = "3";
  EXPECT_OK(sinew_deformer_create(rig, &options, deformer.out()));
  OwnedDeformer other;
  setting.value = nullptr;
  EXPECT_REFUSED(sinew_deformer_create(rig, &options, other.out()), SINEW_ERROR_USAGE, "value");
  OwnedRig empty;
  ASSERT_OK(sinew_rig_create(nullptr, empty.out()));
  EXPECT_REFUSED(sinew_deformer_create(empty, nullptr, other.out()), SINEW_ERROR_USAGE, "no bones");
}

TEST_F(CPoses, a_hand_is_dragged_to_its_goal) {
  const OwnedRig rig = sample("arm", 100);
  const OwnedPose pose = pose_of(rig);
  const std::size_t joints = count_of(rig, SINEW_JOINT);
  auto handle = sized<sinew_ik_handle>();
  handle.joint = static_cast<int>(joints) - 1;
  handle.root = -1;
  handle.lengths = SINEW_LENGTHS_BEYOND_REACH;
  OwnedIk ik;
  ASSERT_OK(sinew_ik_create(rig, &handle, 1, nullptr, ik.out()));
  const std::vector<double> before = field_of_pose(pose, SINEW_POSE_JOINT_FRAMES);
  auto goal = sized<sinew_ik_goal>();
  goal.has_position = 1;
  for (int k = 0; k < 3; ++k) goal.position[k] = before[12 * (joints - 1) + 9 + k];
  goal.position[1] += 0.1;
  double distance = 1;
  ASSERT_OK(sinew_ik_solve(ik, pose, &goal, 1, &distance));
  EXPECT_LT(distance, 1e-6);
  const std::vector<double> after = field_of_pose(pose, SINEW_POSE_JOINT_FRAMES);
  EXPECT_NEAR(after[12 * (joints - 1) + 10], goal.position[1], 1e-6);

  EXPECT_REFUSED(sinew_ik_solve(ik, pose, &goal, 2, nullptr), SINEW_ERROR_USAGE, "goal_count is 2");
  goal.position[0] = std::nan("");
  EXPECT_EQ(sinew_ik_solve(ik, pose, &goal, 1, nullptr), SINEW_ERROR_USAGE);
  EXPECT_EQ(field_of_pose(pose, SINEW_POSE_JOINT_FRAMES), after);
  goal.position[0] = 0;
  goal.has_rotation = 1;
  EXPECT_REFUSED(sinew_ik_solve(ik, pose, &goal, 1, nullptr), SINEW_ERROR_USAGE, "no length");
  EXPECT_REFUSED(sinew_ik_solve(ik, pose, nullptr, 1, nullptr), SINEW_ERROR_USAGE, "goals");
  OwnedIk other;
  handle.joint = 99;
  EXPECT_EQ(sinew_ik_create(rig, &handle, 1, nullptr, other.out()), SINEW_ERROR_USAGE);
  handle.joint = 1;
  handle.lengths = 9;
  EXPECT_REFUSED(sinew_ik_create(rig, &handle, 1, nullptr, other.out()), SINEW_ERROR_USAGE,
                 "lengths 9");
  handle.lengths = 0;
  handle.children = 9;
  EXPECT_REFUSED(sinew_ik_create(rig, &handle, 1, nullptr, other.out()), SINEW_ERROR_USAGE,
                 "children 9");
  handle.children = 0;
  auto limit = sized<sinew_ik_limit>();
  limit.kind = 9;
  auto options = sized<sinew_ik_options>();
  options.limits = &limit;
  options.limit_count = 1;
  EXPECT_REFUSED(sinew_ik_create(rig, &handle, 1, &options, other.out()), SINEW_ERROR_USAGE,
                 "kind 9");
  for (const int kind : {SINEW_LIMIT_CONE, SINEW_LIMIT_HINGE, SINEW_LIMIT_AXES}) {
    limit.kind = static_cast<std::uint32_t>(kind);
    limit.axis[0] = 1;
    for (int k = 0; k < 3; ++k) limit.min[k] = -1, limit.max[k] = 1;
    OwnedIk limited;
    EXPECT_OK(sinew_ik_create(rig, &handle, 1, &options, limited.out())) << kind;
  }
  EXPECT_REFUSED(sinew_ik_create(rig, &handle, 1, nullptr, nullptr), SINEW_ERROR_USAGE, "ik");
}

TEST_F(CPoses, limits_of_the_rig_hold_for_handles) {
  OwnedRig rig = sample("arm", 100);
  const int last = static_cast<int>(count_of(rig, SINEW_JOINT)) - 1;
  ASSERT_OK(sinew_rig_edit(rig, R"([{"limits": {"limits": {"1": {"cone": 5, "twist": [0, 0]}}}}])",
                           nullptr, nullptr, nullptr));
  auto handle = sized<sinew_ik_handle>();
  handle.joint = last;
  handle.root = 0;
  auto options = sized<sinew_ik_options>();
  const auto missed = [&] {
    OwnedIk ik;
    EXPECT_OK(sinew_ik_create(rig, &handle, 1, &options, ik.out()));
    const OwnedPose pose = pose_of(rig);
    const std::vector<double> frames = field_of_pose(pose, SINEW_POSE_JOINT_FRAMES);
    auto goal = sized<sinew_ik_goal>();
    goal.has_position = 1;
    // Half way to the root: the elbow must bend by far more than 5 degrees.
    for (int k = 0; k < 3; ++k) goal.position[k] = (frames[9 + k] + frames[12 * last + 9 + k]) / 2;
    double distance = 0;
    EXPECT_OK(sinew_ik_solve(ik, pose, &goal, 1, &distance));
    return distance;
  };
  EXPECT_GT(missed(), 0.01);
  options.without_rig_limits = 1;
  EXPECT_LT(missed(), 1e-6);
  options.without_rig_limits = 0;
  auto limit = sized<sinew_ik_limit>();
  limit.joint = 1;
  limit.kind = SINEW_LIMIT_AXES;
  for (int k = 0; k < 3; ++k) limit.min[k] = -pi, limit.max[k] = pi;
  options.limits = &limit;
  options.limit_count = 1;
  EXPECT_LT(missed(), 1e-6);
}

TEST_F(CPoses, a_rig_with_blend_shares_is_deformed_by_them) {
  const OwnedRig rig = sample("arm", 300);
  const OwnedPose pose = pose_of(rig);
  ASSERT_OK(sinew_pose_play(pose, 0, 0.4));
  const std::size_t count = count_of(rig, SINEW_VERTEX);
  const auto shape = [&](const char* method) {
    std::vector<float> places;
    for (const Vertex& v : deformed(deformer_of(rig, method), pose, count)) {
      places.insert(places.end(), v.position, v.position + 3);
    }
    return places;
  };
  EXPECT_EQ(shape(nullptr), shape("stbs-dqs"));
  ASSERT_OK(sinew_rig_edit(rig, R"([{"blend-share": "0"}])", nullptr, nullptr, nullptr));
  EXPECT_EQ(shape(nullptr), shape("stbs-mixed"));
  EXPECT_NE(shape(nullptr), shape("stbs-dqs"));
}

TEST_F(CPoses, measures_are_json) {
  const OwnedRig rig = sample("arm", 200);
  const OwnedPose pose = pose_of(rig);
  ASSERT_OK(sinew_pose_play(pose, 0, 0.4));
  OwnedBuffer report, all;
  ASSERT_OK(sinew_measure(rig, pose, "lbs,stbs-dqs", report.out()));
  const auto json = nlohmann::json::parse(text_in(report));
  EXPECT_NE(json.dump().find("stbs-dqs"), std::string::npos);
  EXPECT_REFUSED(sinew_measure(rig, pose, "lbs,xyz", all.out()), SINEW_ERROR_USAGE, "xyz");
  EXPECT_REFUSED(sinew_measure(rig, pose, "", all.out()), SINEW_ERROR_USAGE, "methods");
  EXPECT_REFUSED(sinew_measure(rig, pose, nullptr, nullptr), SINEW_ERROR_USAGE, "report");
  const OwnedRig other = strip();
  const OwnedPose strips = pose_of(other);
  EXPECT_EQ(sinew_measure(rig, strips, "lbs", all.out()), SINEW_ERROR_USAGE);
}

TEST_F(CPoses, threads_share_a_rig_and_even_a_pose) {
  const OwnedRig rig = sample("arm", 100);
  const OwnedPose shared = pose_of(rig);
  const std::size_t count = count_of(rig, SINEW_VERTEX);
  std::vector<std::thread> threads;
  std::vector<int> failures(4, 0);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      sinew_deformer* deformer = nullptr;
      if (sinew_deformer_create(rig, nullptr, &deformer) != SINEW_OK) ++failures[t];
      std::vector<float> positions(3 * count);
      auto output = sized<sinew_output>();
      output.vertex_count = count;
      output.positions = positions.data();
      for (int i = 0; i < 50; ++i) {
        if (sinew_pose_play(shared, 0, 0.01 * i) != SINEW_OK) ++failures[t];
        if (sinew_deformer_deform(deformer, shared, &output) != SINEW_OK) ++failures[t];
        // A message of this thread alone.
        if (sinew_pose_play(shared, 1000 + std::size_t(t), 0) == SINEW_OK) ++failures[t];
        const std::string wanted = "clip " + std::to_string(1000 + t);
        if (std::string(sinew_last_error()).find(wanted) == std::string::npos) ++failures[t];
      }
      if (sinew_deformer_free(deformer) != SINEW_OK) ++failures[t];
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, std::vector<int>(4, 0));
}

}  // namespace
}  // namespace sinew::c_api
