// SPDX-License-Identifier: Apache-2.0
// Drivers of blend shapes and pose spaces in glTF, and blend shapes that a file did not have.
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/deform/blend_shapes.h"
#include "sinew/edit/edit.h"
#include "sinew/io/gltf.h"
#include "sinew/io/gltf/document.h"
#include "sinew/io/gltf/write.h"
#include "sinew/io/pose_json.h"
#include "sinew/io/settings_json.h"
#include "tests/support/input_errors.h"
#include "tests/support/refusals.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

using gltf::Json;

Rig driven_rig() {
  Rig rig = tube_rig();
  Curve<double> line;
  line.times = {0, 1};
  line.values = {0, 2};
  rig.shape_drivers = {{0, ControlInput{1}, line}, {0, AngleInput{2, Vec3{0, 0, 1}}, line}};
  rig.pose_spaces = {{{2, 0}, {{{Vec3{0, 0, 1}, Vec3{0.5, 0, 0}}, {1}}}, radians(45)}};
  validate(rig);
  return rig;
}

void expect_same_drivers(const Rig& a, const Rig& b) {
  EXPECT_EQ(a.shape_drivers, b.shape_drivers);
  ASSERT_EQ(a.pose_spaces.size(), b.pose_spaces.size());
  for (std::size_t s = 0; s < a.pose_spaces.size(); ++s) {
    const PoseSpace &one = a.pose_spaces[s], &other = b.pose_spaces[s];
    EXPECT_EQ(one.joints, other.joints);
    EXPECT_EQ(one.radius.has_value(), other.radius.has_value());
    EXPECT_NEAR(one.radius.value_or(-1), other.radius.value_or(-1), 1e-12);
    ASSERT_EQ(one.examples.size(), other.examples.size());
    for (std::size_t e = 0; e < one.examples.size(); ++e) {
      EXPECT_EQ(one.examples[e].shapes, other.examples[e].shapes);
      for (std::size_t j = 0; j < one.joints.size(); ++j) {
        EXPECT_LT(distance(one.examples[e].turns[j], other.examples[e].turns[j]), 1e-12);
      }
    }
  }
}

Model written(const Rig& rig) { return parse_gltf(gltf::glb_bytes(gltf::new_document(rig, {}))); }
Model again(const Model& model) { return parse_gltf(to_glb(model)); }

TEST(GltfCorrectives, drivers_of_shapes_and_pose_spaces_come_back) {
  const Model model = written(driven_rig());
  expect_same_drivers(model.rig, driven_rig());
  EXPECT_EQ(again(model).rig, model.rig);
  Model fewer = model;
  fewer.rig.shape_drivers.pop_back();
  fewer.rig.pose_spaces.clear();
  expect_same_drivers(again(fewer).rig, fewer.rig);
  EXPECT_FALSE(again(fewer).source->json["extras"]["sinew"].contains("poseSpaces"));
}

TEST(GltfCorrectives, broken_ones_are_errors_with_their_place) {
  const auto problem = [](const auto& spoil) {
    gltf::Document document = gltf::new_document(driven_rig(), {});
    spoil(document.json["extras"]["sinew"]);
    const std::string bytes = gltf::glb_bytes(std::move(document));
    return input_error([&] { parse_gltf(bytes); });
  };
  EXPECT_NE(problem([](Json& e) { e["drivers"][2]["shape"] = 0; }).find("/drivers/2/shape"),
            std::string::npos);
  EXPECT_NE(problem([](Json& e) { e["drivers"][2]["shape"][1] = 2; }).find("2 targets"),
            std::string::npos);
  EXPECT_NE(problem([](Json& e) { e["drivers"][2]["shape"][0] = 0; }).find("0 targets"),
            std::string::npos);
  EXPECT_NE(problem([](Json& e) { e["poseSpaces"][0]["joints"] = {0}; }).find("/poseSpaces"),
            std::string::npos);
  EXPECT_NE(problem([](Json& e) {
              e["poseSpaces"][0]["examples"][0]["shapes"] = e["drivers"][2]["shape"];
            }).find("/poseSpaces/0/examples/0/shapes"),
            std::string::npos);
}

BlendShape lump(const Rig& rig, const char* name, Index first, Index count) {
  BlendShape shape;
  shape.name = name;
  for (Index v = first; v < first + count; ++v) {
    shape.vertices.push_back(v);
    shape.positions.push_back({0.25, 0.5, -0.125 * (v % 3)});
  }
  if (shape.vertices.size() == rig.mesh.vertex_count()) shape.vertices.clear();
  return shape;
}

// Of every vertex: parts that a shape does not touch may come back with deltas of 0.
std::vector<Vec3> all_deltas(const Rig& rig, std::size_t shape) {
  std::vector<double> weights(rig.mesh.shapes.size(), 0.0);
  weights[shape] = 1;
  std::vector<Vec3> deltas = blend_shapes(rig.mesh, weights).positions;
  for (std::size_t v = 0; v < deltas.size(); ++v) deltas[v] = deltas[v] - rig.mesh.positions[v];
  return deltas;
}

