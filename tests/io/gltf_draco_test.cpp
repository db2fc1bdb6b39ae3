// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/io/gltf.h"
#include "sinew/io/gltf/document.h"
#include "tests/support/draco_grid.h"
#include "tests/support/gltf_reading.h"
#include "tests/support/sanitized.h"

namespace sinew {
namespace {

constexpr const char* draco_place = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression";

#ifdef SINEW_WITH_DRACO

class GltfDraco : public testing::TestWithParam<draco::MeshEncoderMethod> {};

TEST_P(GltfDraco, compressed_vertices_and_triangles_come_back) {
  const EncodedGrid grid = encode_grid(4, GetParam());
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
  const EncodedGrid grid = encode_grid(4, GetParam());
  EXPECT_EQ(place_of_gltf_error(with_draco(grid.bytes, 26, 96, grid.ids)), draco_place);
  EXPECT_EQ(place_of_gltf_error(with_draco(grid.bytes, 25, 99, grid.ids)), draco_place);
  EXPECT_NE(place_of_gltf_error(with_draco(grid.bytes, 4000000000U, 4000000000U, grid.ids)), "");
  nlohmann::json ids = grid.ids;
  ids["POSITION"] = 17;
  EXPECT_EQ(place_of_gltf_error(with_draco(grid.bytes, 25, 96, ids)),
            std::string(draco_place) + "/attributes/POSITION");
}

TEST_P(GltfDraco, a_primitive_is_stored_plainly_once_it_changes) {
  const EncodedGrid grid = encode_grid(4, GetParam());
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
  const EncodedGrid grid = encode_grid(4, GetParam());
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
