// SPDX-License-Identifier: Apache-2.0
// glTF files whose vertices are compressed by Draco.
#pragma once

#include <array>
#include <stdexcept>
#include <string>

#include "tests/support/gltf_builder.h"

#ifdef SINEW_WITH_DRACO
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <draco/compression/encode.h>
#include <draco/mesh/triangle_soup_mesh_builder.h>
#pragma GCC diagnostic pop
#endif

namespace sinew {

// The small character with its vertices compressed: the bytes stand for `vertices` vertices and
// `indices` indices, as its accessors say.
inline GltfBuilder with_draco(const std::string& bytes, std::size_t vertices, std::size_t indices,
                              const nlohmann::json& ids) {
  GltfBuilder b = small_character();
  auto& primitive = b.json["meshes"][0]["primitives"][0];
  primitive.erase("targets");
  b.json["meshes"][0].erase("weights");
  b.json.erase("animations");
  primitive["extensions"]["KHR_draco_mesh_compression"] = {{"bufferView", b.view_of_bytes(bytes)},
                                                           {"attributes", ids}};
  for (const char* name : {"NORMAL", "TEXCOORD_0"}) primitive["attributes"].erase(name);
  for (const auto& [name, accessor] : primitive["attributes"].items()) {
    auto& item = b.json["accessors"][accessor.get<std::size_t>()];
    item.erase("bufferView");
    item["count"] = vertices;
    if (name == "POSITION") item.update({{"min", {0, 0, 0}}, {"max", {4, 4, 0}}});
  }
  auto& index = b.json["accessors"][primitive["indices"].get<std::size_t>()];
  index.erase("bufferView");
  index["count"] = indices;
  return b;
}

#ifdef SINEW_WITH_DRACO

struct EncodedGrid {
  std::string bytes;
  nlohmann::json ids;
};

// A grid of size * size quads over two joints.
inline EncodedGrid encode_grid(int size, draco::MeshEncoderMethod method) {
  draco::TriangleSoupMeshBuilder builder;
  builder.Start(2 * size * size);
  const int positions =
      builder.AddAttribute(draco::GeometryAttribute::POSITION, 3, draco::DT_FLOAT32);
  const int joints = builder.AddAttribute(draco::GeometryAttribute::GENERIC, 4, draco::DT_UINT8);
  const int weights = builder.AddAttribute(draco::GeometryAttribute::GENERIC, 4, draco::DT_FLOAT32);
  int face = 0;
  const auto add = [&](int x, int y, const std::array<std::array<int, 2>, 3>& steps) {
    std::array<std::array<float, 3>, 3> p{};
    std::array<std::array<std::uint8_t, 4>, 3> j{};
    std::array<std::array<float, 4>, 3> w{};
    for (std::size_t k = 0; k < 3; ++k) {
      p[k] = {static_cast<float>(x + steps[k][0]), static_cast<float>(y + steps[k][1]), 0};
      j[k] = {1, 0, 0, 0};
      w[k] = {0.75F, 0.25F, 0, 0};
    }
    const draco::FaceIndex f(static_cast<std::uint32_t>(face++));
    builder.SetAttributeValuesForFace(positions, f, &p[0], &p[1], &p[2]);
    builder.SetAttributeValuesForFace(joints, f, &j[0], &j[1], &j[2]);
    builder.SetAttributeValuesForFace(weights, f, &w[0], &w[1], &w[2]);
  };
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      add(x, y, {{{0, 0}, {1, 0}, {1, 1}}});
      add(x, y, {{{0, 0}, {1, 1}, {0, 1}}});
    }
  }
  const std::unique_ptr<draco::Mesh> mesh = builder.Finalize();
  draco::Encoder encoder;
  encoder.SetEncodingMethod(method);
  draco::EncoderBuffer buffer;
  if (!encoder.EncodeMeshToBuffer(*mesh, &buffer).ok())
    throw std::runtime_error("Draco cannot encode");
  return {std::string(buffer.data(), buffer.size()),
          {{"POSITION", mesh->attribute(positions)->unique_id()},
           {"JOINTS_0", mesh->attribute(joints)->unique_id()},
           {"WEIGHTS_0", mesh->attribute(weights)->unique_id()}}};
}

#endif

}  // namespace sinew
