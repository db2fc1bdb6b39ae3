// SPDX-License-Identifier: Apache-2.0
// Rigs through the C interface: files, arrays, names, clips.
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include "sinew/deform/bone_links.h"
#include "sinew/samples/samples.h"
#include "tests/bindings_c/c_api.h"

namespace sinew::c_api {
namespace {

class CRigs : public CApi {};

std::filesystem::path temporary(const char* name) {
  return std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + name);
}

TEST_F(CRigs, a_sample_has_the_core_s_numbers) {
  const Rig core = make_sample("arm", 400);
  const OwnedRig rig = sample("arm", 400);
  EXPECT_EQ(count_of(rig, SINEW_VERTEX), core.mesh.vertex_count());
  EXPECT_EQ(count_of(rig, SINEW_TRIANGLE), core.mesh.triangles.size());
  EXPECT_EQ(count_of(rig, SINEW_JOINT), core.skeleton.joints.size());
  EXPECT_EQ(count_of(rig, SINEW_BONE), core.skeleton.bones.size());
  EXPECT_EQ(count_of(rig, SINEW_CLIP), core.clips.size());
  EXPECT_EQ(count_of(rig, SINEW_INFLUENCE), core.skin.weights.influences.size());
  const std::vector<double> positions = field_of(rig, SINEW_POSITIONS);
  ASSERT_EQ(positions.size(), 3 * core.mesh.positions.size());
  EXPECT_EQ(std::memcmp(positions.data(), core.mesh.positions.data(), positions.size() * 8), 0);
  const std::vector<double> weights = field_of(rig, SINEW_WEIGHTS);
  const std::vector<double> tails = field_of(rig, SINEW_BONE_TAILS);
  const std::vector<double> binds = field_of(rig, SINEW_BONE_INVERSE_BINDS);
  const std::vector<double> rests = field_of(rig, SINEW_JOINT_RESTS);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    ASSERT_EQ(weights[i], core.skin.weights.influences[i].weight);
  }
  for (std::size_t b = 0; b < core.skeleton.bones.size(); ++b) {
    EXPECT_EQ(tails[3 * b + 1], core.skeleton.bones[b].tail.y);
    EXPECT_EQ(binds[12 * b + 11], core.skeleton.bones[b].inverse_bind.translation.z);
  }
  for (std::size_t j = 0; j < core.skeleton.joints.size(); ++j) {
    EXPECT_EQ(rests[10 * j + 6], core.skeleton.joints[j].rest.rotation.w);
    const char* name = nullptr;
    ASSERT_OK(sinew_rig_name(rig, SINEW_JOINT, j, &name));
    EXPECT_EQ(name, core.skeleton.joints[j].name);
    int found = 0;
    ASSERT_OK(sinew_rig_find(rig, SINEW_JOINT, name, &found));
    EXPECT_EQ(found, static_cast<int>(j));
  }
}

TEST_F(CRigs, bones_are_linked_as_in_the_core) {
  const std::vector<BoneLinks> core = bone_links(make_sample("arm", 400));
  const OwnedRig rig = sample("arm", 400);
  OwnedBuffer buffer;
  ASSERT_OK(sinew_rig_bone_links(rig, buffer.out()));
  const auto links = nlohmann::json::parse(text_in(buffer));
  ASSERT_EQ(links.size(), core.size());
  for (std::size_t b = 0; b < core.size(); ++b) {
    EXPECT_EQ(links[b].at("parent"), int(core[b].parent));
    EXPECT_EQ(links[b].at("own_share"), core[b].own_share);
    EXPECT_EQ(links[b].at("next"), int(core[b].next));
    EXPECT_EQ(links[b].at("next_share"), core[b].next_share);
    EXPECT_EQ(links[b].at("tail_carrier"), int(core[b].tail_carrier));
    EXPECT_EQ(links[b].at("end"), int(core[b].end));
  }
  sinew_buffer* none = nullptr;
  EXPECT_REFUSED(sinew_rig_bone_links(nullptr, &none), SINEW_ERROR_HANDLE, "the rig is NULL");
}

