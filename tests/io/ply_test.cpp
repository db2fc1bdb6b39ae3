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
  for (const auto& [format, list] :
       {std::pair{"ascii", "line 10: a list cannot have 4000000000 entries here"},
        {"binary_little_endian", "byte 169: a list cannot have 808464436 entries here"}}) {
    const std::string start = "ply\nformat " + std::string(format) + " 1.0\n";
    EXPECT_EQ(input_error([&] {
                read_ply(start + "element vertex 4000000000\n" + xyz + "end_header\n0 0 0\n");
              }),
              "line 3: the file is too short for 4000000000 times 'vertex': is it cut off?");
    EXPECT_EQ(input_error([&] {
                read_ply(start + "element vertex 0\n" + xyz +
                         "element face 1\nproperty list uint uint vertex_indices\nend_header\n"
                         "4000000000 99999");
              }),
              list);
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
  const auto refused = [](const std::string& header) {
    return input_error([&] { read_ply(header + "end_header\n0\n"); });
  };
  const std::string ascii = "ply\nformat ascii 1.0\n";
  EXPECT_EQ(refused("plx\n"), "line 1: a PLY file begins with a line 'ply'");
  EXPECT_EQ(refused("ply\n"), "line 2: the header has no line 'format'");
  EXPECT_EQ(refused(ascii + "property float x\n"), "line 3: the property belongs to no element");
  EXPECT_EQ(refused(ascii), "line 4: the file has no element vertex");
  EXPECT_EQ(refused("ply\nformat utf8 1.0\n"), "line 2: 'utf8' is not a PLY format");
  EXPECT_EQ(refused(ascii + "element vertex 1\nproperty float x\n"),
            "line 3: the vertices have no x, y and z");
  EXPECT_EQ(refused(ascii + "element vertex 1\nproperty quad x\n"),
            "line 4: 'quad' is not a number type");
  EXPECT_EQ(refused(ascii + "element face 1\nproperty list float int vertex_index\n"),
            "line 4: a list's length should be an integer");
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
  const auto read = [](std::string_view bytes) { validate(read_ply(bytes)); };
  expect_malformed_are_refused(write_ply(mesh, PlyFormat::text),
                               {.cuts = 1, .bytes = 898, .numbers = 102, .after_the_end = true},
                               read);
  expect_malformed_are_refused(write_ply(mesh, PlyFormat::little_endian),
                               {.bytes = 3552, .numbers = 6, .after_the_end = true}, read);
  expect_malformed_are_refused(write_ply(mesh, PlyFormat::big_endian),
                               {.bytes = 3544, .numbers = 6, .after_the_end = true}, read);
}

}  // namespace
}  // namespace sinew
