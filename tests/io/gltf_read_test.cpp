// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/io/gltf.h"
#include "tests/support/gltf_reading.h"

namespace sinew {
namespace {

Rig read(const GltfBuilder& b) { return parse_gltf(b.glb()).rig; }

bool has_note(const Rig& rig, const std::string& text) {
  for (const std::string& note : rig.notes) {
    if (note.find(text) != std::string::npos) return true;
  }
  return false;
}

// One triangle on one node, without skin.
GltfBuilder one_triangle() {
  GltfBuilder b;
  const int positions = b.floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3", 3);
  b.json["meshes"] = {{{"primitives", {{{"attributes", {{"POSITION", positions}}}}}}}};
  b.json["nodes"] = {{{"mesh", 0}}};
  return b;
}

TEST(GltfRead, a_skinned_character_becomes_a_rig) {
  const Rig rig = read(small_character());
  EXPECT_EQ(rig.name, "stage");
  EXPECT_EQ(rig.mesh.vertex_count(), 6U);
  ASSERT_EQ(rig.mesh.parts.size(), 1U);
  EXPECT_EQ(rig.mesh.parts[0].name, "strip");
  EXPECT_EQ(rig.mesh.parts[0].material, "cloth");
  EXPECT_EQ(rig.mesh.triangles[0], (Triangle{0, 1, 3}));
  EXPECT_EQ(rig.mesh.uvs.values[0], (Vec2{0, 0}));
  EXPECT_EQ(rig.mesh.uvs.values[5], (Vec2{1, 1}));
  EXPECT_EQ(rig.skin.weights.row(2)[0], (Influence{0, 0.5}));
  EXPECT_EQ(rig.skin.weights.row(2)[1], (Influence{1, 0.5}));
  EXPECT_EQ(rig.skin.weights.row(5).size(), 1U);
  EXPECT_TRUE(rig.skin.endpoints.empty());
}

TEST(GltfRead, joints_of_skins_come_first_and_other_nodes_are_frames) {
  const Rig rig = read(small_character());
  const auto& joints = rig.skeleton.joints;
  ASSERT_EQ(joints.size(), 4U);
  EXPECT_EQ(joints[0].name, "hip");
  EXPECT_EQ(joints[1].name, "knee");
  EXPECT_EQ(joints[2].name, "root");
  EXPECT_EQ(joints[3].name, "body");
  EXPECT_EQ(joints[0].parent, 2);
  EXPECT_EQ(joints[1].parent, 0);
  EXPECT_EQ(joints[2].parent, no_joint);
  EXPECT_FALSE(joints[0].is_frame || joints[1].is_frame);
  EXPECT_TRUE(joints[2].is_frame && joints[3].is_frame);
  ASSERT_EQ(rig.skeleton.bones.size(), 2U);
  EXPECT_EQ(rig.skeleton.bones[0].tail_joint, 1);
  EXPECT_EQ(rig.skeleton.bones[0].tail, (Vec3{0, 1, 0}));
  EXPECT_EQ(rig.skeleton.bones[1].head, (Vec3{0, 1, 0}));
}

TEST(GltfRead, clips_keep_their_interpolation_and_slopes) {
  const Rig rig = read(small_character());
  ASSERT_EQ(rig.clips.size(), 2U);
  const auto& turn = std::get<RotationChannel>(rig.clips[0].channels.at(0));
  EXPECT_EQ(turn.joint, 1);
  EXPECT_EQ(std::get<Curve<Quat>>(turn.curve).interpolation, Interpolation::linear);
  const auto& shape = std::get<ShapeChannel>(rig.clips[0].channels.at(1));
  EXPECT_EQ(shape.first_shape, 0);
  EXPECT_EQ(shape.curve.interpolation, Interpolation::step);
  EXPECT_EQ(shape.curve.values.at(1), std::vector<double>{1});
  const auto& slide = std::get<TranslationChannel>(rig.clips[1].channels.at(0));
  EXPECT_EQ(slide.joint, 0);
  EXPECT_EQ(slide.curve.interpolation, Interpolation::hermite);
  EXPECT_EQ(slide.curve.out.at(0).value, (Vec3{1, 0, 0}));
  EXPECT_EQ(slide.curve.in.at(1).value, (Vec3{2, 0, 0}));
  EXPECT_EQ(slide.curve.values.at(1), (Vec3{1, 0, 0}));
}

TEST(GltfRead, sparse_targets_name_only_the_vertices_that_move) {
  const Rig rig = read(small_character());
  ASSERT_EQ(rig.mesh.shapes.size(), 1U);
  const BlendShape& shape = rig.mesh.shapes[0];
  EXPECT_EQ(shape.name, "bulge");
  EXPECT_EQ(shape.default_weight, 0.25);
  EXPECT_EQ(shape.vertices, (std::vector<Index>{4, 5}));
  EXPECT_EQ(shape.positions, (std::vector<Vec3>{{0, 0, 1}, {0, 0, 1}}));
  EXPECT_TRUE(shape.normals.empty());
}

TEST(GltfRead, a_nodes_own_weights_go_before_its_meshes) {
  GltfBuilder b = small_character();
  b.json["nodes"][1]["weights"] = {0.75};
  EXPECT_EQ(read(b).mesh.shapes[0].default_weight, 0.75);
  b.json["nodes"][1]["weights"] = {0.75, 1};
  EXPECT_EQ(place_of_gltf_error(b), "/nodes/1/weights");
}

TEST(GltfRead, controls_and_drivers_are_read_from_extras) {
  GltfBuilder b = small_character();
  b.json["animations"][0]["extras"]["sinew"] = {
      {"version", 1},
      {"controls",
       {{{"control", 0},
         {"curve", {{"interpolation", "step"}, {"times", {0}}, {"values", {1}}}}}}}};
  const Rig rig = read(b);
  ASSERT_EQ(rig.controls.size(), 1U);
  EXPECT_EQ(rig.controls[0], (Control{"breath", 0.5}));
  ASSERT_EQ(rig.drivers.size(), 1U);
  EXPECT_EQ(rig.drivers[0].joint, 0);
  const auto& channel = std::get<ControlChannel>(rig.clips[0].channels.at(2));
  EXPECT_EQ(channel.curve.values, std::vector<double>{1});
  b.json["extras"]["sinew"]["drivers"][0]["joint"] = 9;
  EXPECT_EQ(place_of_gltf_error(b), "/extras/sinew/drivers/0/joint");
  b.json["extras"]["sinew"]["version"] = 2;
  EXPECT_EQ(place_of_gltf_error(b), "/extras/sinew/version");
  b.json["extras"] = "anything";
  b.json["animations"][0].erase("extras");
  EXPECT_EQ(place_of_gltf_error(b), "");
}

TEST(GltfRead, stored_tails_replace_inferred_ones) {
  GltfBuilder b = small_character();
  b.json["skins"][0]["extras"]["sinew"] = {{"version", 1}, {"tails", {nullptr, {0, 1.75, 0}}}};
  Rig rig = read(b);
  EXPECT_EQ(rig.skeleton.bones[0].tail, (Vec3{0, 1, 0}));
  EXPECT_EQ(rig.skeleton.bones[0].tail_joint, 1);
  EXPECT_EQ(rig.skeleton.bones[1].tail, (Vec3{0, 1.75, 0}));
  EXPECT_EQ(rig.skeleton.bones[1].tail_joint, no_joint);
  b.json["skins"][0]["extras"]["sinew"]["tailJoints"] = {nullptr, 2};
  EXPECT_EQ(read(b).skeleton.bones[1].tail_joint, 0);
  b.json["skins"][0]["extras"]["sinew"]["tails"] = {{0, 0, 0}, nullptr};
  EXPECT_EQ(place_of_gltf_error(b), "/skins/0/extras/sinew/tails/0");
  b.json["skins"][0]["extras"]["sinew"]["tails"] = {nullptr};
  EXPECT_EQ(place_of_gltf_error(b), "/skins/0/extras/sinew/tails");
}

TEST(GltfRead, missing_inverse_binds_are_identities_and_singular_ones_errors) {
  GltfBuilder b = small_character();
  b.json["skins"][0].erase("inverseBindMatrices");
  EXPECT_EQ(read(b).skeleton.bones[1].inverse_bind, Affine{});
  b.json["skins"][0]["inverseBindMatrices"] =
      b.floats({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
               "MAT4", 16);
  EXPECT_EQ(place_of_gltf_error(b), "/skins/0/inverseBindMatrices");
}

TEST(GltfRead, skins_share_bones_that_are_the_same_and_split_those_that_are_not) {
  GltfBuilder b = small_character();
  const int other_binds = b.floats({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1,
                                    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0,  0, 1},
                                   "MAT4", 16);
  b.json["skins"].push_back({{"joints", {3, 2}}, {"inverseBindMatrices", other_binds}});
  b.json["nodes"].push_back({{"mesh", 0}, {"skin", 1}});
  const Rig rig = read(b);
  // knee with the same matrix is shared; hip with another one is a third bone.
  ASSERT_EQ(rig.skeleton.bones.size(), 3U);
  EXPECT_EQ(rig.skeleton.bones[2].joint, 0);
  EXPECT_EQ(rig.skeleton.bones[2].head, (Vec3{-5, 0, 0}));
  ASSERT_EQ(rig.mesh.vertex_count(), 12U);
  EXPECT_EQ(rig.skin.weights.row(6)[0], (Influence{1, 1}));
  EXPECT_EQ(rig.skin.weights.row(10)[0], (Influence{2, 1}));
  ASSERT_EQ(rig.mesh.shapes.size(), 2U);
  EXPECT_EQ(rig.mesh.shapes[1].vertices, (std::vector<Index>{10, 11}));
}

TEST(GltfRead, unskinned_meshes_lie_in_the_world_on_a_bone_of_their_node) {
  GltfBuilder b = one_triangle();
  b.json["nodes"][0]["translation"] = {0, 0, 5};
  b.json["nodes"][0]["scale"] = {2, 2, 2};
  const Rig rig = read(b);
  EXPECT_EQ(rig.mesh.positions[1], (Vec3{2, 0, 5}));
  ASSERT_EQ(rig.skeleton.bones.size(), 1U);
  EXPECT_TRUE(rig.skeleton.joints[0].is_frame);
  EXPECT_EQ(rig.skeleton.bones[0].head, (Vec3{0, 0, 5}));
  ASSERT_EQ(rig.skin.weights.vertex_count(), 3U);
  EXPECT_EQ(rig.skin.weights.row(2)[0], (Influence{0, 1}));
  const Affine at_rest = bone_maps(rig, rest_pose(rig)).at(0);
  EXPECT_EQ(at_rest, Affine{});
}

TEST(GltfRead, mirrored_and_vanished_nodes_keep_their_surface) {
  GltfBuilder b = one_triangle();
  b.json["nodes"][0]["scale"] = {-1, 1, 1};
  Rig rig = read(b);
  EXPECT_EQ(rig.mesh.positions[1], (Vec3{-1, 0, 0}));
  EXPECT_EQ(rig.mesh.triangles[0], (Triangle{0, 2, 1}));
  b.json["nodes"][0]["scale"] = {0, 0, 0};
  rig = read(b);
  EXPECT_EQ(rig.mesh.positions[1], (Vec3{1, 0, 0}));
  EXPECT_EQ(rig.skeleton.bones[0].inverse_bind, Affine{});
}

TEST(GltfRead, skinned_meshes_ignore_their_nodes_transform) {
  GltfBuilder b = small_character();
  b.json["nodes"][1]["translation"] = {100, 0, 0};
  EXPECT_EQ(read(b).mesh.positions[1], (Vec3{1, 0, 0}));
}

TEST(GltfRead, matrices_are_split_and_sheared_ones_refused) {
  GltfBuilder b = one_triangle();
  b.json["nodes"][0]["matrix"] = {0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 1, 2, 3, 1};
  const Transform rest = read(b).skeleton.joints[0].rest;
  EXPECT_EQ(rest.translation, (Vec3{1, 2, 3}));
  EXPECT_NEAR(rest.scale.x, 2, 1e-15);
  EXPECT_NEAR(rest.rotation.z, std::sqrt(0.5), 1e-15);
  b.json["nodes"][0]["matrix"][5] = 1;
  EXPECT_EQ(place_of_gltf_error(b), "/nodes/0/matrix");
  b.json["nodes"][0]["matrix"] = {1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  EXPECT_EQ(place_of_gltf_error(b), "/nodes/0/matrix");
}

TEST(GltfRead, nodes_must_form_trees) {
  GltfBuilder b = small_character();
  b.json["nodes"][3]["children"] = {2};
  EXPECT_EQ(place_of_gltf_error(b), "/nodes/3/children/0");
  b = small_character();
  b.json["nodes"][0]["children"] = {1};
  b.json["nodes"][3]["children"] = {2};
  EXPECT_EQ(place_of_gltf_error(b), "/nodes/2");
  b.json["nodes"][3]["children"] = {4};
  EXPECT_EQ(place_of_gltf_error(b), "/nodes/3/children/0");
}

TEST(GltfRead, strips_and_fans_become_triangles) {
  GltfBuilder b = small_character();
  auto& primitive = b.json["meshes"][0]["primitives"][0];
  primitive["mode"] = 5;
  primitive["indices"] = b.accessor<std::uint16_t>({0, 1, 2, 3, 3, 4}, "SCALAR", 1);
  EXPECT_EQ(read(b).mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {1, 3, 2}}));
  primitive["mode"] = 6;
  primitive["indices"] = b.accessor<std::uint16_t>({0, 1, 3, 2}, "SCALAR", 1);
  EXPECT_EQ(read(b).mesh.triangles, (std::vector<Triangle>{{1, 3, 0}, {3, 2, 0}}));
  primitive.erase("indices");
  primitive["mode"] = 4;
  EXPECT_EQ(read(b).mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {3, 4, 5}}));
}

