// SPDX-License-Identifier: Apache-2.0
// Files that are valid though parts of them are missing, and problems in what nothing uses.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/io/gltf.h"
#include "sinew/io/gltf/check.h"
#include "sinew/io/gltf_problems.h"
#include "tests/support/gltf_builder.h"

namespace sinew {
namespace {

std::string refused_at(const std::string& bytes) {
  try {
    parse_gltf(bytes);
  } catch (const InputError& error) {
    return error.place();
  }
  return "";
}

TEST(GltfCheck, buffers_that_nothing_uses_need_not_be_there) {
  for (const char* buffer :
       {R"({"byteLength": 4})", R"({"byteLength": 4, "uri": "http://example.com/a.bin"})",
        R"({"byteLength": 4, "uri": "missing.bin"})", R"({"byteLength": 4, "uri": "data:,a"})",
        R"({"uri": "missing.bin"})", R"({"byteLength": "x"})"}) {
    GltfBuilder b = small_character();
    b.json["buffers"] = {nlohmann::json::object(), nlohmann::json::parse(buffer)};
    ASSERT_EQ(refused_at(b.glb()), "") << buffer;
    const Model model = parse_gltf(b.glb());
    EXPECT_EQ(parse_gltf(to_glb(model)).rig.mesh, model.rig.mesh) << buffer;
  }
}

TEST(GltfCheck, a_buffer_is_an_object) {
  GltfBuilder b = small_character();
  b.json["buffers"] = {nlohmann::json::object(), 7};
  EXPECT_EQ(refused_at(b.glb()), "/buffers/1");
}

TEST(GltfCheck, a_binary_chunk_that_is_missing_is_refused_where_it_is_used) {
  const GltfBuilder b = small_character();
  EXPECT_EQ(refused_at(make_glb(b.with_buffer().dump(), "")), "/buffers/0");
}

// Bytes that are not known are allowed; the file says so.
TEST(GltfCheck, a_buffer_without_a_uri_has_zeros) {
  nlohmann::json json = nlohmann::json::parse(small_character().gltf());
  json["buffers"][0].erase("uri");
  json["skins"][0].erase("inverseBindMatrices");
  json.erase("animations");
  json["meshes"][0]["primitives"][0].erase("targets");
  json["meshes"][0].erase("weights");
  const Model model = parse_gltf(json.dump());
  EXPECT_EQ(model.rig.mesh.positions, std::vector<Vec3>(6));
  EXPECT_NE(std::find(model.rig.notes.begin(), model.rig.notes.end(),
                      "/buffers/0 has no uri: its bytes are taken as 0"),
            model.rig.notes.end());
  json["buffers"][0]["byteLength"] = 1e12;
  EXPECT_EQ(refused_at(json.dump()), "/buffers/0");
}

TEST(GltfCheck, keys_and_matrices_without_bytes_are_left_out) {
  GltfBuilder b = small_character();
  const nlohmann::json skin = b.json["skins"][0];
  for (const nlohmann::json& index :
       {skin["inverseBindMatrices"], b.json["animations"][0]["samplers"][0]["input"]}) {
    b.json["accessors"][index.get<std::size_t>()].erase("bufferView");
  }
  const Rig rig = parse_gltf(b.glb()).rig;
  EXPECT_EQ(rig.skeleton.bones[0].inverse_bind, Affine{});
  ASSERT_EQ(rig.clips.size(), 2U);
  EXPECT_EQ(rig.clips[0].channels.size(), 0U);
}

// The writer renumbers and copies what the reader does not look at.
TEST(GltfCheck, what_cannot_be_written_is_refused_at_its_place) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"mesh": "a"})", "/nodes/4/mesh"},
      {R"({"children": [0.5]})", "/nodes/4/children/0"},
      {R"({"children": {}})", "/nodes/4/children"},
      {R"(7)", "/nodes/4"}};
  for (const auto& [text, place] : cases) {
    GltfBuilder b = small_character();
    b.json["nodes"].push_back(nlohmann::json::parse(text));
    const std::string refused = refused_at(b.glb());
    if (!refused.empty()) {
      EXPECT_EQ(refused, place);
      continue;
    }
    Model model = parse_gltf(b.glb());
    model.rig.mesh.positions[0].x += 1;
    try {
      to_glb(model);
      ADD_FAILURE() << "it was written with " << text;
    } catch (const InputError& error) {
      EXPECT_EQ(error.place(), place);
    }
  }
  GltfBuilder b = small_character();
  b.json["bufferViews"].push_back({{"buffer", "a"}, {"byteLength", 4}});
  const Model model = parse_gltf(b.glb());
  EXPECT_THROW(to_glb(model), InputError);
}

