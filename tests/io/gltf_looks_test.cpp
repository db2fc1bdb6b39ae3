// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf_looks.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/gltf_builder.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

constexpr const char* triangle = R"({
  "asset": {"version": "2.0"},
  "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,%BUFFER%"}],
  "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 32, "byteLength": 4}],
  "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
  "images": [{"uri": "data:image/png;base64,cGljdHVyZQ=="},
             {"bufferView": 1, "mimeType": "image/png"}],
  "textures": [{"source": 0}, {"source": 1}],
  "materials": [
    {"pbrMetallicRoughness": {"baseColorFactor": [0.1, 0.2, 0.3, 0.4],
                              "baseColorTexture": {"index": 0}}},
    {"alphaMode": "BLEND", "pbrMetallicRoughness": {"baseColorTexture": {"index": 1}}}],
  "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0},
                             {"attributes": {"POSITION": 0}, "material": 1},
                             {"attributes": {"POSITION": 0}}]}],
  "nodes": [{"mesh": 0}], "scenes": [{"nodes": [0]}]
})";

Model model_with(const std::string& from = "", const std::string& to = "") {
  std::string json = triangle;
  const auto replace = [&](const std::string& what, const std::string& with) {
    json.replace(json.find(what), what.size(), with);
  };
  replace("%BUFFER%", base64(std::string(32, '\0') + "ABC@"));
  if (!from.empty()) replace(from, to);
  return parse_gltf(json);
}

TEST(GltfLooks, each_part_has_the_colour_and_the_picture_of_its_material) {
  const auto looks = part_looks(model_with());
  ASSERT_EQ(looks.size(), 3u);
  EXPECT_EQ(looks[0].color, (Vec4{0.1, 0.2, 0.3, 0.4}));
  EXPECT_EQ(looks[0].picture, "picture");
  EXPECT_FALSE(looks[0].see_through);
  EXPECT_EQ(looks[1].color, (Vec4{1, 1, 1, 1}));
  EXPECT_EQ(looks[1].picture, "ABC@");
  EXPECT_EQ(looks[1].picture_place, "/images/1");
  EXPECT_TRUE(looks[1].see_through);
  EXPECT_TRUE(looks[2].picture.empty());
}

TEST(GltfLooks, other_uv_sets_and_formats_of_extensions_have_no_picture) {
  EXPECT_EQ(part_looks(model_with(R"({"index": 0})", R"({"index": 0, "texCoord": 1})"))[0].picture,
            "");
  EXPECT_EQ(part_looks(model_with(R"({"source": 0})", R"({"extensions": {}})"))[0].picture, "");
}

TEST(GltfLooks, what_does_not_exist_is_named) {
  const auto refused = [](const char* from, const char* to) {
    const Model model = model_with(from, to);
    return bad_input([&] { part_looks(model); });
  };
  EXPECT_EQ(refused(R"("index": 0)", R"("index": 7)"),
            "/materials/0/pbrMetallicRoughness/baseColorTexture/index: must be an index into the 2 "
            "textures, but is 7");
  EXPECT_EQ(refused(R"("source": 0)", R"("source": 9)"),
            "/textures/0/source: must be an index into the 2 images, but is 9");
  EXPECT_EQ(refused(R"({"bufferView": 1, "mime)", R"({"bufferView": 8, "mime)"),
            "/images/1/bufferView: must be an index into the 2 bufferViews, but is 8");
  EXPECT_EQ(refused(R"("byteOffset": 32, "byteLength": 4)", R"("byteOffset": 32, "byteLength": 5)"),
            "/bufferViews/1: it reaches beyond the end of its buffer");
}

TEST(GltfLooks, models_of_other_files_have_none) { EXPECT_TRUE(part_looks(Model{}).empty()); }

}  // namespace
}  // namespace sinew
