// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/medit.h"

#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "tests/support/assets.h"
#include "tests/support/input_errors.h"
#include "tests/support/mesh_samples.h"

namespace sinew {
namespace {

constexpr const char* two_tetrahedra =
    "MeshVersionFormatted 1\nDimension\n3\nTetrahedra 2\n1 2 3 4 7\n2 4 3 5 7\n"
    "Vertices 5\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\n1 1 1 1\nEdges 1\n1 2 9\nEnd\n";

double volume(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles) {
  double sum = 0;
  for (const auto& [a, b, c] : triangles) {
    sum += dot(positions[a], cross(positions[b], positions[c])) / 6;
  }
  return sum;
}

TEST(Medit, sections_come_in_any_order_and_unknown_ones_are_skipped) {
  const Mesh mesh = read_medit(
      "MeshVersionFormatted 2 # comment\r\nDimension 3\r\nQuadrilaterals\r\n1\r\n1 2 3 4 0\r\n"
      "RequiredVertices 2\r\n1\r\n2\r\nTriangles 1\r\n1 2 4 5\r\nVertices 4\r\n"
      "0 0 0 0\r\n1 0 0 0\r\n1 1 0 0\r\n0 1 0 0");
  EXPECT_EQ(mesh.vertex_count(), 4u);
  EXPECT_EQ(mesh.polygons.offsets, (std::vector<Index>{0, 3, 7}));
  EXPECT_EQ(mesh.polygons.indices, (std::vector<Index>{0, 1, 3, 0, 1, 2, 3}));
}

TEST(Medit, tetrahedra_alone_get_their_surface_facing_outwards) {
  const Mesh mesh = read_medit(two_tetrahedra);
  EXPECT_EQ(mesh.tetrahedra, (std::vector<Tetrahedron>{{0, 1, 2, 3}, {1, 3, 2, 4}}));
  EXPECT_EQ(mesh.triangles.size(), 6u);
  EXPECT_NEAR(volume(mesh.positions, mesh.triangles), 1.0 / 6 + 1.0 / 3, 1e-15);
}

TEST(Medit, the_surface_faces_outwards_whichever_way_tetrahedra_turn) {
  const Mesh mesh = sample_triangles();
  std::vector<Vec3> positions = mesh.positions;
  positions[3] = {0, 0, 1};
  for (const Tetrahedron& t : {Tetrahedron{0, 1, 2, 3}, Tetrahedron{1, 0, 2, 3}}) {
    EXPECT_GT(volume(positions, boundary_triangles(positions, {t})), 0);
  }
}

TEST(Medit, writing_and_reading_again_gives_the_same_bits) {
  for (const Mesh& mesh : {sample_triangles(), Mesh{}, read_medit(two_tetrahedra)}) {
    EXPECT_EQ(read_medit(write_medit(mesh)), mesh);
  }
  const Mesh sorted = read_medit(write_medit(sample_polygons()));
  EXPECT_EQ(sorted.polygons.size(), 7u);
  EXPECT_EQ(read_medit(write_medit(sorted)), sorted);
}

TEST(Medit, counts_that_the_file_is_too_short_for_are_refused_at_once) {
  for (const auto& [section, things] : {std::pair{"Vertices", "vertices"},
                                        {"Triangles", "triangles"},
                                        {"Quadrilaterals", "quadrilaterals"},
                                        {"Tetrahedra", "tetrahedra"}}) {
    const std::string text = std::string("MeshVersionFormatted 1\n") + section;
    EXPECT_EQ(input_error([&] { read_medit(text + " 4000000000\n0 0 0 0\n"); }),
              "line 2: the number of " + std::string(things) +
                  " is 4000000000, but the file is too short for that: is it cut off?");
  }
}

TEST(Medit, wrong_indices_are_named_with_their_line) {
  EXPECT_EQ(input_error([] {
              read_medit("MeshVersionFormatted 1\nTriangles 1\n1 1 2 0\nVertices 1\n0 0 0 0\n");
            }),
            "line 3: vertex 2 does not exist: the file has 1");
  EXPECT_EQ(input_error([] { read_medit("MeshVersionFormatted 1\nTriangles 1\n1 1 0 0\n"); }),
            "line 3: index 0 is out of range: they begin at 1");
  EXPECT_EQ(input_error([] { read_medit("MeshVersionFormatted 1\nDimension 4\n"); }),
            "line 2: the dimension should be 2 or 3");
  EXPECT_EQ(input_error([] { read_medit("MeshVersionFormatted 1\nDimension 3\nEnd\n"); }),
            "line 3: the file has no Vertices");
}

TEST(Medit, malformed_files_are_refused_with_a_place) {
  const auto read = [](std::string_view bytes) { validate(read_medit(bytes)); };
  expect_malformed_are_refused(
      two_tetrahedra, {.cuts = 19, .bytes = 416, .numbers = 74, .after_the_end = true}, read);
  expect_malformed_are_refused(write_medit(sample_polygons()),
                               {.cuts = 30, .bytes = 1118, .numbers = 92, .after_the_end = true},
                               read);
}

TEST(Medit, the_hand_is_read_whole) {
  SINEW_ASSET_OR_SKIP(path, "hand.mesh");
  Mesh mesh = read_rig(path).mesh;
  EXPECT_EQ(mesh.vertex_count(), 7234u);
  EXPECT_EQ(mesh.triangles.size(), 9556u);
  EXPECT_EQ(mesh.tetrahedra.size(), 29998u);
  validate(mesh);
  // Its triangles are the surface of its tetrahedra, so both enclose the same volume.
  const double enclosed = volume(mesh.positions, mesh.triangles);
  const auto derived = boundary_triangles(mesh.positions, mesh.tetrahedra);
  EXPECT_EQ(derived.size(), mesh.triangles.size());
  EXPECT_NEAR(volume(mesh.positions, derived), std::fabs(enclosed), 1e-9 * std::fabs(enclosed));
}

}  // namespace
}  // namespace sinew