TEST(GltfRead, points_and_lines_are_left_out_with_a_note) {
  GltfBuilder b = one_triangle();
  auto& primitives = b.json["meshes"][0]["primitives"];
  primitives.push_back(primitives[0]);
  primitives[1]["mode"] = 1;
  const Rig rig = read(b);
  EXPECT_EQ(rig.mesh.parts.size(), 1U);
  EXPECT_TRUE(has_note(rig, "/meshes/0/primitives/1"));
}

TEST(GltfRead, primitives_with_the_same_attributes_share_their_vertices) {
  GltfBuilder b = one_triangle();
  auto& primitives = b.json["meshes"][0]["primitives"];
  primitives.push_back(primitives[0]);
  primitives[1]["indices"] = b.accessor<std::uint8_t>({2, 1, 0}, "SCALAR", 1);
  b.json["nodes"].push_back({{"mesh", 0}});
  const Rig rig = read(b);
  EXPECT_EQ(rig.mesh.vertex_count(), 6U);
  ASSERT_EQ(rig.mesh.parts.size(), 4U);
  EXPECT_EQ(rig.mesh.triangles[1], (Triangle{2, 1, 0}));
  EXPECT_EQ(rig.mesh.triangles[3], (Triangle{5, 4, 3}));
}

TEST(GltfRead, any_number_of_influences_and_their_endpoints_are_read) {
  GltfBuilder b = small_character();
  auto& attributes = b.json["meshes"][0]["primitives"][0]["attributes"];
  // Vertex 0: bone 0 twice (0.25 and 0.25), bone 1 once; the others have bone 0 alone.
  std::vector<std::uint16_t> more_joints(24, 0);
  more_joints[1] = 1;
  std::vector<float> first(24, 0);
  std::vector<float> second(24, 0);
  std::vector<float> first_ends(24, 0.125F);
  std::vector<float> second_ends(24, 0.125F);
  for (std::size_t v = 0; v < 6; ++v) first[4 * v] = v == 0 ? 0.25F : 1;
  second[0] = 0.25F;
  second[1] = 0.5F;
  second_ends[0] = 0.375F;
  second_ends[1] = 1;
  attributes["WEIGHTS_0"] = b.floats(first, "VEC4", 4);
  attributes["JOINTS_1"] = b.accessor(more_joints, "VEC4", 4);
  attributes["WEIGHTS_1"] = b.floats(second, "VEC4", 4);
  attributes["_ENDPOINT_0"] = b.floats(first_ends, "VEC4", 4);
  attributes["_ENDPOINT_1"] = b.floats(second_ends, "VEC4", 4);
  const Rig rig = read(b);
  ASSERT_EQ(rig.skin.weights.row(0).size(), 2U);
  EXPECT_EQ(rig.skin.weights.row(0)[0], (Influence{0, 0.5}));
  EXPECT_EQ(rig.skin.weights.row(0)[1], (Influence{1, 0.5}));
  ASSERT_EQ(rig.skin.endpoints.size(), rig.skin.weights.influences.size());
  EXPECT_EQ(rig.skin.endpoints[0], 0.25);
  EXPECT_EQ(rig.skin.endpoints[1], 1);
  EXPECT_EQ(rig.skin.endpoints[2], 0.125);
  attributes.erase("JOINTS_1");
  EXPECT_EQ(place_of_gltf_error(b), "/meshes/0/primitives/0");
}

