// SPDX-License-Identifier: Apache-2.0
// glTF files made in memory, for tests.
#pragma once

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sinew {

template <class T>
constexpr int component_type_of() {
  if constexpr (std::is_same_v<T, std::int8_t>) return 5120;
  if constexpr (std::is_same_v<T, std::uint8_t>) return 5121;
  if constexpr (std::is_same_v<T, std::int16_t>) return 5122;
  if constexpr (std::is_same_v<T, std::uint16_t>) return 5123;
  if constexpr (std::is_same_v<T, std::uint32_t>) return 5125;
  return 5126;
}

inline std::string little_endian(std::size_t value) {
  std::string bytes;
  for (unsigned shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(value >> shift);
  return bytes;
}

inline std::string base64(std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k <= bytes.size() ? digits[(group >> (18 - 6 * k)) & 63U] : '=';
    }
  }
  return text;
}

// The JSON text and the binary chunk as a .glb.
inline std::string make_glb(std::string json, std::string binary) {
  json.resize((json.size() + 3) / 4 * 4, ' ');
  binary.resize((binary.size() + 3) / 4 * 4, '\0');
  std::string chunks = little_endian(json.size()) + "JSON" + json;
  if (!binary.empty()) chunks += little_endian(binary.size()) + std::string("BIN\0", 4) + binary;
  return "glTF" + little_endian(2) + little_endian(12 + chunks.size()) + chunks;
}

// Collects buffer views and accessors in one buffer; everything else is set in `json`.
struct GltfBuilder {
  nlohmann::json json = {{"asset", {{"version", "2.0"}}}};
  std::string buffer;

  int add(const char* list, nlohmann::json item) {
    json[list].push_back(std::move(item));
    return static_cast<int>(json[list].size()) - 1;
  }
  int view_of_bytes(std::string_view bytes) {
    buffer.resize((buffer.size() + 3) / 4 * 4, '\0');
    const std::size_t offset = buffer.size();
    buffer += bytes;
    return add("bufferViews",
               {{"buffer", 0}, {"byteOffset", offset}, {"byteLength", bytes.size()}});
  }
  template <class T>
  int view(const std::vector<T>& values) {
    return view_of_bytes({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }
  // Tightly packed; `components` values for each element.
  template <class T>
  int accessor(const std::vector<T>& values, const char* type, std::size_t components,
               bool normalized = false) {
    nlohmann::json item = {{"bufferView", view(values)},
                           {"componentType", component_type_of<T>()},
                           {"count", values.size() / components},
                           {"type", type}};
    if (normalized) item["normalized"] = true;
    return add("accessors", item);
  }
  int floats(const std::vector<float>& values, const char* type, std::size_t components) {
    return accessor(values, type, components);
  }

  nlohmann::json with_buffer() const {
    nlohmann::json whole = json;
    if (!buffer.empty()) whole["buffers"][0]["byteLength"] = buffer.size();
    return whole;
  }
  std::string glb() const { return make_glb(with_buffer().dump(), buffer); }
  std::string gltf() const {
    nlohmann::json whole = with_buffer();
    if (!buffer.empty()) {
      whole["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64(buffer);
    }
    return whole.dump();
  }
};

// A strip of six vertices on two joints, with normals, UVs, a blend shape and two short clips: a
// little of everything.
inline GltfBuilder small_character() {
  GltfBuilder b;
  const int positions = b.floats({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0}, "VEC3", 3);
  const int normals = b.floats({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3", 3);
  const int uvs = b.floats({0, 1, 1, 1, 0, 0.5F, 1, 0.5F, 0, 0, 1, 0}, "VEC2", 2);
  const int joints = b.accessor<std::uint8_t>(
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 4);
  const int weights =
      b.floats({1, 0, 0, 0, 1, 0, 0, 0, 0.5F, 0.5F, 0, 0, 0.5F, 0.5F, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0},
               "VEC4", 4);
  const int indices = b.accessor<std::uint16_t>({0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4}, "SCALAR", 1);
  const int binds = b.floats({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,
                              1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1},
                             "MAT4", 16);
  const int times = b.floats({0, 1}, "SCALAR", 1);
  const int turns = b.floats({0, 0, 0, 1, 0, 0, 0.70710678F, 0.70710678F}, "VEC4", 4);
  const int slopes_and_values =
      b.floats({0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 1, 0, 0, 0, 0, 0}, "VEC3", 3);
  const int shape_weights = b.floats({0, 1}, "SCALAR", 1);
  const int sparse_indices = b.view<std::uint16_t>({4, 5});
  const int sparse_values = b.view<float>({0, 0, 1, 0, 0, 1});
  const int target =
      b.add("accessors", {{"componentType", 5126},
                          {"count", 6},
                          {"type", "VEC3"},
                          {"sparse",
                           {{"count", 2},
                            {"indices", {{"bufferView", sparse_indices}, {"componentType", 5123}}},
                            {"values", {{"bufferView", sparse_values}}}}}});
  b.json["materials"] = {{{"name", "cloth"}}};
  b.json["meshes"] = {{{"name", "strip"},
                       {"weights", {0.25}},
                       {"extras", {{"targetNames", {"bulge"}}}},
                       {"primitives",
                        {{{"attributes",
                           {{"POSITION", positions},
                            {"NORMAL", normals},
                            {"TEXCOORD_0", uvs},
                            {"JOINTS_0", joints},
                            {"WEIGHTS_0", weights}}},
                          {"indices", indices},
                          {"material", 0},
                          {"targets", {{{"POSITION", target}}}}}}}}};
  b.json["nodes"] = {{{"name", "root"}, {"children", {1, 2}}},
                     {{"name", "body"}, {"mesh", 0}, {"skin", 0}},
                     {{"name", "hip"}, {"children", {3}}},
                     {{"name", "knee"}, {"translation", {0, 1, 0}}}};
  b.json["skins"] = {{{"joints", {2, 3}}, {"inverseBindMatrices", binds}}};
  b.json["scenes"] = {{{"name", "stage"}, {"nodes", {0}}}};
  b.json["scene"] = 0;
  b.json["animations"] = {
      {{"name", "bend"},
       {"samplers",
        {{{"input", times}, {"output", turns}},
         {{"input", times}, {"output", shape_weights}, {"interpolation", "STEP"}}}},
       {"channels",
        {{{"sampler", 0}, {"target", {{"node", 3}, {"path", "rotation"}}}},
         {{"sampler", 1}, {"target", {{"node", 1}, {"path", "weights"}}}}}}},
      {{"name", "slide"},
       {"samplers",
        {{{"input", times}, {"output", slopes_and_values}, {"interpolation", "CUBICSPLINE"}}}},
       {"channels", {{{"sampler", 0}, {"target", {{"node", 2}, {"path", "translation"}}}}}}}};
  b.json["extras"]["sinew"] = {
      {"version", 1},
      {"controls", {{{"name", "breath"}, {"default", 0.5}}}},
      {"drivers",
       {{{"joint", 2},
         {"follow",
          {{"property", "scale"},
           {"axis", {1, 0, 1}},
           {"control", 0},
           {"curve", {{"interpolation", "linear"}, {"times", {0, 1}}, {"values", {1, 1.5}}}}}}}}}};
  return b;
}

}  // namespace sinew
