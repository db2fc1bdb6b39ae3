// SPDX-License-Identifier: Apache-2.0
// What a bake leaves alone in the file that the rig came from.
#include <gtest/gtest.h>

#include "sinew/bake/bake.h"
#include "sinew/io/gltf.h"
#include "sinew/io/gltf/document.h"
#include "tests/support/gltf_builder.h"

namespace sinew {
namespace {

using gltf::Json;

// The small character with a knee that twists, in a file with much else in it.
std::string crowded_file() {
  GltfBuilder b = small_character();
  const int times = b.floats({0, 1}, "SCALAR", 1);
  const int twist = b.floats({0, 0, 0, 1, 0, 0.70710678F, 0, 0.70710678F}, "VEC4", 4);
  const int path = b.floats({0, 0, 0, 1, 2, 3}, "VEC3", 3);
  const int dots = b.floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3", 3);
  Json& json = b.json;
  json.erase("extras");
  json["extras"] = {{"studio", "here"}, {"version", 7}};
  json["asset"]["copyright"] = "nobody";
  json["extensionsUsed"] = {"KHR_materials_unlit", "EXT_unknown"};
  json["extensions"] = {{"EXT_unknown", {{"numbers", {1, 2.5, "three"}}}}};
  json["materials"][0]["extras"] = {{"cloth", true}};
  json["materials"][0]["pbrMetallicRoughness"] = {{"baseColorFactor", {0.1, 0.2, 0.3, 1}}};
  json["materials"].push_back(
      {{"name", "unused"}, {"extensions", {{"KHR_materials_unlit", Json::object()}}}});
  json["cameras"] = {{{"type", "perspective"}, {"perspective", {{"yfov", 0.7}, {"znear", 0.1}}}}};
  json["meshes"][0]["extras"]["tailor"] = "somebody";
  json["meshes"][0]["primitives"][0]["extras"] = {{"seam", 3}};
  json["meshes"].push_back({{"name", "unused"},
                            {"extras", {{"spare", 1}}},
                            {"primitives", {{{"attributes", {{"POSITION", dots}}}}}}});
  json["meshes"].push_back(
      {{"name", "dots"},
       {"primitives", {{{"attributes", {{"POSITION", dots}}}, {"mode", 0}, {"material", 1}}}}});
  json["nodes"][3]["extras"] = {{"patella", "left"}};
  json["nodes"].push_back({{"name", "camera"},
                           {"camera", 0},
                           {"rotation", {0, 0.6, 0, 0.8}},
                           {"extras", {{"lens", 50}}}});
  json["nodes"].push_back({{"name", "dots"}, {"mesh", 2}, {"scale", {2, 2, 2}}});
  json["nodes"].push_back({{"name", "alone"}, {"extensions", {{"EXT_unknown", 5}}}});
  json["scenes"][0]["nodes"].push_back(4);
  json["scenes"][0]["extras"] = {{"fog", 0.5}};
  json["scenes"].push_back({{"name", "second"}, {"nodes", {5, 6}}});
  json["skins"][0]["name"] = "skin";
  json["skins"][0]["extras"] = {{"freckles", 12}};
  json["animations"].push_back(
      {{"name", "twist"},
       {"extras", {{"loop", true}}},
       {"samplers", {{{"input", times}, {"output", twist}}}},
       {"channels", {{{"sampler", 0}, {"target", {{"node", 3}, {"path", "rotation"}}}}}}});
  json["animations"].push_back(
      {{"name", "dolly"},
       {"extras", {{"rails", 2}}},
       {"samplers", {{{"input", times}, {"output", path}}}},
       {"channels", {{{"sampler", 0}, {"target", {{"node", 4}, {"path", "translation"}}}}}}});
  return b.glb();
}

// Takes out of both what a bake is there to change, having seen that it only adds.
void expect_longer(Json& before, Json& after, const char* list) {
  ASSERT_GE(after[list].size(), before[list].size()) << list;
  for (std::size_t i = 0; i < before[list].size(); ++i) {
    EXPECT_EQ(after[list][i], before[list][i]) << list << " " << i;
  }
  before.erase(list);
  after.erase(list);
}

TEST(BakeFile, everything_that_is_not_baked_is_as_it_was) {
  const Model model = parse_gltf(crowded_file());
  Model changed = model;
  const Baked result = bake(model.rig, {.segments = 3, .endpoints = ProjectionOptions{}});
  ASSERT_GT(result.report.helpers, 3u);
  changed.rig = result.rig;
  const Model again = parse_gltf(to_glb(changed));
  Json before = model.source->json, after = again.source->json;

  const std::string& old_bytes = model.source->buffers.front();
  EXPECT_EQ(again.source->buffers.front().substr(0, old_bytes.size()), old_bytes);
  before.erase("buffers");
  after.erase("buffers");
  expect_longer(before, after, "bufferViews");
  expect_longer(before, after, "accessors");

  const std::size_t old_nodes = before["nodes"].size();
  for (std::size_t n = 0; n < old_nodes; ++n) {
    Json &was = before["nodes"][n], &is = after["nodes"][n];
    if (!is.contains("children")) continue;
    for (const Json& child : was.value("children", Json::array())) {
      EXPECT_NE(std::find(is["children"].begin(), is["children"].end(), child),
                is["children"].end());
    }
    was.erase("children");
    is.erase("children");
  }
  EXPECT_EQ(after["nodes"].size(), old_nodes + result.report.helpers);
  expect_longer(before, after, "nodes");

  for (Json* json : {&before, &after}) {
    for (const char* name : {"JOINTS_0", "WEIGHTS_0"}) {
      EXPECT_EQ((*json)["meshes"][0]["primitives"][0]["attributes"].erase(name), 1u);
    }
    for (const char* name : {"joints", "inverseBindMatrices"}) {
      EXPECT_EQ((*json)["skins"][0].erase(name), 1u);
    }
  }
  after["skins"][0]["extras"].erase("sinew");
  ASSERT_EQ(after["animations"].size(), before["animations"].size());
  EXPECT_EQ(after["animations"][3], before["animations"][3]);  // of the camera alone
  for (std::size_t i = 0; i < before["animations"].size(); ++i) {
    for (Json* animation : {&before["animations"][i], &after["animations"][i]}) {
      animation->erase("channels");
      animation->erase("samplers");
    }
  }
  EXPECT_EQ(after, before) << Json::diff(before, after);

  // The tracks that were there, too. Joints have other numbers where a skin has more of them.
  for (std::size_t c = 0; c < model.rig.clips.size(); ++c) {
    for (Channel channel : model.rig.clips[c].channels) {
      const auto renumber = [&](auto& changing) {
        if constexpr (requires { changing.joint; }) {
          const std::size_t joint = changing.joint;
          changing.joint = find_joint(again.rig.skeleton, model.rig.skeleton.joints[joint].name);
        }
      };
      std::visit(renumber, channel);
      const auto& channels = again.rig.clips[c].channels;
      EXPECT_NE(std::find(channels.begin(), channels.end(), channel), channels.end()) << c;
    }
  }
}

TEST(BakeFile, baking_twice_gives_the_same_bytes) {
  const Model model = parse_gltf(crowded_file());
  std::string first;
  for (int i = 0; i < 2; ++i) {
    Model changed = model;
    changed.rig = bake(model.rig, {.segments = 3, .endpoints = ProjectionOptions{}}).rig;
    const std::string bytes = to_glb(changed);
    if (i == 0) first = bytes;
    EXPECT_EQ(bytes, first);
  }
}

}  // namespace
}  // namespace sinew
