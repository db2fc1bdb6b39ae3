// SPDX-License-Identifier: Apache-2.0
// A shape without skeleton, written over the glTF file that its rig came from.
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/deform/deform.h"
#include "sinew/io/gltf.h"
#include "sinew/io/gltf/document.h"
#include "sinew/io/gltf/write.h"
#include "tests/support/assets.h"
#include "tests/support/comparing.h"
#include "tests/support/gltf_builder.h"
#include "tests/support/refusals.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

using gltf::Document;
using gltf::Json;

// The model as it looks with every vertex moved somewhere else and every normal turned.
Model moved(const Model& model) {
  Model posed{{}, model.source};
  posed.rig.mesh = model.rig.mesh;
  posed.rig.mesh.shapes.clear();
  const Quat turn = rotation_about(normalized(Vec3{1, 2, -1}), 0.7);
  for (Vec3& p : posed.rig.mesh.positions) p = rotate(turn, p) * 1.5 + Vec3{0.5, 0, -2};
  for (Vec3& n : posed.rig.mesh.normals.values) n = rotate(turn, n);
  return posed;
}

void expect_same_shape(const Mesh& back, const Mesh& posed) {
  const double size = bounding_box(posed.positions).diagonal();
  EXPECT_LE(largest_difference(back.positions, posed.positions), 1e-6 * size);
  EXPECT_LE(largest_difference(back.normals.values, posed.normals.values), 2e-7);
  EXPECT_EQ(back.triangles, posed.triangles);
  EXPECT_EQ(back.uvs, posed.uvs);
  EXPECT_EQ(back.parts, posed.parts);
  EXPECT_TRUE(back.shapes.empty());
}

TEST(GltfPosed, a_character_becomes_geometry_that_looks_the_same) {
  const Model model = parse_gltf(small_character().glb());
  const Model posed = moved(model);
  const Model back = parse_gltf(to_glb(posed));
  expect_same_shape(back.rig.mesh, posed.rig.mesh);
  EXPECT_TRUE(back.rig.clips.empty());
  EXPECT_TRUE(back.rig.drivers.empty());
  const Json &before = model.source->json, &after = back.source->json;
  for (const char* key : {"materials", "scenes", "scene", "asset"}) {
    EXPECT_EQ(after[key], before[key]) << key;
  }
  for (const char* key : {"skins", "animations"}) EXPECT_FALSE(after.contains(key)) << key;
  const Json &old_primitive = before["meshes"][0]["primitives"][0],
             &primitive = after["meshes"][0]["primitives"][0];
  EXPECT_EQ(primitive["attributes"]["TEXCOORD_0"], old_primitive["attributes"]["TEXCOORD_0"]);
  EXPECT_EQ(primitive["material"], old_primitive["material"]);
  for (const char* name : {"JOINTS_0", "WEIGHTS_0"}) {
    EXPECT_FALSE(primitive["attributes"].contains(name)) << name;
  }
}

TEST(GltfPosed, nodes_that_a_skin_ignored_count_again_and_are_undone) {
  for (const Json& place : {Json{{"translation", {0, 3, 0}}, {"scale", {2, 2, 0.5}}},
                            Json{{"scale", {-1, 1, 1}}}, Json{{"scale", {0, 0, 0}}}}) {
    for (const bool skinned : {true, false}) {
      SCOPED_TRACE(place.dump() + (skinned ? " skinned" : ""));
      GltfBuilder builder = small_character();
      builder.json["nodes"][1].update(place);
      if (!skinned) builder.json["nodes"][1].erase("skin");
      const Model posed = moved(parse_gltf(builder.glb()));
      expect_same_shape(parse_gltf(to_glb(posed)).rig.mesh, posed.rig.mesh);
    }
  }
}

TEST(GltfPosed, a_mesh_that_two_nodes_have_is_posed_for_each) {
  GltfBuilder builder = small_character();
  builder.json["nodes"].push_back(builder.json["nodes"][1]);
  builder.json["nodes"][0]["children"].push_back(4);
  Model posed = moved(parse_gltf(builder.glb()));
  for (std::size_t v = 6; v < 12; ++v) posed.rig.mesh.positions[v].x += 9;
  expect_same_shape(parse_gltf(to_glb(posed)).rig.mesh, posed.rig.mesh);
}

TEST(GltfPosed, parts_without_normals_stay_faceted) {
  GltfBuilder builder = small_character();
  Json faceted = builder.json["meshes"][0]["primitives"][0];
  faceted["attributes"].erase("NORMAL");
  builder.json["meshes"][0]["primitives"].push_back(faceted);
  const Json after = parse_gltf(to_glb(moved(parse_gltf(builder.glb())))).source->json;
  const Json& primitives = after["meshes"][0]["primitives"];
  EXPECT_TRUE(primitives[0]["attributes"].contains("NORMAL"));
  EXPECT_FALSE(primitives[1]["attributes"].contains("NORMAL"));
}

TEST(GltfPosed, another_number_of_vertices_is_refused) {
  Model posed = moved(parse_gltf(small_character().glb()));
  posed.rig.mesh.parts.clear();
  EXPECT_EQ(wrong_usage([&] { to_glb(posed); }),
            "the shape has 6 vertices in 0 parts, but the file it was read from 6 in 1: write it "
            "as a new file (a model without a source)");
}

TEST(GltfPosed, real_models_keep_their_materials_and_images) {
  SINEW_GLTF_ASSETS_OR_SKIP(models);
  for (const auto& path : models) {
    SCOPED_TRACE(path.string());
    const Model model = read_gltf(path);
    const Model posed = moved(model);
    const Model back = parse_gltf(to_glb(posed));
    const double size = bounding_box(posed.rig.mesh.positions).diagonal();
    EXPECT_LE(largest_difference(back.rig.mesh.positions, posed.rig.mesh.positions), 1e-6 * size);
    EXPECT_EQ(back.rig.mesh.triangles, posed.rig.mesh.triangles);
    const Json &before = model.source->json, &after = back.source->json;
    for (const char* key : {"materials", "textures", "samplers", "scenes"}) {
      EXPECT_EQ(after.value(key, Json()), before.value(key, Json())) << key;
    }
    EXPECT_EQ(after.value("images", Json()).size(), before.value("images", Json()).size());
  }
}

}  // namespace
}  // namespace sinew
