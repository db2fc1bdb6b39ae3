// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/obj.h"

#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "tests/support/assets.h"
#include "tests/support/input_errors.h"
#include "tests/support/mesh_samples.h"

namespace sinew {
namespace {

constexpr const char* square =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 1\n";

void expect_round_trip(const Mesh& mesh) {
  validate(mesh);
  EXPECT_EQ(read_obj(write_obj(mesh)), mesh);
}

TEST(Obj, all_four_forms_of_corners_are_read) {
  const std::string text = square;
  const Mesh plain = read_obj(text + "f 1 2 3\n");
  EXPECT_EQ(plain.triangles, (std::vector<Triangle>{{0, 1, 2}}));
  EXPECT_TRUE(plain.normals.empty());
  EXPECT_TRUE(plain.uvs.empty());
  EXPECT_EQ(read_obj(text + "f 1/1 2/2 3/3\n").uvs.values[2], (Vec2{1, 1}));
  const Mesh normals = read_obj(text + "f 1//1 2//1 3//1\n");
  EXPECT_TRUE(normals.uvs.empty());
  EXPECT_EQ(normals.normals.values.size(), 4u);
  const Mesh both = read_obj(text + "f 1/4/1 2/3/1 3/2/1\n");
  EXPECT_EQ(both.uvs.values[0], (Vec2{0, 1}));
  EXPECT_TRUE(both.uvs.per_vertex());
  EXPECT_EQ(both.normals.values[1], (Vec3{0, 0, 1}));
}

TEST(Obj, negative_indices_count_from_the_end) {
  const Mesh mesh = read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 5 5\nf -4 -3 -1\n");
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 1, 3}}));
}

TEST(Obj, a_face_may_come_before_its_vertices) {
  EXPECT_EQ(read_obj("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n").triangles.size(), 1u);
}

TEST(Obj, odd_spacing_joined_lines_and_unknown_statements_are_no_obstacle) {
  const Mesh mesh = read_obj(
      "\xef\xbb\xbf# comment\r\nmtllib a.mtl\r\n\tv  0 0 0 # origin\r\nv 1 0 \\\r\n 0\r\nv\t0 1 "
      "0\r\n"
      "s off\r\nl 1 2\r\ncurv 0 1 \\\r\n f 9 9 9\r\n\r\nf 1 2\\\r\n 3");
  EXPECT_EQ(mesh.positions[1], (Vec3{1, 0, 0}));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}}));
}

TEST(Obj, polygons_are_kept_and_cut) {
  const Mesh mesh = read_obj(std::string(square) + "f 1 2 3 4\nf 1 2 3\n");
  EXPECT_EQ(mesh.polygons.offsets, (std::vector<Index>{0, 4, 7}));
  EXPECT_EQ(mesh.triangles.size(), 3u);
}

TEST(Obj, a_seam_makes_the_layer_one_of_corners) {
  const Mesh mesh = read_obj(std::string(square) + "f 1/1 2/2 3/3\nf 1/2 3/3 4/4\n");
  EXPECT_EQ(mesh.uvs.corners, (std::vector<Index>{0, 1, 2, 1, 2, 3}));
  expect_round_trip(mesh);
}

TEST(Obj, corners_without_a_value_get_one) {
  const Mesh mesh = read_obj(std::string(square) + "f 1 2 3\nf 1/2/1 3/3/1 4/4/1\n");
  ASSERT_EQ(mesh.uvs.corners.size(), 6u);
  EXPECT_EQ(mesh.uvs.values[mesh.uvs.corners[0]], Vec2{});
  EXPECT_EQ(mesh.uvs.values[mesh.uvs.corners[3]], (Vec2{1, 0}));
  EXPECT_EQ(mesh.normals.values[1], (Vec3{0, 0, 1}));
  expect_round_trip(mesh);
}

TEST(Obj, colors_are_read_as_fractions_or_bytes) {
  EXPECT_EQ(read_obj("v 0 0 0 1 0.5 0\n").colors, (std::vector<Vec4>{{1, 0.5, 0, 1}}));
  EXPECT_EQ(read_obj("v 0 0 0 255 51 0\nv 1 1 1\n").colors,
            (std::vector<Vec4>{{1, 0.2, 0, 1}, {1, 1, 1, 1}}));
}