TEST_F(CRigs, muscles_are_set_and_got_by_json_and_by_steps) {
  const OwnedRig rig = sample("arm", 400);
  OwnedBuffer none, some, edited;
  ASSERT_OK(sinew_rig_muscles(rig, none.out()));
  EXPECT_EQ(nlohmann::json::parse(text_in(none)), nlohmann::json::object());
  const char* json = R"({"upper_arm": {"stretch": 1.0, "side": [0.0, 0.0, 1.0],
      "angle": {"joint": "forearm", "range": [0.0, 120.0], "gain": 0.5}}})";
  ASSERT_OK(sinew_rig_set_muscles(rig, json));
  ASSERT_OK(sinew_rig_muscles(rig, some.out()));
  EXPECT_EQ(nlohmann::json::parse(text_in(some)), nlohmann::json::parse(json));
  EXPECT_REFUSED(sinew_rig_set_muscles(rig, R"({"upper_arm": {"stretch": 99}})"), SINEW_ERROR_INPUT,
                 "/upper_arm: stretch: its gain is 99; it must be a number from -10 to 10");
  EXPECT_REFUSED(sinew_rig_set_muscles(nullptr, "{}"), SINEW_ERROR_HANDLE, "the rig is NULL");

  sinew_pose* pose = nullptr;
  ASSERT_OK(sinew_pose_create(rig, nullptr, &pose));
  std::size_t texels = 0;
  ASSERT_OK(sinew_gpu_pose_size(pose, &texels));
  const std::size_t bones = make_sample("arm", 400).skeleton.bones.size();
  EXPECT_EQ(texels, 6 * bones + (bones + 3) / 4);
  ASSERT_OK(sinew_pose_set_json(pose, R"({"joints": {"forearm": {"bend": [60, [0, -1, 0]]}}})"));
  sinew_array bulges{};
  ASSERT_OK(sinew_pose_get(pose, SINEW_POSE_BONE_BULGES, &bulges));
  ASSERT_EQ(bulges.count, bones);
  EXPECT_NEAR(*static_cast<const double*>(bulges.data), 0.25, 1e-9);
  ASSERT_OK(sinew_pose_free(pose));

  ASSERT_OK(sinew_rig_edit(
      rig, R"([{"muscle": "upper_arm=none"}, {"muscle": "forearm", "by-stretch": "0.5"}])", nullptr,
      nullptr, nullptr));
  ASSERT_OK(sinew_rig_muscles(rig, edited.out()));
  EXPECT_EQ(nlohmann::json::parse(text_in(edited)),
            nlohmann::json::parse(R"({"forearm": {"stretch": 0.5}})"));
  ASSERT_OK(sinew_rig_set_muscles(rig, "{}"));
}

TEST_F(CRigs, every_field_has_the_components_that_the_header_says) {
  const OwnedRig rig = sample("mannequin", 600);
  const int components[] = {3, 3, 1,  2, 1, 4, 4, 3, 1, 1, 4, 2, 1, 10, 1, 1,
                            3, 3, 12, 1, 1, 1, 1, 1, 2, 2, 1, 3, 3, 3,  1, 1};
  static_assert(std::size(components) == SINEW_CONTROL_DEFAULTS + 1);
  for (int field = 0; field <= SINEW_CONTROL_DEFAULTS; ++field) {
    sinew_array array{};
    const bool of_shape = field >= SINEW_SHAPE_VERTICES && field <= SINEW_SHAPE_TANGENTS;
    if (of_shape && count_of(rig, SINEW_SHAPE) == 0) continue;
    ASSERT_OK(sinew_rig_get(rig, static_cast<sinew_field>(field), 0, &array)) << field;
    if (array.count == 0) {
      EXPECT_EQ(array.data, nullptr) << field;
    } else {
      EXPECT_EQ(array.components, static_cast<std::uint32_t>(components[field])) << field;
    }
  }
  for (int item = 0; item <= SINEW_MATERIAL; ++item) {
    std::size_t count = 0;
    EXPECT_OK(sinew_rig_count(rig, static_cast<sinew_item>(item), &count));
  }
}

TEST_F(CRigs, files_in_memory_are_those_on_disk) {
  const OwnedRig rig = sample("arm", 300);
  for (const char* format : {"glb", "gltf", "obj", "ply", "off", "tgf", ".GLB"}) {
    OwnedBuffer bytes;
    ASSERT_OK(sinew_rig_write_memory(rig, format, bytes.out())) << format;
    const std::string text = text_in(bytes);
    ASSERT_GT(text.size(), 20u) << format;
    OwnedRig again;
    ASSERT_OK(sinew_rig_read_memory(text.data(), text.size(), format, again.out())) << format;
    if (std::string(format) != "tgf") {
      EXPECT_EQ(count_of(again, SINEW_TRIANGLE), count_of(rig, SINEW_TRIANGLE)) << format;
    } else {
      EXPECT_EQ(count_of(again, SINEW_BONE), count_of(rig, SINEW_BONE)) << format;
    }
  }
  const std::filesystem::path file = temporary("arm.glb");
  ASSERT_OK(sinew_rig_write(rig, file.c_str()));
  OwnedRig read;
  ASSERT_OK(sinew_rig_read(file.c_str(), read.out()));
  EXPECT_EQ(count_of(read, SINEW_INFLUENCE), count_of(rig, SINEW_INFLUENCE));
  OwnedBuffer bytes;
  ASSERT_OK(sinew_rig_write_memory(rig, "glb", bytes.out()));
  EXPECT_EQ(text_in(bytes).size(), std::filesystem::file_size(file));
  std::filesystem::remove(file);
}