std::vector<std::string> places_of(const std::vector<std::string>& problems) {
  std::vector<std::string> places;
  for (const std::string& problem : problems)
    places.push_back(problem.substr(0, problem.find(' ')));
  return places;
}

TEST(GltfCheck, numbers_that_are_not_as_the_file_says_are_listed) {
  const auto problems = [](const GltfBuilder& b) {
    return places_of(data_problems(parse_gltf(b.glb())));
  };
  GltfBuilder b = small_character();
  EXPECT_EQ(problems(b), std::vector<std::string>{});
  auto& accessors = b.json["accessors"];
  accessors[0].update({{"min", {0, 0, 0}}, {"max", {1, 2.5, 0}}});
  EXPECT_EQ(problems(b), std::vector<std::string>{"/accessors/0/max/1"});
  b = small_character();
  const float two = 2;
  std::memcpy(b.buffer.data() + b.json["bufferViews"][1]["byteOffset"].get<std::size_t>(), &two, 4);
  EXPECT_EQ(problems(b), std::vector<std::string>{"/meshes/0/primitives/0/attributes/NORMAL"});
  b = small_character();
  const int color = b.floats(std::vector<float>(24, 1.5F), "VEC4", 4);
  b.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = color;
  EXPECT_EQ(problems(b), std::vector<std::string>{"/meshes/0/primitives/0/attributes/COLOR_0"});
  b = small_character();
  b.json["images"] = {{{"uri", "data:image/png;base64,AAAA"}},
                      {{"uri", "data:image/png;base64,`"}}};
  EXPECT_EQ(problems(b), (std::vector<std::string>{"/images/0", "/images/1/uri"}));
}

// Images by their first parts; what follows would take decoding.
TEST(GltfCheck, damaged_and_misnamed_images_are_listed) {
  const auto chunk = [](const std::string& type, const std::string& data) {
    return std::string(3, '\0') + static_cast<char>(data.size()) + type + data + "crc!";
  };
  const std::string signature = "\x89PNG\r\n\x1A\n", head(13, '\1');
  const std::string png = signature + chunk("IHDR", head) + chunk("IDAT", "") + chunk("IEND", "");
  const std::string start("\xFF\xD8\xFF\xE0\0\4ab\xFF", 9);
  const std::string frame("\xC0\0\x0B\1\0\1\0\1\1\1\1\1", 12);
  const std::string webp("RIFF\x04\0\0\0WEBP", 12);
  struct Case {
    const char* what;
    std::string bytes, type;
    std::string problem;  // empty: none
  };
  const std::vector<Case> cases = {
      {"a PNG", png, "image/png", ""},
      {"a JPEG, up to its size", start + frame, "image/jpeg", ""},
      {"a PNG that is named as a JPEG", png, "image/jpeg", "is image/png, but says image/jpeg"},
      {"a WebP that is named as a PNG", webp, "image/png", "is image/webp, but says image/png"},
      {"a PNG without its end", png.substr(0, png.size() - 6), "image/png", "ends before"},
      {"a PNG without its last chunk", png.substr(0, png.size() - 12), "image/png", "ends before"},
      {"a PNG whose chunk is too long",
       signature + chunk("IHDR", head) + "\x7F" + std::string(20, 'x'), "image/png", "ends before"},
      {"a PNG without a header", signature + chunk("IDAT", head), "image/png",
       "byte 8: PNG's first"},
      {"a JPEG with a segment of length 1", std::string("\xFF\xD8\xFF\xE0\0\1", 6), "image/jpeg",
       "byte 4: a JPEG segment cannot have a length of 1"},
      {"a JPEG that ends in a segment", start + frame.substr(0, 6), "image/jpeg", "ends before"},
      {"a JPEG of pixels alone", start + std::string("\xDA\0\2", 3), "image/jpeg", "no JPEG frame"},
      {"a JPEG with bytes between segments", start.substr(0, 8) + "abc", "image/jpeg",
       "byte 8: a JPEG marker is missing"},
      {"a WebP cut short", std::string("RIFF\x05\0\0\0WEBP", 12), "image/webp", "ends before"},
  };
  for (const Case& c : cases) {
    GltfBuilder b = small_character();
    const auto offset = b.buffer.size();
    b.buffer += c.bytes;
    b.json["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", offset}, {"byteLength", c.bytes.size()}});
    b.json["extensionsUsed"] = {"EXT_texture_webp"};
    b.json["images"] = {{{"bufferView", b.json["bufferViews"].size() - 1}, {"mimeType", c.type}}};
    const std::vector<std::string> problems = data_problems(parse_gltf(b.glb()));
    ASSERT_EQ(problems.size(), c.problem.empty() ? 0 : 1) << c.what;
    if (c.problem.empty()) continue;
    EXPECT_TRUE(problems[0].starts_with("/images/0 ")) << c.what << ": " << problems[0];
    EXPECT_NE(problems[0].find(c.problem), std::string::npos) << c.what << ": " << problems[0];
  }
  // The type of the URI and that of the image have to be right, both.
  GltfBuilder b = small_character();
  b.json["images"] = {
      {{"uri", "data:image/jpeg;base64,/9j/wAALAQABAAEBAQEB"}, {"mimeType", "image/png"}}};
  EXPECT_EQ(data_problems(parse_gltf(b.glb())),
            std::vector<std::string>{"/images/0 is image/jpeg, but says image/png"});
}

