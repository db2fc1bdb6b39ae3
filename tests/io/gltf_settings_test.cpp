// SPDX-License-Identifier: Apache-2.0
// What a rig keeps beside weights and clips, in glTF: that it comes back, what is refused, and that
// it is what the schema says.
#include <cstring>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "sinew/core/file.h"
#include "sinew/io/gltf.h"
#include "sinew/io/gltf/document.h"
#include "sinew/io/gltf/write.h"
#include "tests/support/gltf_builder.h"
#include "tests/support/json_schema.h"
#include "tests/support/paths.h"
#include "tests/support/refusals.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

Model made(const Rig& rig) { return {rig, nullptr}; }

Model written(const Model& model) { return parse_gltf(to_glb(model)); }

// What a file adds to a rig made by code: a node for the mesh.
Rig with_node(Rig rig) {
  Joint frame;
  frame.name = rig.name;
  frame.is_frame = true;
  rig.skeleton.joints.push_back(frame);
  return rig;
}

// A file with every setting, after a change to its JSON or its first buffer.
std::string refused(const std::function<void(gltf::Document&)>& change) {
  gltf::Document document = gltf::new_document(tube_rig({.settings = true}), {});
  change(document);
  return bad_input([&] { parse_gltf(gltf::glb_bytes(std::move(document))); });
}

std::string refused_json(const char* pointer, nlohmann::json value) {
  return refused([&](gltf::Document& document) {
    document.json[nlohmann::json::json_pointer(pointer)] = std::move(value);
  });
}

// Puts a number in the place of the first of an attribute of the second primitive.
std::string refused_number(const char* attribute, float value) {
  return refused([&](gltf::Document& document) {
    const nlohmann::json& json = document.json;
    const std::size_t accessor =
        json["meshes"][0]["primitives"][1]["attributes"][attribute].get<std::size_t>();
    const std::size_t view = json["accessors"][accessor]["bufferView"].get<std::size_t>();
    const std::size_t offset = json["bufferViews"][view].value("byteOffset", std::size_t{0});
    std::memcpy(document.buffers[0].data() + offset, &value, sizeof(value));
  });
}

TEST(GltfSettings, settings_come_back_bit_for_bit) {
  const Rig rig = tube_rig({.settings = true});
  const Model model = written(made(rig));
  EXPECT_EQ(model.rig, with_node(rig));
  EXPECT_EQ(to_glb(written(model)), to_glb(model));
}

TEST(GltfSettings, settings_are_updated_where_they_change) {
  gltf::Document document = gltf::new_document(tube_rig(), {});
  document.json["extras"]["mine"] = {{"keep", true}};
  Model model = parse_gltf(gltf::glb_bytes(std::move(document)));
  const Rig with_all = with_node(tube_rig({.settings = true}));
  model.rig = with_all;
  const Model changed = written(model);
  EXPECT_EQ(changed.rig, with_all);
  EXPECT_EQ(changed.source->json["extras"]["mine"], nlohmann::json({{"keep", true}}));

  // The second part alone: new numbers are in the place of the old ones.
  Model again = changed;
  again.rig.skin.blend_shares.back() = 0.125;
  again.rig.offset_curves.painted_weights.back() = 4;
  again.rig.offset_curves.curves[1].controls.slide = 0.5;
  const Model after = written(again);
  EXPECT_EQ(after.rig, again.rig);
  const auto attributes = [](const Model& m, std::size_t p) {
    return m.source->json["meshes"][0]["primitives"][p]["attributes"];
  };
  EXPECT_EQ(attributes(after, 0), attributes(changed, 0));
  EXPECT_EQ(attributes(after, 1), attributes(changed, 1));
  for (const char* list : {"accessors", "bufferViews"}) {
    EXPECT_EQ(after.source->json[list].size(), changed.source->json[list].size()) << list;
  }

  again.rig.skin.blend_shares.clear();
  again.rig.offset_curves = {};
  again.rig.limits.pop_back();
  EXPECT_EQ(written(again).rig.limits, again.rig.limits);
  again.rig.limits.clear();
  const Model without = written(again);
  EXPECT_EQ(without.rig, again.rig);
  EXPECT_FALSE(attributes(without, 0).contains("_BLEND_SHARE"));
  EXPECT_FALSE(attributes(without, 0).contains("_CURVE_WEIGHT_0"));
  EXPECT_FALSE(without.source->json["extras"]["sinew"].contains("offsetCurves"));
  EXPECT_FALSE(without.source->json["extras"]["sinew"].contains("limits"));
}