TEST_F(CRigs, bad_files_are_refused_with_the_core_s_message) {
  OwnedRig rig;
  EXPECT_REFUSED(sinew_rig_read("/nowhere/at/all.glb", rig.out()), SINEW_ERROR_FILE, "all.glb");
  EXPECT_REFUSED(sinew_rig_read("hero.docx", rig.out()), SINEW_ERROR_USAGE, ".docx");
  EXPECT_REFUSED(sinew_rig_read(nullptr, rig.out()), SINEW_ERROR_USAGE, "path");
  EXPECT_REFUSED(sinew_rig_read("a.glb", nullptr), SINEW_ERROR_USAGE, "rig is NULL");
  EXPECT_REFUSED(sinew_rig_read_memory("glTF", 4, "glb", rig.out()), SINEW_ERROR_INPUT, "");
  EXPECT_REFUSED(sinew_rig_read_memory("x", 1, "docx", rig.out()), SINEW_ERROR_USAGE, ".docx");
  EXPECT_REFUSED(sinew_rig_read_memory(nullptr, 9, "obj", rig.out()), SINEW_ERROR_USAGE, "data");
  EXPECT_REFUSED(sinew_rig_read_memory("x", 1, nullptr, rig.out()), SINEW_ERROR_USAGE, "format");
  EXPECT_REFUSED(sinew_rig_read_memory("v 0 0 nan\n", 10, "obj", rig.out()), SINEW_ERROR_INPUT,
                 "line 1");
  EXPECT_EQ(rig, nullptr);
  const OwnedRig arm = sample("arm", 100);
  OwnedBuffer file;
  EXPECT_REFUSED(sinew_rig_write(arm, "/nowhere/a.glb"), SINEW_ERROR_FILE, "/nowhere");
  EXPECT_REFUSED(sinew_rig_write(arm, nullptr), SINEW_ERROR_USAGE, "path");
  EXPECT_REFUSED(sinew_rig_write_memory(arm, "fbx", file.out()), SINEW_ERROR_USAGE, ".fbx");
  EXPECT_REFUSED(sinew_rig_write_memory(arm, "glb", nullptr), SINEW_ERROR_USAGE, "file");
}

TEST_F(CRigs, samples_are_listed) {
  std::size_t count = 0;
  ASSERT_OK(sinew_sample_count(&count));
  ASSERT_EQ(count, sample_list().size());
  for (std::size_t i = 0; i < count; ++i) {
    const char *name = nullptr, *description = nullptr;
    ASSERT_OK(sinew_sample_info(i, &name, &description));
    EXPECT_EQ(name, sample_list()[i].name);
    EXPECT_OK(sinew_sample_info(i, nullptr, nullptr));
  }
  EXPECT_REFUSED(sinew_sample_info(count, nullptr, nullptr), SINEW_ERROR_USAGE, "sample");
  EXPECT_REFUSED(sinew_sample_count(nullptr), SINEW_ERROR_USAGE, "count");
  OwnedRig rig;
  EXPECT_REFUSED(sinew_rig_sample("amr", 100, nullptr, nullptr, rig.out()), SINEW_ERROR_USAGE,
                 "arm");
  EXPECT_REFUSED(sinew_rig_sample(nullptr, 100, nullptr, nullptr, rig.out()), SINEW_ERROR_USAGE,
                 "name");
}

