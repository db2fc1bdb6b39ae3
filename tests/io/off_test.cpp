// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/off.h"

#include <gtest/gtest.h>

#include "tests/support/input_errors.h"
#include "tests/support/mesh_samples.h"

namespace sinew {
namespace {

TEST(Off, comments_colors_of_faces_and_missing_first_words_are_no_obstacle) {
  const char* body = "3 1 0 # counts\n\n0 0 0\n1 0 0\n# between\n0 1 0\n3 0 1 2 255 0 0\n";
  const Mesh mesh = read_off(std::string("OFF\r\n") + body);
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}}));
  EXPECT_EQ(mesh.positions[2], (Vec3{0, 1, 0}));
  EXPECT_EQ(read_off(std::string("OFF ") + body), mesh);
  EXPECT_EQ(read_off(body), mesh);
}

TEST(Off, letters_before_the_name_say_what_vertices_have) {
  const Mesh mesh = read_off("STCNOFF\n1 0 0\n1 2 3 0 0 1 255 0 51 255 0.5 0.25\n");
  EXPECT_EQ(mesh.normals.values, (std::vector<Vec3>{{0, 0, 1}}));
  EXPECT_EQ(mesh.colors, (std::vector<Vec4>{{1, 0, 0.2, 1}}));
  EXPECT_EQ(mesh.uvs.values, (std::vector<Vec2>{{0.5, 0.25}}));
  EXPECT_EQ(read_off("COFF\n1 0 0\n1 2 3 0.5 0 1\n").colors, (std::vector<Vec4>{{0.5, 0, 1, 1}}));
}

TEST(Off, writing_and_reading_again_gives_the_same_bits) {
  for (Mesh mesh : {sample_polygons(), sample_triangles(), Mesh{}}) {
    EXPECT_EQ(read_off(write_off(mesh)), mesh);
    add_vertex_layers(mesh);
    EXPECT_EQ(read_off(write_off(mesh)), mesh);
  }
}

TEST(Off, counts_that_the_file_is_too_short_for_are_refused_at_once) {
  EXPECT_EQ(input_error([] { read_off("OFF\n4000000000 0 0\n0 0 0\n"); }),
            "line 2: the number of vertices is 4000000000, but the file is too short for that: is "
            "it cut off?");
  EXPECT_EQ(input_error([] { read_off("OFF\n1 4000000000 0\n0 0 0\n"); }),
            "line 2: the number of faces is 4000000000, but the file is too short for that: is it "
            "cut off?");
  EXPECT_EQ(input_error([] { read_off("OFF\n1 1 0\n0 0 0\n4000000000 0 0 0\n"); }),
            "line 4: the number of corners is 4000000000, but the file is too short for that: is "
            "it cut off?");
}

TEST(Off, wrong_faces_are_named_with_their_line) {
  EXPECT_EQ(input_error([] { read_off("OFF\n1 1 0\n0 0 0\n3 0 0 1\n"); }),
            "line 4: vertex 1 does not exist: the file has 1");
  EXPECT_EQ(input_error([] { read_off("OFF\n1 1 0\n0 0 0\n3 0 0 -1\n"); }),
            "line 4: index -1 is out of range: they begin at 0");
  EXPECT_EQ(input_error([] { read_off("OFF\n1 1 0\n0 0 0\n2 0 0\n   \n"); }),
            "line 4: a face has 2 corners; it needs three or more");
  EXPECT_EQ(input_error([] { read_off("OFF BINARY\n"); }),
            "line 1: binary OFF is not supported; save it as text");
}

TEST(Off, malformed_files_are_refused_with_a_place) {
  Mesh mesh = sample_polygons();
  const auto read = [](std::string_view text) { validate(read_off(text)); };
  expect_malformed_are_refused(
      write_off(mesh), {.cuts = 1, .bytes = 699, .numbers = 60, .after_the_end = true}, read);
  add_vertex_layers(mesh);
  expect_malformed_are_refused(
      write_off(mesh), {.cuts = 1, .bytes = 3573, .numbers = 222, .after_the_end = true}, read);
}

}  // namespace
}  // namespace sinew