TEST(GltfRead, weights_stay_as_stored_even_if_they_do_not_sum_to_1) {
  GltfBuilder b = small_character();
  auto& attributes = b.json["meshes"][0]["primitives"][0]["attributes"];
  std::vector<std::uint8_t> weights(24, 0);
  for (std::size_t v = 1; v < 6; ++v) weights[4 * v] = 102;
  attributes["WEIGHTS_0"] = b.accessor(weights, "VEC4", 4, true);
  const Rig rig = read(b);
  EXPECT_EQ(rig.skin.weights.row(1)[0], (Influence{0, 0.4}));
  EXPECT_EQ(rig.skin.weights.row(0)[0], (Influence{0, 0}));
  EXPECT_EQ(summarize(rig.skin.weights).uncovered, 1U);
  EXPECT_EQ(summarize(rig.skin.weights).not_normalized, 5U);
  attributes["WEIGHTS_0"] = b.accessor(weights, "VEC4", 4, false);
  EXPECT_EQ(place_of_gltf_error(b), "/meshes/0/primitives/0/attributes/WEIGHTS_0");
}

TEST(GltfRead, joints_that_the_skin_lacks_matter_only_with_weight) {
  GltfBuilder b = small_character();
  auto& attributes = b.json["meshes"][0]["primitives"][0]["attributes"];
  std::vector<std::uint8_t> joints(24, 0);
  joints[1] = 200;
  attributes["JOINTS_0"] = b.accessor(joints, "VEC4", 4);
  EXPECT_EQ(place_of_gltf_error(b), "");
  joints[0] = 2;
  attributes["JOINTS_0"] = b.accessor(joints, "VEC4", 4);
  EXPECT_EQ(place_of_gltf_error(b), "/meshes/0/primitives/0/attributes/JOINTS_0");
}