TEST_F(CRigs, are_built_from_arrays_in_any_type_of_number) {
  const OwnedRig rig = strip();
  EXPECT_EQ(count_of(rig, SINEW_VERTEX), 6u);
  EXPECT_EQ(count_of(rig, SINEW_BONE), 2u);
  EXPECT_EQ(count_of(rig, SINEW_INFLUENCE), 8u);
  const char* name = nullptr;
  ASSERT_OK(sinew_rig_name(rig, SINEW_BONE, 1, &name));
  EXPECT_STREQ(name, "b");
  ASSERT_OK(sinew_rig_name(rig, SINEW_RIG, 0, &name));
  EXPECT_STREQ(name, "strip");
  EXPECT_EQ(field_of(rig, SINEW_BONE_HEADS), (std::vector<double>{0.5, 0, 0, 0.5, 1, 0}));
  OwnedRig copy;
  ASSERT_OK(sinew_rig_copy(rig, copy.out()));
  EXPECT_EQ(field_of(copy, SINEW_POSITIONS), field_of(rig, SINEW_POSITIONS));
}

TEST_F(CRigs, weights_have_three_forms) {
  const OwnedRig rig = strip();
  const std::vector<double> dense = field_of(rig, SINEW_WEIGHTS);
  // Slots, as in glTF.
  const std::vector<std::uint8_t> slots{0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0};
  const std::vector<float> values{1, 0, 1, 0, 0.5, 0.5, 0.5, 0.5, 1, 0, 1, 0};
  const std::vector<float> ends{0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0};
  auto weights = sized<sinew_weights_data>();
  weights.bones = array_of(slots, 2);
  weights.weights = array_of(values, 2);
  weights.endpoints = array_of(ends, 2);
  ASSERT_OK(sinew_rig_set_weights(rig, &weights));
  EXPECT_EQ(field_of(rig, SINEW_WEIGHTS), dense);
  EXPECT_EQ(field_of(rig, SINEW_ENDPOINTS), (std::vector<double>{0, 0, 1, 0, 1, 0, 1, 1}));
  // Rows.
  const std::vector<std::uint32_t> offsets{0, 1, 2, 4, 6, 7, 8};
  const std::vector<std::int32_t> bones{0, 0, 0, 1, 0, 1, 1, 1};
  const std::vector<double> rows{1, 1, 0.5, 0.5, 0.5, 0.5, 1, 1};
  weights = sized<sinew_weights_data>();
  weights.offsets = array_of(offsets, 1);
  weights.bones = array_of(bones, 1);
  weights.weights = array_of(rows, 1);
  weights.twist_endpoints = array_of(rows, 1);
  ASSERT_OK(sinew_rig_set_weights(rig, &weights));
  EXPECT_EQ(field_of(rig, SINEW_WEIGHTS), dense);
  EXPECT_TRUE(field_of(rig, SINEW_ENDPOINTS).empty());
  EXPECT_EQ(field_of(rig, SINEW_TWIST_ENDPOINTS), rows);
}

TEST_F(CRigs, wrong_weights_leave_the_rig_as_it_was) {
  const OwnedRig rig = strip();
  const std::vector<double> before = field_of(rig, SINEW_WEIGHTS);
  auto weights = sized<sinew_weights_data>();
  const std::vector<float> five(10, 0.5F), three(18, 0.3F), wrong(12, -1.0F);
  weights.weights = array_of(five, 2);
  EXPECT_REFUSED(sinew_rig_set_weights(rig, &weights), SINEW_ERROR_USAGE, "6 vertices");
  weights.weights = array_of(three, 3);
  EXPECT_REFUSED(sinew_rig_set_weights(rig, &weights), SINEW_ERROR_USAGE, "2 bones");
  weights.weights = array_of(wrong, 2);
  EXPECT_REFUSED(sinew_rig_set_weights(rig, &weights), SINEW_ERROR_INPUT, "vertex 0");
  const std::vector<std::int32_t> bones(12, 2);
  const std::vector<float> halves(12, 0.5F);
  weights.weights = array_of(halves, 2);
  weights.bones = array_of(bones, 2);
  EXPECT_REFUSED(sinew_rig_set_weights(rig, &weights), SINEW_ERROR_INPUT, "bones[0]");
  weights.bones = array_of(halves, 2);
  EXPECT_REFUSED(sinew_rig_set_weights(rig, &weights), SINEW_ERROR_USAGE, "whole numbers");
  const std::vector<std::uint32_t> offsets{0, 2, 1, 4, 6, 7, 8};
  const std::vector<std::int32_t> eight(8, 0);
  const std::vector<float> ones(8, 1.0F);
  weights.offsets = array_of(offsets, 1);
  weights.bones = array_of(eight, 1);
  weights.weights = array_of(ones, 1);
  EXPECT_REFUSED(sinew_rig_set_weights(rig, &weights), SINEW_ERROR_INPUT, "offsets[2]");
  weights.bones = {};
  EXPECT_REFUSED(sinew_rig_set_weights(rig, &weights), SINEW_ERROR_USAGE, "offsets need bones");
  EXPECT_REFUSED(sinew_rig_set_weights(rig, nullptr), SINEW_ERROR_USAGE, "weights");
  EXPECT_EQ(field_of(rig, SINEW_WEIGHTS), before);
}

