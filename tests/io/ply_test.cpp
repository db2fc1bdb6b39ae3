// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/ply.h"

#include <gtest/gtest.h>

#include "sinew/core/internal/binary.h"
#include "tests/support/input_errors.h"
#include "tests/support/mesh_samples.h"

namespace sinew {
namespace {

constexpr PlyFormat formats[] = {PlyFormat::text, PlyFormat::little_endian, PlyFormat::big_endian};

TEST(Ply, properties_come_in_any_order_and_unknown_ones_are_skipped) {
  const Mesh mesh = read_ply(
      "ply\r\nformat ascii 1.0\r\ncomment made by hand\r\nobj_info 5\r\n"
      "element material 1\r\nproperty list int float values\r\n"
      "element face 1\r\nproperty uchar flags\r\nproperty list uchar int vertex_index\r\n"
      "element vertex 3\r\nproperty uchar red\r\nproperty float z\r\nproperty double y\r\n"
      "property list uchar short extra\r\nproperty uchar green\r\nproperty float x\r\n"
      "property uchar blue\r\nproperty float confidence\r\nproperty float texture_u\r\n"
      "property float texture_v\r\nproperty float x\r\nend_header\r\n"
      "2 0.5 nan\r\n7 3 0 1 2\r\n"
      "255 3 2 0 51 1 0 nan 0.5 1 99\r\n0 0 0 2 4 4 0 1 0 0 0 0 99\r\n0 0 1 0 0 0 0 0 0 0 99\r\n");
  EXPECT_EQ(mesh.positions, (std::vector<Vec3>{{1, 2, 3}, {1, 0, 0}, {0, 1, 0}}));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}}));
  EXPECT_EQ(mesh.colors[0], (Vec4{1, 0.2, 0, 1}));
  EXPECT_EQ(mesh.uvs.values[0], (Vec2{0.5, 1}));
}

TEST(Ply, binary_numbers_are_read_in_their_order_of_bytes) {
  for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
    std::string bytes = "ply\nformat ";
    bytes += order == ByteOrder::little ? "binary_little_endian" : "binary_big_endian";
    bytes +=
        " 1.0\nelement vertex 3\nproperty short x\nproperty float y\nproperty int z\n"
        "element face 1\nproperty list ushort uint vertex_indices\nend_header\n";
    for (int i = 0; i < 3; ++i) {
      store(bytes, static_cast<std::int16_t>(-300 * i), order);
      store(bytes, 0.5f * float(i), order);
      store(bytes, 70000 * i, order);
    }
    store(bytes, std::uint16_t{3}, order);
    for (std::uint32_t i = 0; i < 3; ++i) store(bytes, i, order);
    const Mesh mesh = read_ply(bytes);
    EXPECT_EQ(mesh.positions[2], (Vec3{-600, 1, 140000}));
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}}));
  }
}

TEST(Ply, writing_and_reading_again_gives_the_same_bits) {
  for (const PlyFormat format : formats) {
    for (Mesh mesh : {sample_polygons(), sample_triangles(), Mesh{}}) {
      EXPECT_EQ(read_ply(write_ply(mesh, format)), mesh);
      add_vertex_layers(mesh);
      EXPECT_EQ(read_ply(write_ply(mesh, format)), mesh);
      for (Vec4& color : mesh.colors) color = {1, 51 / 255.0, 7 / 255.0, 0};
      const std::string bytes = write_ply(mesh, format);
      if (!mesh.colors.empty()) {
        EXPECT_NE(bytes.find("uchar red"), std::string::npos);
      }
      EXPECT_EQ(read_ply(bytes), mesh);
    }
  }
}

TEST(Ply, faces_of_many_corners_survive) {
  Mesh mesh;
  Polygons faces{{0, 300}, {}};
  for (Index i = 0; i < 300; ++i) {
    mesh.positions.push_back({std::cos(i / 50.0), std::sin(i / 50.0), 0});
    faces.indices.push_back(i);
  }
  set_faces(mesh, faces);
  for (const PlyFormat format : formats) EXPECT_EQ(read_ply(write_ply(mesh, format)), mesh);
}

TEST(Ply, counts_that_the_file_is_too_short_for_are_refused_at_once) {
  const std::string xyz = "property float x\nproperty float y\nproperty float z\n";
  for (const std::string format : {"ascii", "binary_little_endian"}) {
    const std::string start = "ply\nformat " + format + " 1.0\n";
    EXPECT_NE(input_error([&] {
                read_ply(start + "element vertex 4000000000\n" + xyz + "end_header\n0 0 0\n");
              }),
              "");
    EXPECT_NE(input_error([&] {
                read_ply(start + "element vertex 0\n" + xyz +
                         "element face 1\nproperty list uint uint vertex_indices\nend_header\n"
                         "4000000000 99999");
              }),
              "");
    EXPECT_EQ(input_error([&] {
                read_ply(start + "element vertex 0\n" + xyz +
                         "element nothing 4000000000000000\nend_header\n");
              }),
              "");
  }
}

TEST(Ply, a_broken_header_is_named_with_its_line) {
  EXPECT_EQ(input_error([] { read_ply("ply\nformat ascii 1.0\nelement vertex -1\n"); }),
            "line 3: the element should have a name and a number, not '-1'");
  for (const char* header :
       {"plx\n", "ply\nend_header\n", "ply\nformat ascii 1.0\nproperty float x\nend_header\n",
        "ply\nformat ascii 1.0\nend_header\n", "ply\nformat utf8 1.0\nend_header\n",
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n",
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\nend_header\n0\n",
        "ply\nformat ascii 1.0\nelement face 1\nproperty list float int "
        "vertex_index\nend_header\n"}) {
    EXPECT_NE(input_error([&] { read_ply(header); }), "") << header;
  }
}

TEST(Ply, infinite_coordinates_are_named_with_their_byte) {
  std::string bytes =
      "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
      "property float z\nend_header\n";
  const std::size_t start = bytes.size();
  for (const float value : {0.0f, INFINITY, 0.0f}) store(bytes, value, ByteOrder::little);
  EXPECT_EQ(input_error([&] { read_ply(bytes); }),
            "byte " + std::to_string(start + 4) + ": the value is not finite");
}

TEST(Ply, malformed_files_are_refused_with_a_place) {
  Mesh mesh = sample_triangles();
  add_vertex_layers(mesh);
  for (const PlyFormat format : formats) {
    expect_malformed_are_refused(write_ply(mesh, format),
                                 [](std::string_view bytes) { validate(read_ply(bytes)); });
  }
}

}  // namespace
}  // namespace sinew