TEST(GltfSettings, a_mesh_that_is_not_bound_yet_stays_so_until_it_gets_weights) {
  Rig rig = tube_rig({.endpoints = false});
  const Weights weights = rig.skin.weights;
  rig.skin.weights = {};
  Model model = written(made(rig));
  EXPECT_EQ(model.rig, with_node(rig));
  EXPECT_EQ(to_glb(written(model)), to_glb(model));
  model.rig.skin.weights = weights;
  const Model bound = written(model);
  EXPECT_EQ(bound.rig.skin.weights, weights);
  EXPECT_EQ(bound.rig.skeleton, model.rig.skeleton);
  for (const nlohmann::json& node : bound.source->json["nodes"]) {
    EXPECT_FALSE(node.contains("extras")) << node;
  }
  // Beside a mesh with weights, one without is rigid: its node carries it.
  gltf::Document document = gltf::new_document(rig, {});
  nlohmann::json other = document.json["nodes"].back();
  other.erase("extras");
  document.json["nodes"].push_back(other);
  document.json["scenes"][0]["nodes"].push_back(document.json["nodes"].size() - 1);
  EXPECT_EQ(parse_gltf(gltf::glb_bytes(std::move(document))).rig.skeleton.bones.size(),
            rig.skeleton.bones.size() + 2);
}

TEST(GltfSettings, posed_geometry_has_no_settings) {
  Model model = written(made(tube_rig({.settings = true})));
  Rig plain;
  plain.mesh = model.rig.mesh;
  model.rig = plain;
  const Model back = written(model);
  EXPECT_EQ(back.rig.skin.blend_shares, std::vector<double>());
  EXPECT_EQ(back.rig.offset_curves, OffsetCurves{});
  EXPECT_TRUE(back.rig.limits.empty());
  EXPECT_EQ(back.source->json.dump().find("_CURVE_WEIGHT"), std::string::npos);
}

TEST(GltfSettings, curves_name_bones_that_share_a_node_apart) {
  // Two skins have the same joint with different inverse bind matrices: two bones.
  GltfBuilder b = small_character();
  b.json["skins"].push_back(b.json["skins"][0]);
  const int binds = b.floats({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,    0, 1,
                              1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -0.5, 0, 1},
                             "MAT4", 16);
  b.json["skins"][1]["inverseBindMatrices"] = binds;
  b.json["nodes"].push_back({{"name", "twin"}, {"mesh", 0}, {"skin", 1}});
  b.json["scenes"][0]["nodes"].push_back(4);
  Model model = parse_gltf(b.glb());
  ASSERT_EQ(model.rig.skeleton.bones.size(), 3u);
  ASSERT_EQ(model.rig.skeleton.bones[1].joint, model.rig.skeleton.bones[2].joint);
  model.rig.offset_curves.curves = {{.bones = {0, 2}}, {.bones = {1}}};
  const Model back = written(model);
  EXPECT_EQ(back.rig.offset_curves, model.rig.offset_curves);
  const nlohmann::json& curves = back.source->json["extras"]["sinew"]["offsetCurves"]["curves"];
  EXPECT_EQ(curves[0]["bones"], nlohmann::json::parse("[2, [3, 1]]"));
  EXPECT_EQ(curves[1]["bones"], nlohmann::json::parse("[3]"));
}