TEST_F(CRigs, wrong_meshes_are_refused) {
  const OwnedRig rig = strip();
  const std::vector<double> before = field_of(rig, SINEW_POSITIONS);
  const std::vector<float> four{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  auto mesh = sized<sinew_mesh_data>();
  mesh.positions = array_of(four, 3);
  const std::vector<std::uint32_t> far{0, 1, 4};
  mesh.triangles = array_of(far, 3);
  EXPECT_REFUSED(sinew_rig_set_mesh(rig, &mesh), SINEW_ERROR_INPUT, "triangle 0");
  const std::vector<std::int32_t> negative{0, 1, -1};
  mesh.triangles = array_of(negative, 3);
  EXPECT_REFUSED(sinew_rig_set_mesh(rig, &mesh), SINEW_ERROR_INPUT, "triangles[0]");
  mesh.triangles = {};
  mesh.normals = {four.data(), 3, 0, 3, SINEW_FLOAT32};
  EXPECT_REFUSED(sinew_rig_set_mesh(rig, &mesh), SINEW_ERROR_USAGE, "normals");
  mesh.normals = {};
  mesh.positions.stride = 8;
  EXPECT_REFUSED(sinew_rig_set_mesh(rig, &mesh), SINEW_ERROR_USAGE, "stride");
  mesh.positions.stride = 0;
  mesh.positions.type = 77;
  EXPECT_REFUSED(sinew_rig_set_mesh(rig, &mesh), SINEW_ERROR_USAGE, "type 77");
  mesh.positions = {nullptr, 4, 0, 3, SINEW_FLOAT32};
  EXPECT_REFUSED(sinew_rig_set_mesh(rig, &mesh), SINEW_ERROR_USAGE, "data is NULL");
  mesh.positions = array_of(four, 2);
  EXPECT_REFUSED(sinew_rig_set_mesh(rig, &mesh), SINEW_ERROR_USAGE, "2 components");
  const std::vector<float> bad{0, 0, std::numeric_limits<float>::quiet_NaN()};
  mesh.positions = array_of(bad, 3);
  EXPECT_REFUSED(sinew_rig_set_mesh(rig, &mesh), SINEW_ERROR_INPUT, "vertex 0");
  mesh.positions = array_of(four, 3);
  const std::vector<std::uint32_t> offsets{0, 4}, corners{0, 1, 3, 2}, triangle{0, 1, 2};
  mesh.polygon_offsets = array_of(offsets, 1);
  EXPECT_REFUSED(sinew_rig_set_mesh(rig, &mesh), SINEW_ERROR_USAGE, "belong together");
  mesh.polygon_corners = array_of(corners, 1);
  mesh.triangles = array_of(triangle, 3);
  EXPECT_REFUSED(sinew_rig_set_mesh(rig, &mesh), SINEW_ERROR_USAGE, "give one of them");
  EXPECT_REFUSED(sinew_rig_set_mesh(rig, nullptr), SINEW_ERROR_USAGE, "mesh");
  EXPECT_EQ(field_of(rig, SINEW_POSITIONS), before);
  EXPECT_EQ(count_of(rig, SINEW_INFLUENCE), 8u);
  mesh.triangles = {};
  const std::vector<float> colors{1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
  mesh.colors = array_of(colors, 3);
  const std::vector<float> uvs{0, 0, 1, 0, 0, 1, 1, 1};
  mesh.uvs = array_of(uvs, 2);
  const std::vector<std::uint32_t> tetrahedron{0, 1, 2, 3};
  mesh.tetrahedra = array_of(tetrahedron, 4);
  ASSERT_OK(sinew_rig_set_mesh(rig, &mesh));
  EXPECT_EQ(count_of(rig, SINEW_POLYGON), 1u);
  EXPECT_EQ(count_of(rig, SINEW_TRIANGLE), 2u);
  EXPECT_EQ(count_of(rig, SINEW_INFLUENCE), 0u);
  EXPECT_EQ(field_of(rig, SINEW_COLORS)[3], 1);
}

TEST_F(CRigs, skeletons_are_joints_or_segments) {
  const OwnedRig rig = strip();
  auto skeleton = sized<sinew_skeleton_data>();
  const std::vector<double> points{0, 0, 0, 0, 1, 0, 0, 2, 0};
  const std::vector<std::uint32_t> segments{0, 1, 1, 2};
  skeleton.points = array_of(points, 3);
  skeleton.segments = array_of(segments, 2);
  ASSERT_OK(sinew_rig_set_skeleton(rig, &skeleton));
  EXPECT_EQ(count_of(rig, SINEW_BONE), 2u);
  EXPECT_EQ(count_of(rig, SINEW_JOINT), 3u);
  EXPECT_EQ(count_of(rig, SINEW_INFLUENCE), 0u);
  const std::vector<std::int32_t> parents{-1, 0};
  skeleton.joint_parents = array_of(parents, 1);
  EXPECT_REFUSED(sinew_rig_set_skeleton(rig, &skeleton), SINEW_ERROR_USAGE, "give one of them");

  skeleton = sized<sinew_skeleton_data>();
  EXPECT_REFUSED(sinew_rig_set_skeleton(rig, &skeleton), SINEW_ERROR_USAGE, "joint_parents");
  skeleton.joint_parents = array_of(parents, 1);
  skeleton.joint_rests = array_of(points, 3);
  EXPECT_REFUSED(sinew_rig_set_skeleton(rig, &skeleton), SINEW_ERROR_USAGE, "2 joints");
  const std::vector<double> rests{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 2, 1, 1, 1};
  skeleton.joint_rests = array_of(rests, 10);
  const std::vector<std::int32_t> bones{1, 0};
  const std::vector<double> tails{0, 3, 0, 0, 1, 0};
  skeleton.bone_joints = array_of(bones, 1);
  skeleton.bone_tails = array_of(tails, 3);
  ASSERT_OK(sinew_rig_set_skeleton(rig, &skeleton));
  EXPECT_EQ(field_of(rig, SINEW_BONE_TAILS), tails);
  EXPECT_EQ(field_of(rig, SINEW_BONE_HEADS), (std::vector<double>{0, 1, 0, 0, 0, 0}));
  // The second bone ends where the first begins.
  sinew_array pointed{};
  ASSERT_OK(sinew_rig_get(rig, SINEW_BONE_TAIL_JOINTS, 0, &pointed));
  const auto* first = static_cast<const std::byte*>(pointed.data);
  EXPECT_EQ(*reinterpret_cast<const std::int32_t*>(first), -1);
  EXPECT_EQ(*reinterpret_cast<const std::int32_t*>(first + pointed.stride), 1);
  skeleton.bone_tails = {};
  ASSERT_OK(sinew_rig_set_skeleton(rig, &skeleton));
  const std::vector<double> flat(24, 0.0);
  skeleton.bone_inverse_binds = array_of(flat, 12);
  EXPECT_EQ(sinew_rig_set_skeleton(rig, &skeleton), SINEW_ERROR_INPUT) << sinew_last_error();
  skeleton.bone_inverse_binds = {};
  const std::vector<std::int32_t> nowhere{1, 2};
  skeleton.bone_joints = array_of(nowhere, 1);
  EXPECT_REFUSED(sinew_rig_set_skeleton(rig, &skeleton), SINEW_ERROR_INPUT, "bone_joints[1]");
  const std::vector<std::int32_t> cycle{1, 0};
  skeleton.bone_joints = {};
  skeleton.joint_parents = array_of(cycle, 1);
  EXPECT_EQ(sinew_rig_set_skeleton(rig, &skeleton), SINEW_ERROR_INPUT) << sinew_last_error();
  EXPECT_REFUSED(sinew_rig_set_skeleton(rig, nullptr), SINEW_ERROR_USAGE, "skeleton");
  EXPECT_EQ(count_of(rig, SINEW_BONE), 2u);
}

TEST_F(CRigs, shapes_controls_and_clips_are_added_and_read_back) {
  const OwnedRig rig = strip();
  auto shape = sized<sinew_shape_data>();
  const std::vector<std::uint32_t> moved{4, 5};
  const std::vector<float> up{0, 1, 0, 0, 1, 0};
  shape.name = "tall";
  shape.vertices = array_of(moved, 1);
  shape.positions = array_of(up, 3);
  ASSERT_OK(sinew_rig_add_shape(rig, &shape));
  EXPECT_EQ(field_of(rig, SINEW_SHAPE_POSITIONS, 0), (std::vector<double>{0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(field_of(rig, SINEW_SHAPE_DEFAULTS), std::vector<double>{0});
  shape.vertices = {};
  EXPECT_REFUSED(sinew_rig_add_shape(rig, &shape), SINEW_ERROR_USAGE, "6 vertices");
  EXPECT_REFUSED(sinew_rig_add_shape(rig, nullptr), SINEW_ERROR_USAGE, "shape");
  ASSERT_OK(sinew_rig_add_control(rig, "breath", 0.25));
  EXPECT_EQ(field_of(rig, SINEW_CONTROL_DEFAULTS), std::vector<double>{0.25});
  EXPECT_REFUSED(sinew_rig_add_control(rig, nullptr, 0), SINEW_ERROR_USAGE, "name");
  EXPECT_REFUSED(sinew_rig_add_control(rig, "x", std::nan("")), SINEW_ERROR_USAGE, "finite");

  const std::vector<float> times{0, 1};
  const std::vector<float> places{0, 1, 0, 0, 2, 0}, slopes(6, 0.0F), fade{0, 1};
  sinew_channel channels[3] = {sized<sinew_channel>(), sized<sinew_channel>(),
                               sized<sinew_channel>()};
  channels[0].target = SINEW_TRANSLATION;
  channels[0].interpolation = SINEW_HERMITE;
  channels[0].index = 1;
  channels[0].times = array_of(times, 1);
  channels[0].values = array_of(places, 3);
  channels[0].in_slopes = array_of(slopes, 3);
  channels[0].out_slopes = array_of(slopes, 3);
  channels[1].target = SINEW_SHAPE_WEIGHTS;
  channels[1].interpolation = SINEW_LINEAR;
  channels[1].times = array_of(times, 1);
  channels[1].values = array_of(fade, 1);
  channels[2] = channels[1];
  channels[2].target = SINEW_CONTROL_VALUE;
  ASSERT_OK(sinew_rig_add_clip(rig, "grow", channels, 3));
  double duration = 0;
  std::size_t count = 0;
  ASSERT_OK(sinew_rig_clip(rig, 0, &duration, &count));
  EXPECT_EQ(duration, 1);
  EXPECT_EQ(count, 3u);
  auto read = sized<sinew_channel>();
  ASSERT_OK(sinew_rig_channel(rig, 0, 0, &read));
  EXPECT_EQ(read.target, static_cast<std::uint32_t>(SINEW_TRANSLATION));
  EXPECT_EQ(read.interpolation, static_cast<std::uint32_t>(SINEW_HERMITE));
  EXPECT_EQ(doubles(read.values), (std::vector<double>{0, 1, 0, 0, 2, 0}));
  EXPECT_EQ(doubles(read.in_slopes), std::vector<double>(6, 0.0));
  ASSERT_OK(sinew_rig_channel(rig, 0, 1, &read));
  EXPECT_EQ(read.values.count, 0u);
  EXPECT_EQ(doubles(read.times), (std::vector<double>{0, 1}));
  EXPECT_REFUSED(sinew_rig_channel(rig, 0, 3, &read), SINEW_ERROR_USAGE, "there are 3");
  EXPECT_REFUSED(sinew_rig_channel(rig, 0, 0, nullptr), SINEW_ERROR_USAGE, "out");
  EXPECT_REFUSED(sinew_rig_clip(rig, 1, nullptr, nullptr), SINEW_ERROR_USAGE, "there are 1");

  channels[0].index = 7;
  EXPECT_EQ(sinew_rig_add_clip(rig, "bad", channels, 1), SINEW_ERROR_INPUT) << sinew_last_error();
  channels[0].index = 1;
  channels[0].target = SINEW_EULER_ROTATION;
  EXPECT_REFUSED(sinew_rig_add_clip(rig, "bad", channels, 1), SINEW_ERROR_USAGE, "target 5");
  channels[0].target = SINEW_TRANSLATION;
  channels[0].interpolation = SINEW_BEZIER;
  EXPECT_REFUSED(sinew_rig_add_clip(rig, "bad", channels, 1), SINEW_ERROR_USAGE, "interpolation 3");
  channels[0].interpolation = SINEW_LINEAR;
  channels[0].times.count = 1;
  EXPECT_REFUSED(sinew_rig_add_clip(rig, "bad", channels, 1), SINEW_ERROR_USAGE, "values");
  EXPECT_REFUSED(sinew_rig_add_clip(rig, "bad", nullptr, 1), SINEW_ERROR_USAGE, "channels");
  channels[1].struct_size = 8;
  channels[0].times.count = 2;
  EXPECT_REFUSED(sinew_rig_add_clip(rig, "bad", channels, 2), SINEW_ERROR_USAGE, "struct_size");
  EXPECT_EQ(count_of(rig, SINEW_CLIP), 1u);

  const char* keys =
      R"({"name": "turn", "keys": [{"time": 0, "pose": {"joints": {}}},
          {"time": 1, "pose": {"joints": {"b": {"bend": [90, "z"]}}}}]})";
  ASSERT_OK(sinew_rig_add_keys(rig, keys));
  EXPECT_EQ(count_of(rig, SINEW_CLIP), 2u);
  // Targets are solved on the way; a joint that is moved freely has a track then.
  const char* reach =
      R"({"name": "reach", "keys": [{"time": 0, "pose": {"targets": {"b": {"position": [0, 1, 0], "lengths": "free"}}}},
          {"time": 1, "pose": {"targets": {"b": {"position": [0.5, 1, 0], "lengths": "free"}}}}]})";
  ASSERT_OK(sinew_rig_add_keys(rig, reach));
  ASSERT_OK(sinew_rig_clip(rig, 2, &duration, &count));
  EXPECT_EQ(duration, 1);
  EXPECT_GT(count, 0u);
  ASSERT_OK(sinew_rig_remove_clip(rig, 2));
  EXPECT_REFUSED(sinew_rig_add_keys(rig, "{"), SINEW_ERROR_INPUT, "");
  EXPECT_REFUSED(sinew_rig_add_keys(rig, nullptr), SINEW_ERROR_USAGE, "json");
  EXPECT_REFUSED(sinew_rig_remove_clip(rig, 2), SINEW_ERROR_USAGE, "clip 2");
  ASSERT_OK(sinew_rig_remove_clip(rig, 0));
  const char* name = nullptr;
  ASSERT_OK(sinew_rig_name(rig, SINEW_CLIP, 0, &name));
  EXPECT_STREQ(name, "turn");
}