TEST(GltfCorrectives, shapes_are_added_to_a_file_that_had_some) {
  Model model = written(tube_rig());
  model.rig.mesh.shapes.push_back(lump(model.rig, "first", 3, 20));
  model.rig.mesh.shapes.push_back(
      lump(model.rig, "second", 0, Index(model.rig.mesh.vertex_count())));
  model.rig.pose_spaces = {{{2}, {{{Vec3{0, 0, 1}}, {3}}, {{Vec3{1, 0, 0}}, {2}}}, {}}};
  const Model back = again(model);
  ASSERT_EQ(back.rig.mesh.shapes.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(back.rig.mesh.shapes[k].name, model.rig.mesh.shapes[k].name);
    EXPECT_EQ(all_deltas(back.rig, k), all_deltas(model.rig, k));
    EXPECT_EQ(back.rig.mesh.shapes[k].default_weight, model.rig.mesh.shapes[k].default_weight);
  }
  EXPECT_EQ(back.rig.clips.size(), model.rig.clips.size());
  expect_same_drivers(back.rig, model.rig);
  // What the clip says of the shapes that were there is the same.
  for (const double time : {0.0, 0.3, 1.0}) {
    const Pose a = pose_at(model.rig, model.rig.clips[0], time);
    const Pose b = pose_at(back.rig, back.rig.clips[0], time);
    for (std::size_t k = 0; k < a.shapes.size(); ++k) EXPECT_NEAR(a.shapes[k], b.shapes[k], 1e-6);
  }
  EXPECT_EQ(again(back).rig, back.rig);
}

// Two meshes, each a node of its own.
Model two_meshes() {
  gltf::Document document = gltf::new_document(tube_rig({.shapes = false}), {});
  Json& json = document.json;
  const std::size_t node = json["nodes"].size() - 1;
  EXPECT_TRUE(json["nodes"][node].contains("mesh"));
  Json second = json["meshes"][0];
  second["primitives"].erase(0);
  json["meshes"][0]["primitives"].erase(1);
  json["meshes"].push_back(second);
  Json other = json["nodes"][node];
  other["mesh"] = 1;
  json["nodes"].push_back(other);
  json["scenes"][0]["nodes"].push_back(node + 1);
  return parse_gltf(gltf::glb_bytes(std::move(document)));
}

// Each mesh has targets of its own: a shape over both becomes one for each.
TEST(GltfCorrectives, a_shape_over_several_meshes_is_cut) {
  Model model = two_meshes();
  const Index count = Index(model.rig.mesh.vertex_count());
  ASSERT_EQ(model.rig.mesh.parts.size(), 2u);
  model.rig.mesh.shapes = {lump(model.rig, "both", count / 2 - 4, 8), lump(model.rig, "low", 2, 5)};
  model.rig.pose_spaces = {{{2}, {{{Vec3{0, 0, 1}}, {0}}, {{Vec3{1, 0, 0}}, {1}}}, {}}};
  const Rig back = again(model).rig;
  ASSERT_EQ(back.mesh.shapes.size(), 3u);  // both and low of the first mesh, both of the second
  ASSERT_EQ(back.pose_spaces.size(), 1u);
  EXPECT_EQ(back.pose_spaces[0].examples[0].shapes, (std::vector<int>{0, 2}));
  EXPECT_EQ(back.pose_spaces[0].examples[1].shapes, (std::vector<int>{1}));
  std::vector<Index> vertices = back.mesh.shapes[0].vertices;
  vertices.insert(vertices.end(), back.mesh.shapes[2].vertices.begin(),
                  back.mesh.shapes[2].vertices.end());
  EXPECT_EQ(vertices, model.rig.mesh.shapes[0].vertices);
  EXPECT_EQ(back.mesh.shapes[1].positions, model.rig.mesh.shapes[1].positions);
}

void remove_shape(Rig& rig, const char* shape) {
  const std::vector<EditStep> steps{parse_step({"remove-shape", shape, {}})};
  edit(rig, steps);
}

TEST(GltfCorrectives, shapes_that_were_removed_are_gone_from_the_file) {
  Model model = written(driven_rig());
  const std::string full = to_glb(model);
  const Rig before = model.rig;
  remove_shape(model.rig, "wide");
  const std::string bytes = to_glb(model);
  EXPECT_LT(bytes.size() + 12 * before.mesh.vertex_count(), full.size());
  const Model back = parse_gltf(bytes);
  ASSERT_EQ(back.rig.mesh.shapes.size(), 1u);
  EXPECT_EQ(back.rig.mesh.shapes[0], before.mesh.shapes[1]);
  expect_same_drivers(back.rig, model.rig);
  EXPECT_EQ(back.rig.skin, model.rig.skin);
  EXPECT_EQ(back.rig.clips.size(), before.clips.size());
  for (const double time : {0.0, 0.3, 1.0}) {
    const Pose a = pose_at(model.rig, model.rig.clips[0], time);
    const Pose b = pose_at(back.rig, back.rig.clips[0], time);
    EXPECT_EQ(b.joints, a.joints);
    EXPECT_EQ(b.shapes.size(), 1u);
    EXPECT_NEAR(b.shapes[0], a.shapes[0], 1e-6);
  }
  EXPECT_EQ(again(back).rig, back.rig);

  // The last one leaves no trace, and animations drive no weights any more.
  remove_shape(model.rig, "dent");
  const Model none = again(model);
  EXPECT_TRUE(none.rig.mesh.shapes.empty());
  const std::string text = none.source->json.dump();
  for (const char* trace : {"targets", "targetNames", "\"weights\"", "poseSpaces"}) {
    EXPECT_EQ(text.find(trace), std::string::npos) << trace;
  }
}

