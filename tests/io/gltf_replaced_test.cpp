// SPDX-License-Identifier: Apache-2.0
// What an update replaces leaves the file; all else is as it was.
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "sinew/io/gltf/accessors.h"
#include "sinew/io/gltf/replaced.h"
#include "tests/support/gltf_reading.h"

namespace sinew {
namespace {

using gltf::Document;
using gltf::Json;

constexpr const char* image_bytes = "seven b";

// The small character with an image after its numbers, and then an accessor that nothing uses.
GltfBuilder character_with_image() {
  GltfBuilder b = small_character();
  b.json["images"] = {{{"bufferView", b.view_of_bytes(image_bytes)}, {"mimeType", "image/png"}}};
  b.floats({7, 8, 9}, "SCALAR", 1);
  return b;
}

std::size_t size_of(const Document& document, const char* list) {
  return document.json[list].size();
}

std::string bytes_of_view(const Document& document, std::size_t view) {
  const Json& json = document.json["bufferViews"][view];
  return document.buffers[json["buffer"].get<std::size_t>()].substr(
      json.value("byteOffset", std::size_t{0}), json["byteLength"].get<std::size_t>());
}

// The rig, the image, and what nothing used before either.
void expect_kept(const Model& after, const Rig& rig) {
  EXPECT_EQ(after.rig.mesh, rig.mesh);
  EXPECT_EQ(after.rig.skeleton, rig.skeleton);
  EXPECT_EQ(after.rig.skin.weights, rig.skin.weights);
  EXPECT_EQ(after.rig.clips, rig.clips);
  const Document& document = *after.source;
  const Json& image = document.json["images"][0];
  EXPECT_EQ(bytes_of_view(document, image["bufferView"]), image_bytes);
  int unused = 0;
  while (document.json["accessors"].at(static_cast<std::size_t>(unused))["count"] != 3) ++unused;
  EXPECT_EQ(gltf::Accessors(document).doubles(unused), (std::vector<double>{7, 8, 9}));
}

TEST(GltfReplaced, new_numbers_take_the_places_of_old_ones) {
  Model model = parse_gltf(character_with_image().glb());
  for (Vec3& p : model.rig.mesh.positions) p.z += 1;
  model.rig.mesh.shapes[0].positions[0].x += 1;
  const Model after = parse_gltf(to_glb(model));
  expect_kept(after, model.rig);
  for (const char* list : {"meshes", "skins", "animations", "images"}) {
    EXPECT_EQ(after.source->json[list], model.source->json[list]) << list;
  }
  for (const char* list : {"accessors", "bufferViews"}) {
    EXPECT_EQ(size_of(*after.source, list), size_of(*model.source, list)) << list;
  }
  EXPECT_EQ(after.source->json["buffers"], model.source->json["buffers"]);
}

TEST(GltfReplaced, what_comes_after_removed_numbers_is_renumbered) {
  Model model = parse_gltf(character_with_image().glb());
  model.rig.clips.erase(model.rig.clips.begin());  // "slide" shares its times
  const Model after = parse_gltf(to_glb(model));
  expect_kept(after, model.rig);
  for (const char* list : {"accessors", "bufferViews"}) {
    EXPECT_EQ(size_of(*after.source, list), size_of(*model.source, list) - 2) << list;
  }
  // Two rotations and two weights.
  EXPECT_EQ(after.source->json["buffers"][0]["byteLength"],
            model.source->json["buffers"][0]["byteLength"].get<int>() - 40);
}

TEST(GltfReplaced, bytes_that_another_view_has_stay) {
  GltfBuilder b = character_with_image();
  // Over the last of the positions and the first of the normals; nothing uses it.
  b.add("bufferViews", {{"buffer", 0}, {"byteOffset", 60}, {"byteLength", 24}});
  Model model = parse_gltf(b.glb());
  const std::size_t extra = size_of(*model.source, "bufferViews") - 1;
  const std::string expected = bytes_of_view(*model.source, extra);
  for (Vec3& p : model.rig.mesh.positions) p.z += 1;
  const Model after = parse_gltf(to_glb(model));
  expect_kept(after, model.rig);
  EXPECT_EQ(bytes_of_view(*after.source, extra), expected);
  EXPECT_EQ(after.source->json["bufferViews"][extra]["byteOffset"], 0);
}

TEST(GltfReplaced, all_stays_beside_extensions_that_may_name_it) {
  for (const bool known : {true, false}) {
    GltfBuilder b = character_with_image();
    b.json["nodes"][0]["extensions"][known ? "KHR_node_visibility" : "ACME_points"] = {
        {"attributes", {{"POSITION", 0}}}};
    Model model = parse_gltf(b.glb());
    for (Vec3& p : model.rig.mesh.positions) p.z += 1;
    const Model after = parse_gltf(to_glb(model));
    expect_kept(after, model.rig);
    EXPECT_EQ(size_of(*after.source, "accessors"),
              size_of(*model.source, "accessors") + (known ? 0 : 1));
    EXPECT_EQ(after.source->buffers[0].starts_with(b.buffer), !known);
  }
}

// Compressed bytes are in one buffer, what they stand for in another, which has none.
TEST(GltfReplaced, compressed_views_are_moved_and_removed) {
  Document source;
  source.buffers = {"aaaabbbbbb..cccc", ""};
  const auto view = [](int offset, int length, int place) {
    return Json{{"buffer", 1},
                {"byteOffset", place},
                {"byteLength", 12},
                {"extensions",
                 {{"EXT_meshopt_compression",
                   {{"buffer", 0}, {"byteOffset", offset}, {"byteLength", length}}}}}};
  };
  const auto primitive = [](int position, int draco) {
    return Json{{"attributes", {{"POSITION", position}}},
                {"extensions", {{"KHR_draco_mesh_compression", {{"bufferView", draco}}}}}};
  };
  source.json = {
      {"buffers",
       {{{"byteLength", 16}},
        {{"byteLength", 24}, {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}}}},
      {"bufferViews", {view(4, 6, 0), view(12, 4, 12), {{"buffer", 0}, {"byteLength", 4}}}},
      {"accessors", Json::array({Json{{"bufferView", 0}}, Json{{"bufferView", 1}}})},
      {"meshes",
       Json::array({Json{{"primitives", Json::array({primitive(0, 2), primitive(1, 2)})}}})}};
  Document document = source;
  document.json["meshes"][0]["primitives"].erase(0);
  gltf::remove_replaced(document, source);
  EXPECT_EQ(document.buffers, (std::vector<std::string>{"aaaacccc", ""}));
  Json expected = source.json;
  expected["buffers"][0]["byteLength"] = 8;
  expected["bufferViews"] = {view(4, 4, 12), source.json["bufferViews"][2]};
  // Braces around a single value are a list to GCC and that value to clang.
  expected["accessors"] = Json::array({Json{{"bufferView", 0}}});
  expected["meshes"][0]["primitives"] = Json::array({primitive(0, 1)});
  EXPECT_EQ(document.json, expected) << Json::diff(document.json, expected);
}

}  // namespace
}  // namespace sinew