TEST_F(CRigs, what_is_not_there_is_refused) {
  const OwnedRig rig = strip();
  std::size_t count = 0;
  const char* name = nullptr;
  int index = 0;
  sinew_array array{};
  EXPECT_REFUSED(sinew_rig_count(rig, static_cast<sinew_item>(99), &count), SINEW_ERROR_USAGE,
                 "item 99");
  EXPECT_REFUSED(sinew_rig_count(rig, SINEW_BONE, nullptr), SINEW_ERROR_USAGE, "count");
  EXPECT_REFUSED(sinew_rig_name(rig, SINEW_JOINT, 2, &name), SINEW_ERROR_USAGE, "joint 2");
  EXPECT_REFUSED(sinew_rig_name(rig, SINEW_VERTEX, 0, &name), SINEW_ERROR_USAGE, "no names");
  EXPECT_REFUSED(sinew_rig_name(rig, SINEW_RIG, 1, &name), SINEW_ERROR_USAGE, "rig 1");
  EXPECT_REFUSED(sinew_rig_name(rig, SINEW_RIG, 0, nullptr), SINEW_ERROR_USAGE, "name");
  EXPECT_OK(sinew_rig_find(rig, SINEW_JOINT, "nobody", &index));
  EXPECT_EQ(index, -1);
  EXPECT_REFUSED(sinew_rig_find(rig, SINEW_VERTEX, "x", &index), SINEW_ERROR_USAGE, "no names");
  EXPECT_REFUSED(sinew_rig_find(rig, SINEW_JOINT, nullptr, &index), SINEW_ERROR_USAGE, "name");
  EXPECT_REFUSED(sinew_rig_get(rig, static_cast<sinew_field>(99), 0, &array), SINEW_ERROR_USAGE,
                 "field 99");
  EXPECT_REFUSED(sinew_rig_get(rig, SINEW_POSITIONS, 1, &array), SINEW_ERROR_USAGE, "index");
  EXPECT_REFUSED(sinew_rig_get(rig, SINEW_SHAPE_POSITIONS, 0, &array), SINEW_ERROR_USAGE, "shape");
  EXPECT_REFUSED(sinew_rig_get(rig, SINEW_STRETCH_FILTER, 2, &array), SINEW_ERROR_USAGE, "bone 2");
  EXPECT_REFUSED(sinew_rig_get(rig, SINEW_POSITIONS, 0, nullptr), SINEW_ERROR_USAGE, "array");
  EXPECT_REFUSED(sinew_rig_create("x", nullptr), SINEW_ERROR_USAGE, "rig");
}

}  // namespace
}  // namespace sinew::c_api
