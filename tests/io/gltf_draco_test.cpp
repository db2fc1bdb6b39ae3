// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/io/gltf.h"
#include "sinew/io/gltf/document.h"
#include "tests/support/gltf_reading.h"
#include "tests/support/sanitized.h"

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
namespace {

constexpr const char* draco_place = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression";

// The small character with its vertices compressed: the bytes stand for `vertices` vertices and
// `indices` indices, as its accessors say.
GltfBuilder with_draco(const std::string& bytes, std::size_t vertices, std::size_t indices,
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

struct Encoded {
  std::string bytes;
  nlohmann::json ids;
};

// A grid of size * size quads over two joints.
Encoded encode_grid(int size, draco::MeshEncoderMethod method) {
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
  EXPECT_TRUE(encoder.EncodeMeshToBuffer(*mesh, &buffer).ok());
  return {std::string(buffer.data(), buffer.size()),
          {{"POSITION", mesh->attribute(positions)->unique_id()},
           {"JOINTS_0", mesh->attribute(joints)->unique_id()},
           {"WEIGHTS_0", mesh->attribute(weights)->unique_id()}}};
}

class GltfDraco : public testing::TestWithParam<draco::MeshEncoderMethod> {};

TEST_P(GltfDraco, compressed_vertices_and_triangles_come_back) {
  const Encoded grid = encode_grid(4, GetParam());
  const Rig rig = parse_gltf(with_draco(grid.bytes, 25, 96, grid.ids).glb()).rig;
  ASSERT_EQ(rig.mesh.vertex_count(), 25U);
  ASSERT_EQ(rig.mesh.triangles.size(), 32U);
  double area = 0;
  for (const Triangle& t : rig.mesh.triangles) {
    const auto& p = rig.mesh.positions;
    area += cross(p[t[1]] - p[t[0]], p[t[2]] - p[t[0]]).z / 2;
  }
  EXPECT_NEAR(area, 16, 1e-9);
  for (std::size_t v = 0; v < 25; ++v) {
    ASSERT_EQ(rig.skin.weights.row(v).size(), 2U);
    EXPECT_EQ(rig.skin.weights.row(v)[0], (Influence{1, 0.75}));
    EXPECT_EQ(rig.skin.weights.row(v)[1], (Influence{0, 0.25}));
  }
}

TEST_P(GltfDraco, counts_that_differ_from_the_accessors_are_refused) {
  const Encoded grid = encode_grid(4, GetParam());
  EXPECT_EQ(place_of_gltf_error(with_draco(grid.bytes, 26, 96, grid.ids)), draco_place);
  EXPECT_EQ(place_of_gltf_error(with_draco(grid.bytes, 25, 99, grid.ids)), draco_place);
  EXPECT_NE(place_of_gltf_error(with_draco(grid.bytes, 4000000000U, 4000000000U, grid.ids)), "");
  nlohmann::json ids = grid.ids;
  ids["POSITION"] = 17;
  EXPECT_EQ(place_of_gltf_error(with_draco(grid.bytes, 25, 96, ids)),
            std::string(draco_place) + "/attributes/POSITION");
}

TEST_P(GltfDraco, a_primitive_is_stored_plainly_once_it_changes) {
  const Encoded grid = encode_grid(4, GetParam());
  GltfBuilder builder = with_draco(grid.bytes, 25, 96, grid.ids);
  builder.json["extensionsUsed"] = {"KHR_draco_mesh_compression"};
  builder.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
  Model model = parse_gltf(builder.glb());
  const nlohmann::json untouched = parse_gltf(to_glb(model)).source->json;
  EXPECT_EQ(untouched["meshes"], model.source->json["meshes"]);
  EXPECT_EQ(untouched["extensionsRequired"], model.source->json["extensionsRequired"]);

  for (Vec3& p : model.rig.mesh.positions) p.z = 2;
  const Model back = parse_gltf(to_glb(model));
  EXPECT_EQ(back.rig, model.rig);
  EXPECT_FALSE(back.source->json["meshes"][0]["primitives"][0].contains("extensions"));
  EXPECT_FALSE(back.source->json.contains("extensionsUsed"));
  EXPECT_FALSE(back.source->json.contains("extensionsRequired"));
}

TEST_P(GltfDraco, damaged_data_is_read_or_refused) {
  const Encoded grid = encode_grid(4, GetParam());
  EXPECT_EQ(place_of_gltf_error(with_draco("not draco", 25, 96, grid.ids)), draco_place);
  // A case takes 5 ms, and many times that under sanitizers: every byte would take a fifth of a
  // minute.
  const std::size_t step = sanitized ? 5 : 3;
  for (std::size_t i = 0; i < grid.bytes.size(); i += step) {
    EXPECT_NE(place_of_gltf_error(with_draco(grid.bytes.substr(0, i), 25, 96, grid.ids)), "")
        << "cut off at " << i;
    for (const int change : {1, 0x80, 0xFF}) {
      std::string bytes = grid.bytes;
      bytes[i] = static_cast<char>(bytes[i] ^ change);
      // Some changes are harmless to the eye of the decoder; none may do worse than be refused.
      try {
        parse_gltf(with_draco(bytes, 25, 96, grid.ids).glb());
      } catch (const InputError& error) {
        EXPECT_NE(error.place(), "");
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, GltfDraco,
                         testing::Values(draco::MESH_SEQUENTIAL_ENCODING,
                                         draco::MESH_EDGEBREAKER_ENCODING));

#else

TEST(GltfDraco, a_build_without_the_decoder_says_so) {
  try {
    parse_gltf(with_draco("DRACO", 25, 96, {{"POSITION", 0}}).glb());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.place(), draco_place);
    EXPECT_NE(error.problem().find("SINEW_WITH_DRACO"), std::string::npos);
  }
}

#endif

}  // namespace
}  // namespace sinew