TEST(GltfSettings, bad_values_are_refused_with_their_place) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(refused([](gltf::Document&) {}), "");
  const std::string extras = "/extras/sinew", skin = "/skins/0/extras/sinew";
  const std::string attributes = "/meshes/0/primitives/1/attributes/";
  EXPECT_EQ(refused_json("/extras/sinew/limits/0/limit/range", {10, 20}),
            extras +
                "/limits/0/limit: a limit goes from 10 to 20 degrees; it goes from -180 to 180 "
                "at most, and 0 is in it");
  EXPECT_EQ(refused_json("/extras/sinew/limits/0/joint", 99),
            extras + "/limits/0/joint: must be an index into the 4 joints, but is 99");
  EXPECT_EQ(refused_json("/extras/sinew/limits/0/limit", nlohmann::json::object()),
            extras +
                "/limits/0/limit: a limit has a \"cone\", a \"hinge\", or ranges of \"x\", "
                "\"y\", \"z\"");
  EXPECT_EQ(refused_json("/extras/sinew/version", 2),
            extras + "/version: only version 1 is known: a later program wrote this file");
  EXPECT_EQ(refused_json("/skins/0/extras/sinew/version", "1"),
            skin + "/version: must be a number, but is of type string");
  EXPECT_EQ(refused_json("/skins/0/extras/sinew/filters", nlohmann::json::array()),
            skin + "/filters: must have 3 entries, one for each joint");
  EXPECT_EQ(refused_json("/skins/0/extras/sinew/filters/1/twist", {{0.5, 1}, {1, 0}}),
            skin +
                "/filters/1/twist: filter point 1: (1, 0) must lie in [0, 1] x [0, 1], right of "
                "the point before it and not below it");
  EXPECT_EQ(refused_json("/skins/0/extras/sinew/filters/0/twist/free/1", {0, 0.5}),
            skin +
                "/filters/0/twist/free: filter point 1: (0, 0.5) must lie in [0, 1] x [0, 1], "
                "right of the point before it");
  EXPECT_EQ(refused_json("/skins/0/extras/sinew/twistShares", {0.5}),
            skin + "/twistShares: it has 1 twist shares for 3 joints");
  EXPECT_EQ(refused_json("/skins/0/extras/sinew/twistShares/1", {0.5, 0.75}),
            skin + "/twistShares/1: twist shares lie between 0 and 1, and so does their sum");
  EXPECT_EQ(refused_json("/extras/sinew/drivers/0/joint", 9),
            extras + "/drivers/0/joint: must be an index into the 4 joints, but is 9");
  EXPECT_EQ(refused_json("/extras/sinew/drivers/1/share/source", 1),
            extras +
                "/drivers: drivers: generalized bones depend on each other in a cycle: joint 1 "
                "(joint 1) -> joint 1 (joint 1); remove one of them");
  EXPECT_EQ(refused_json("/extras/sinew/offsetCurves/placement", 0),
            extras + "/offsetCurves/placement: must be above 0");
  EXPECT_EQ(refused_json("/extras/sinew/offsetCurves/curves/1/bones/0", 7),
            extras + "/offsetCurves/curves/1/bones/0: must be an index into the 4 nodes, but is 7");
  EXPECT_EQ(refused_json("/extras/sinew/offsetCurves/curves/1/bones/0", {1, 4}),
            extras + "/offsetCurves/curves/1/bones/0/1: must be from -1 to 0, but is 4");
  EXPECT_EQ(refused_json("/extras/sinew/offsetCurves/curves/1/bones/0", 3),
            extras +
                "/offsetCurves/curves/1/bones/0: names a node that is no joint of a skin and has "
                "no mesh of its own");
  EXPECT_EQ(refused_json("/extras/sinew/offsetCurves/curves/1/leadIn", 1),
            extras +
                "/offsetCurves/curves/1/leadIn: names a bone of the curve itself; it is the bone "
                "before the first");
  EXPECT_EQ(refused_number("_BLEND_SHARE", 1.5F),
            attributes + "_BLEND_SHARE: vertex 0 has the value 1.5; it must be from 0 to 1");
  for (const char* name : {"_BLEND_SHARE", "_CURVE_WEIGHT_0"}) {
    const std::string message = refused_number(name, nan);
    EXPECT_EQ(message.find("/accessors/"), 0u) << message;
    EXPECT_NE(message.find(": element 0 is not a finite number"), std::string::npos) << message;
  }
  EXPECT_EQ(refused_number("_CURVE_WEIGHT_0", -1),
            attributes + "_CURVE_WEIGHT_0: vertex 0 has the value -1; it must be from 0 on");
  EXPECT_EQ(refused([](gltf::Document& document) {
              nlohmann::json& first = document.json["meshes"][0]["primitives"][0]["attributes"];
              first["_BLEND_SHARE"] = first["_CURVE_WEIGHT_0"];
            }).find("/meshes/0/primitives/0/attributes/_BLEND_SHARE: accessor "),
            0u);
}

TEST(GltfSettings, parts_without_an_attribute_get_what_it_would_be_without_any) {
  gltf::Document document = gltf::new_document(tube_rig({.settings = true}), {});
  nlohmann::json& first = document.json["meshes"][0]["primitives"][0]["attributes"];
  first.erase("_BLEND_SHARE");
  first.erase("_CURVE_WEIGHT_0");
  const Rig rig = parse_gltf(gltf::glb_bytes(std::move(document))).rig;
  const Rig whole = tube_rig({.settings = true});
  const std::size_t half = rig.mesh.parts[0].vertex_count;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    EXPECT_EQ(rig.skin.blend_shares[v],
              v < half ? default_blend_share : whole.skin.blend_shares[v]);
    EXPECT_EQ(rig.offset_curves.painted_weights[2 * v],
              v < half ? 0 : whole.offset_curves.painted_weights[2 * v]);
  }
}