TEST(GltfRead, quantized_positions_colors_and_tangents_are_decoded) {
  GltfBuilder b = one_triangle();
  auto& attributes = b.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["POSITION"] =
      b.accessor<std::int16_t>({0, 0, 0, 32767, 0, 0, 0, -32767, 0}, "VEC3", 3, true);
  attributes["COLOR_0"] =
      b.accessor<std::uint8_t>({255, 0, 0, 0, 255, 0, 0, 0, 51}, "VEC3", 3, true);
  attributes["TANGENT"] = b.floats({1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, -1}, "VEC4", 4);
  const Mesh mesh = read(b).mesh;
  EXPECT_EQ(mesh.positions[1], (Vec3{1, 0, 0}));
  EXPECT_EQ(mesh.positions[2], (Vec3{0, -1, 0}));
  EXPECT_EQ(mesh.colors[2], (Vec4{0, 0, 0.2, 1}));
  EXPECT_EQ(mesh.tangents[2], (Vec4{1, 0, 0, -1}));
}

TEST(GltfRead, layers_that_some_parts_lack_are_filled_in) {
  GltfBuilder b = one_triangle();
  auto& primitives = b.json["meshes"][0]["primitives"];
  primitives.push_back(primitives[0]);
  primitives[1]["attributes"]["NORMAL"] = b.floats({1, 0, 0, 1, 0, 0, 1, 0, 0}, "VEC3", 3);
  primitives[1]["attributes"]["COLOR_0"] =
      b.floats({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC4", 4);
  const Rig rig = read(b);
  ASSERT_EQ(rig.mesh.normals.values.size(), 6U);
  EXPECT_EQ(rig.mesh.normals.values[0], (Vec3{0, 0, 1}));
  EXPECT_EQ(rig.mesh.normals.values[3], (Vec3{1, 0, 0}));
  EXPECT_EQ(rig.mesh.colors[0], (Vec4{1, 1, 1, 1}));
  EXPECT_EQ(rig.mesh.colors[3], (Vec4{0, 0, 0, 0}));
  EXPECT_TRUE(has_note(rig, "normals"));
}

TEST(GltfRead, channels_without_a_node_or_by_pointer_are_passed_over) {
  GltfBuilder b = small_character();
  auto& channels = b.json["animations"][0]["channels"];
  channels[0]["target"].erase("node");
  channels[1]["target"] = {{"path", "pointer"},
                           {"extensions", {{"KHR_animation_pointer", {{"pointer", "/x"}}}}}};
  const Rig rig = read(b);
  EXPECT_TRUE(rig.clips.at(0).channels.empty());
  EXPECT_TRUE(has_note(rig, "/animations/0/channels/1"));
}

TEST(GltfRead, keys_must_follow_each_other) {
  GltfBuilder b = small_character();
  auto& samplers = b.json["animations"][0]["samplers"];
  samplers[0]["input"] = b.floats({1, 1}, "SCALAR", 1);
  EXPECT_EQ(place_of_gltf_error(b), "/animations/0/samplers/0/input");
  samplers[0]["input"] = b.floats({1, 2, 3}, "SCALAR", 1);
  EXPECT_EQ(place_of_gltf_error(b), "/animations/0/samplers/0/output");
  samplers[0]["input"] = b.floats({1, 2}, "SCALAR", 1);
  samplers[0]["output"] = b.floats({0, 0, 0, 0, 0, 0, 0, 1}, "VEC4", 4);
  EXPECT_EQ(place_of_gltf_error(b), "/animations/0/samplers/0/output");
  samplers[0]["output"] =
      b.accessor<std::int16_t>({0, 0, 0, 32767, 0, 32767, 0, 0}, "VEC4", 4, true);
  const Rig rig = read(b);
  const auto& turn = std::get<RotationChannel>(rig.clips[0].channels.at(0));
  EXPECT_EQ(std::get<Curve<Quat>>(turn.curve).values.at(1), (Quat{0, 1, 0, 0}));
}

TEST(GltfRead, a_mesh_placed_very_often_is_refused_instead_of_filling_memory) {
  GltfBuilder b = one_triangle();
  const int large = b.floats(std::vector<float>(3 * 3000), "VEC3", 3);
  b.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = large;
  for (int i = 0; i < 3000; ++i) b.json["nodes"].push_back({{"mesh", 0}});
  EXPECT_NE(place_of_gltf_error(b), "");
}

}  // namespace
}  // namespace sinew