TEST(GltfCorrectives, one_removed_and_one_added_are_told_apart) {
  Model model = two_meshes();
  const Index count = Index(model.rig.mesh.vertex_count());
  model.rig.mesh.shapes = {lump(model.rig, "low", 2, 5), lump(model.rig, "high", count - 9, 5)};
  model = again(model);
  // As many as before, but the second has to go to the other mesh.
  remove_shape(model.rig, "high");
  model.rig.mesh.shapes.push_back(lump(model.rig, "new", 12, 3));
  Model back = again(model);
  ASSERT_EQ(back.rig.mesh.shapes.size(), 2u);
  EXPECT_EQ(back.rig.mesh.shapes[0], model.rig.mesh.shapes[0]);
  EXPECT_EQ(back.rig.mesh.shapes[1].name, "new");
  EXPECT_EQ(all_deltas(back.rig, 1), all_deltas(model.rig, 1));
  // One that is changed in its place stays in it.
  back.rig.mesh.shapes[0].positions[0] = {3, 2, 1};
  back.rig.mesh.shapes[1].name = "newer";
  EXPECT_EQ(again(back).rig, back.rig);
}

TEST(GltfCorrectives, shapes_that_expressions_name_by_number_stay_in_the_file) {
  gltf::Document document = gltf::new_document(driven_rig(), {});
  document.json["extensionsUsed"] = {"VRMC_vrm"};
  document.json["extensions"]["VRMC_vrm"]["expressions"]["preset"]["happy"] = {
      {"morphTargetBinds", Json::array({{{"node", 1}, {"index", 1}, {"weight", 1}}})}};
  Model model = parse_gltf(gltf::glb_bytes(std::move(document)));
  remove_shape(model.rig, "wide");
  EXPECT_EQ(wrong_usage([&] { to_glb(model); }),
            "a blend shape cannot be removed from this file, which names others by number in its "
            "expressions or animations by pointer");
}

TEST(GltfCorrectives, pose_files_leave_driven_shapes_alone) {
  const Rig rig = driven_rig();  // of whose shapes both are driven
  const std::string text = write_pose(rig, {rest_pose(rig), {}, {}});
  EXPECT_EQ(text.find("shapes"), std::string::npos) << text;
  EXPECT_EQ(input_error([&] { parse_pose(R"({"joints": {}, "shapes": {"wide": 1}})", rig); }),
            "/shapes/wide: this blend shape is computed; it cannot be set");
  Rig free = rig;
  free.pose_spaces.clear();
  const ToldPose pose =
      std::get<ToldPose>(parse_pose(R"({"joints": {}, "shapes": {"dent": 1}})", free));
  EXPECT_EQ(pose.shapes[1], 1);
}

TEST(GltfCorrectives, drivers_are_read_by_name_and_written_so) {
  Rig rig = driven_rig();
  const GeneralizedBones read = parse_drivers(drivers_to_json(rig), rig);
  EXPECT_EQ(read.controls, rig.controls);
  EXPECT_EQ(read.drivers, rig.drivers);
  Rig back = rig;
  back.shape_drivers = read.shape_drivers;
  back.pose_spaces = read.pose_spaces;
  expect_same_drivers(back, rig);
  // What is not said stays; a name of two shapes means both.
  rig.mesh.shapes.push_back(rig.mesh.shapes[0]);
  const GeneralizedBones both = parse_drivers(
      R"({"drivers": [{"shape": "wide", "follow": {"control": "smile", "curve":
          {"interpolation": "linear", "times": [0, 1], "values": [0, 1]}}}]})",
      rig);
  ASSERT_EQ(both.shape_drivers.size(), 2u);
  EXPECT_EQ(both.shape_drivers[1].shape, 2);
  EXPECT_EQ(both.pose_spaces, rig.pose_spaces);
  EXPECT_NE(input_error([&] {
              parse_drivers(R"({"drivers": [{"shape": "wyde", "follow": {}}]})", rig);
            }).find("/drivers/0/follow"),
            std::string::npos);
  EXPECT_NE(input_error([&] {
              parse_drivers(R"({"drivers": [], "poseSpaces": [{"joints": [0], "examples":
                  [{"turns": [[90, 0, 0]], "shapes": ["wyde"]}]}]})",
                            rig);
            }).find("did you mean 'wide'"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