TEST(GltfSettings, muscles_are_updated_where_they_change_and_bad_ones_refused) {
  Model model = written(made(tube_rig({.settings = true})));
  model.rig.skin.muscles[2].stretch = 0.5;
  model.rig.skin.muscles[0] = {};
  EXPECT_EQ(written(model).rig, model.rig);
  model.rig.skin.muscles.clear();
  const Model without = written(model);
  EXPECT_EQ(without.rig, model.rig);
  EXPECT_FALSE(without.source->json["skins"][0]["extras"]["sinew"].contains("muscles"));

  const char* muscle = "/skins/0/extras/sinew/muscles/1";
  EXPECT_NE(refused_json("/skins/0/extras/sinew/muscles", nlohmann::json::array({nullptr}))
                .find("must have 3 entries, one for each joint"),
            std::string::npos);
  EXPECT_EQ(
      refused_json(muscle, {{"stretch", 11}}),
      "/skins/0/extras/sinew/muscles/1: stretch: its gain is 11; it must be a number from -10 "
      "to 10");
  EXPECT_NE(refused_json(muscle, {{"angle", {{"joint", 99}, {"range", {0, 90}}, {"gain", 1}}}})
                .find("/skins/0/extras/sinew/muscles/1/angle/joint"),
            std::string::npos);
  EXPECT_NE(refused_json(muscle, {{"profile", {{0, 0}, {0, 1}}}}).find("profile filter point 1"),
            std::string::npos);
  EXPECT_NE(refused_json(muscle, 3).find("must be a muscle or null"), std::string::npos);
}

// What the schema says of our extras in the whole document; the first problem, or "".
std::string against_schema(const nlohmann::json& json) {
  const test::JsonSchema schema(
      nlohmann::json::parse(read_file(source_folder() / "docs" / "schema" / "extras.schema.json")));
  std::string found;
  const auto check = [&](const nlohmann::json& object, const char* definition) {
    if (!object.contains("extras") || !object["extras"].contains("sinew") || !found.empty()) return;
    found = schema.problem(object["extras"]["sinew"], definition);
  };
  check(json, "document");
  for (const nlohmann::json& skin : json["skins"]) check(skin, "skin");
  for (const nlohmann::json& node : json["nodes"]) check(node, "node");
  for (const nlohmann::json& animation : json["animations"]) check(animation, "animation");
  for (const nlohmann::json& mesh : json["meshes"]) {
    for (const nlohmann::json& primitive : mesh["primitives"]) check(primitive, "primitive");
  }
  return found;
}

TEST(GltfSettings, what_is_written_satisfies_the_schema) {
  const nlohmann::json json = gltf::new_document(tube_rig({.settings = true}), {}).json;
  EXPECT_EQ(against_schema(json), "");
  // Everything that the schema knows is there.
  for (const char* key : {"controls", "drivers", "offsetCurves"}) {
    EXPECT_TRUE(json["extras"]["sinew"].contains(key)) << key;
  }
  for (const char* key : {"tails", "tailJoints", "twistShares", "filters", "muscles"}) {
    EXPECT_TRUE(json["skins"][0]["extras"]["sinew"].contains(key)) << key;
  }
  Rig unbound = tube_rig({.endpoints = false});
  unbound.skin.weights = {};
  const nlohmann::json without = gltf::new_document(unbound, {}).json;
  EXPECT_EQ(against_schema(without), "");
  EXPECT_TRUE(without["nodes"].back()["extras"]["sinew"].contains("unbound"));
  const auto broken = [&](const char* pointer, nlohmann::json value) {
    nlohmann::json copy = json;
    copy[nlohmann::json::json_pointer(pointer)] = std::move(value);
    return against_schema(copy);
  };
  EXPECT_EQ(broken("/extras/sinew/version", 2), "/version: is another constant");
  EXPECT_EQ(broken("/extras/sinew/colour", 2), "/colour: is not known");
  EXPECT_EQ(broken("/skins/0/extras/sinew/filters/0/stretch", 1),
            "/filters/0/stretch: fits 0 of the alternatives");
  EXPECT_EQ(broken("/extras/sinew/offsetCurves/placement", 0),
            "/offsetCurves/placement: is too small");
}

}  // namespace
}  // namespace sinew