TEST(GltfCheck, byte_order_marks_and_empty_parameters_of_data_uris_are_listed) {
  const std::string text = to_gltf_text({parse_gltf(small_character().gltf()).rig, nullptr});
  EXPECT_EQ(parse_gltf(text).rig.notes, std::vector<std::string>{});
  EXPECT_EQ(places_of(parse_gltf("\xEF\xBB\xBF" + text).rig.notes), std::vector<std::string>{"/"});
  nlohmann::json json = nlohmann::json::parse(text);
  std::string uri = json["buffers"][0]["uri"];
  uri.insert(uri.find(';'), ";");
  json["buffers"][0]["uri"] = uri;
  EXPECT_EQ(places_of(parse_gltf(json.dump()).rig.notes),
            std::vector<std::string>{"/buffers/0/uri"});
}

TEST(GltfCheck, bytes_after_the_end_of_a_glb_are_ignored) {
  EXPECT_EQ(refused_at(small_character().glb() + "a"), "");
}

TEST(GltfCheck, a_good_file_has_no_problems) {
  const Model model = parse_gltf(small_character().glb());
  EXPECT_EQ(parse_gltf(to_glb({model.rig, nullptr})).rig.notes, std::vector<std::string>{});
}

// Each is found, with its pointer, whatever else the file has; none is a reason to refuse it.
TEST(GltfCheck, problems_of_what_nothing_uses_are_listed) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"scenes": [{"nodes": [3]}]})", "/scenes/0/nodes/0"},
      {R"({"scene": 1})", "/scene"},
      {R"({"nodes": [{"mesh": 0}]})", "/nodes/0/mesh"},
      {R"({"nodes": [{"camera": 7}]})", "/nodes/0/camera"},
      {R"({"nodes": [{"children": ["a"]}]})", "/nodes/0/children/0"},
      {R"({"nodes": [{"matrix": [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1], "scale": [1, 1, 1]}]})",
       "/nodes/0"},
      {R"({"nodes": [{"rotation": [0.5, 0, 0, 0]}]})", "/nodes/0/rotation"},
      {R"({"nodes": [{"weights": [1]}]})", "/nodes/0/weights"},
      {R"({"nodes": [{"translation": [1]}]})", "/nodes/0/translation"},
      {R"({"nodes": [{"name": 1}]})", "/nodes/0/name"},
      {R"({"nodes": {}})", "/nodes"},
      {R"({"materials": ["a"]})", "/materials/0"},
      {R"({"materials": [{"alphaMode": "GLASS"}]})", "/materials/0/alphaMode"},
      {R"({"materials": [{"pbrMetallicRoughness": {"metallicFactor": 2}}]})",
       "/materials/0/pbrMetallicRoughness/metallicFactor"},
      {R"({"extensionsUsed": ["KHR_materials_ior"],
           "materials": [{"extensions": {"KHR_materials_ior": {"ior": -1}}}]})",
       "/materials/0/extensions/KHR_materials_ior/ior"},
      {R"({"extensionsUsed": ["KHR_materials_ior"],
           "nodes": [{"extensions": {"KHR_materials_ior": {}}}]})",
       "/nodes/0/extensions/KHR_materials_ior"},
      {R"({"extensionsUsed": ["a", "a"]})", "/extensionsUsed/1"},
      {R"({"extensionsUsed": ["KHR_lights_punctual"],
           "nodes": [{"extensions": {"KHR_lights_punctual": {"light": 1}}}],
           "extensions": {"KHR_lights_punctual": {"lights": [{"type": "point"}]}}})",
       "/nodes/0/extensions/KHR_lights_punctual/light"},
      {R"({"scenes": [{"nodes": [1]}], "nodes": [{"children": [1]}, {}]})", "/scenes/0/nodes/0"},
      {R"({"nodes": [{}, {}], "skins": [{"joints": [0, 1]}]})", "/skins/0/joints"},
      {R"({"nodes": [{"children": [1]}, {}], "skins": [{"joints": [0], "skeleton": 1}]})",
       "/skins/0/skeleton"},
      {R"({"cameras": [{"type": "perspective"}]})", "/cameras/0"},
      {R"({"cameras": [{"type": "perspective", "perspective": {"yfov": 1, "znear": 2, "zfar": 1}}]})",
       "/cameras/0/perspective"},
      {R"({"bufferViews": [{"buffer": 0, "byteLength": 8, "byteStride": 6}],
           "buffers": [{"byteLength": 8}]})",
       "/bufferViews/0/byteStride"},
      {R"({"meshes": [{"primitives": [{"attributes": {"POSITION": 0, "MINE": 0}}]}], "accessors":
           [{"type": "VEC3", "componentType": 5126, "count": 3, "min": [0,0,0], "max": [0,0,0]}]})",
       "/meshes/0/primitives/0/attributes/MINE"},
      {R"({"meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_1": 1}}]}],
           "accessors":
           [{"type": "VEC3", "componentType": 5126, "count": 3, "min": [0,0,0], "max": [0,0,0]},
            {"type": "VEC2", "componentType": 5126, "count": 3}]})",
       "/meshes/0/primitives/0/attributes"},
      {R"({"meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "accessors":
           [{"type": "VEC4", "componentType": 5126, "count": 3, "min": [0,0,0,0],
             "max": [0,0,0,0]}]})",
       "/meshes/0/primitives/0/attributes/POSITION"},
      {R"({"skins": [{"joints": [0]}]})", "/skins/0/joints/0"},
      {R"({"textures": [{"source": 0}]})", "/textures/0/source"},
      {R"({"materials": [{"normalTexture": {"index": 2}}]})", "/materials/0/normalTexture/index"},
      {R"({"meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]})",
       "/meshes/0/primitives/0/attributes/POSITION"},
      {R"({"meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1}}]}],
           "accessors": [{"type": "VEC3", "componentType": 5126, "count": 3, "min": [0,0,0], "max": [0,0,0]},
                         {"type": "VEC3", "componentType": 5126, "count": 4}]})",
       "/meshes/0/primitives/0/attributes/POSITION"},
      {R"({"nodes": []})", "/nodes"},
      {R"({"nodes": [{"extensions": {"A": {}}}]})", "/nodes/0/extensions/A"},
      {R"({"accessors": [{"type": "VEC3", "componentType": 5126}]})", "/accessors/0"},
      {R"({"images": [{}]})", "/images/0"},
      {R"({"accessors": [{"type": "VEC2", "componentType": 5126, "count": 3, "min": [0]}]})",
       "/accessors/0/min"},
      {R"({"accessors": [{"type": "SCALAR", "componentType": 5126, "count": 3, "bufferView": 0}],
           "bufferViews": [{"buffer": 0, "byteLength": 8}], "buffers": [{"byteLength": 8}]})",
       "/accessors/0"},
      {R"({"bufferViews": [{"buffer": 0, "byteLength": 9}], "buffers": [{"byteLength": 8}]})",
       "/bufferViews/0"},
      {R"({"animations": [{"samplers": [{"input": 0, "output": 0}],
            "channels": [{"sampler": 1, "target": {"path": "scale"}}]}],
            "accessors": [{"type": "SCALAR", "componentType": 5126, "count": 1, "min": [0], "max": [0]}]})",
       "/animations/0/channels/0/sampler"},
  };
  for (const auto& [text, place] : cases) {
    const gltf::Document document{nlohmann::json::parse(text), {}, {}};
    const std::vector<std::string> problems = gltf::problems_in(document);
    ASSERT_EQ(problems.size(), 1U) << text;
    EXPECT_EQ(problems[0].substr(0, problems[0].find(' ')), place) << text;
  }
}

TEST(GltfCheck, any_type_anywhere_is_no_more_than_a_problem) {
  for (const char* value :
       {"null", "1", "-1", "1.5", "\"a\"", "[]", "[[]]", "{}", "[{}]", "[null]"}) {
    nlohmann::json json = nlohmann::json::parse(small_character().gltf());
    for (auto& [list, items] : json.items()) {
      nlohmann::json broken = json;
      broken[list] = nlohmann::json::parse(value);
      EXPECT_NO_THROW(gltf::problems_in({broken, {}, {}})) << list << value;
      if (!items.is_array()) continue;
      for (auto& [key, unused] : items[0].items()) {
        broken = json;
        broken[list][0][key] = nlohmann::json::parse(value);
        EXPECT_NO_THROW(gltf::problems_in({broken, {}, {}})) << list << key << value;
      }
    }
  }
}

}  // namespace
}  // namespace sinew