TEST(Obj, groups_and_materials_become_parts) {
  const Mesh mesh =
      read_obj(std::string(square) +
               "f 1 2 3\ng left arm\nusemtl skin\nf 2 3 4 1\nf 2 3 4\ng x\ng left arm\n"
               "f 2 4 3\nusemtl cloth\nf 3 4 2\n");
  ASSERT_EQ(mesh.parts.size(), 3u);
  EXPECT_EQ(mesh.parts[0].name, "");
  const Part& arm = mesh.parts[1];
  EXPECT_EQ(arm.name, "left arm");
  EXPECT_EQ(arm.material, "skin");
  EXPECT_EQ(arm.first_triangle, 1u);
  EXPECT_EQ(arm.triangle_count, 4u);
  EXPECT_EQ(arm.first_polygon, 1u);
  EXPECT_EQ(arm.polygon_count, 3u);
  EXPECT_EQ(mesh.parts[2].first_vertex, 1u);
  EXPECT_EQ(mesh.parts[2].vertex_count, 3u);
  expect_round_trip(mesh);
}

TEST(Obj, writing_and_reading_again_gives_the_same_bits) {
  for (Mesh mesh : {sample_polygons(), sample_triangles(), Mesh{}}) {
    expect_round_trip(mesh);
    add_vertex_layers(mesh);
    expect_round_trip(mesh);
  }
  Mesh points;
  points.positions = {{1, 2, 3}, {4, 5, 6}};
  add_vertex_layers(points);
  expect_round_trip(points);
}

TEST(Obj, wrong_indices_are_named_with_their_line) {
  const std::string text = square;
  EXPECT_EQ(input_error([&] { read_obj(text + "f 1 2 5\n"); }),
            "line 10: vertex 5 does not exist: the file has 4");
  const std::string form = " should look like 7, 7/2, 7//3 or 7/2/3";
  for (const auto& [line, problem] : std::initializer_list<std::pair<const char*, std::string>>{
           {"f 1 2 0", "index 0 is out of range: they begin at 1"},
           {"f 1 2 -5", "index -5 in face corner '-5' goes back before the first of 4"},
           {"f 1/9 2/1 3/1", "texture coordinate 9 does not exist: the file has 4"},
           {"f 1//2 2//1 3//1", "normal 2 does not exist: the file has 1"},
           {"f 1/ 2/ 3/", "face corner '1/'" + form},
           {"f 1 2", "a face has 2 corners; it needs three or more"},
           {"f a b c", "face corner 'a'" + form},
           {"f 1/1/1/1 2 3", "face corner '1/1/1/1'" + form},
           {"f 1// 2 3", "face corner '1//'" + form},
           {"f", "a face has 0 corners; it needs three or more"},
           {"f 1 2 99999999999", "index 99999999999 is too large"},
           {"f 1 2 4294967296", "index 4294967296 is too large"},
           {"v 1 2", "there are 2 numbers, not 3"},
           {"v 1 nan 2", "'nan' should be a finite number"},
           {"vn 1 2", "there are 2 numbers, not 3"},
           {"vt", "there are 0 numbers, not 1"},
           {"v 1 2 3x", "'3x' should be a finite number"}}) {
    EXPECT_EQ(input_error([&, line = line] { read_obj(text + line); }), "line 10: " + problem)
        << line;
  }
}

TEST(Obj, a_file_of_another_kind_is_refused_and_an_empty_one_is_an_empty_mesh) {
  EXPECT_EQ(
      input_error([] { read_obj("# made by hand\nsolid cube\nfacet normal 0 0 1\n"); }),
      "line 2: the line begins with 'solid', and the file has no vertices; is it an OBJ file?");
  EXPECT_EQ(read_obj(""), Mesh{});
  EXPECT_EQ(read_obj("# nothing\n\n"), Mesh{});
  EXPECT_EQ(read_obj("curv 0 1\nv 1 2 3\n").positions, (std::vector<Vec3>{{1, 2, 3}}));
}

TEST(Obj, malformed_files_are_refused_with_a_place) {
  expect_malformed_are_refused(
      std::string(square) + "g a\nusemtl b\nf 1/1/1 2/2/1 3/3/1 4/4/1\nf -1 -2 -3\n",
      {.cuts = 49, .bytes = 212, .numbers = 46, .after_the_end = true},
      [](std::string_view text) { validate(read_obj(text)); });
}

TEST(Obj, the_arm_is_read_whole) {
  SINEW_ASSET_OR_SKIP(path, "arm.obj");
  const Mesh mesh = read_rig(path).mesh;
  EXPECT_EQ(mesh.vertex_count(), 8311u);
  EXPECT_EQ(mesh.triangles.size(), 16618u);
  expect_round_trip(mesh);
}

}  // namespace
}  // namespace sinew
