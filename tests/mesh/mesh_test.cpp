// SPDX-License-Identifier: Apache-2.0
#include "sinew/mesh/mesh.h"

#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "sinew/io/obj.h"
#include "sinew/mesh/polygons.h"
#include "tests/support/input_errors.h"
#include "tests/support/mesh_samples.h"

namespace sinew {
namespace {

TEST(Mesh, the_bounding_box_holds_all_points) {
  const Box box = bounding_box({{1, 5, -2}, {-1, 7, 0}, {0, 6, 3}});
  EXPECT_EQ(box.low, (Vec3{-1, 5, -2}));
  EXPECT_EQ(box.high, (Vec3{1, 7, 3}));
  EXPECT_EQ(bounding_box({}).low, Vec3{});
}

TEST(Mesh, normals_of_a_cube_point_along_its_diagonals) {
  Mesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.positions.push_back({double(i & 1), double(i >> 1 & 1), double(i >> 2 & 1)});
  }
  set_faces(mesh, {{0, 4, 8, 12, 16, 20, 24},
                   {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5}});
  const auto normals = vertex_normals(mesh.positions, mesh.triangles);
  for (std::size_t v = 0; v < 8; ++v) {
    const Vec3 outwards = normalized(mesh.positions[v] - Vec3{0.5, 0.5, 0.5});
    EXPECT_NEAR(dot(normals[v], outwards), 1, 1e-15);
  }
}

TEST(Mesh, normals_do_not_depend_on_size_and_are_up_where_there_is_no_area) {
  for (const double s : {1e-200, 1.0, 1e200}) {
    const auto normals =
        vertex_normals({{0, 0, 0}, {0, s, 0}, {0, 0, s}, {7, 7, 7}}, {{0, 1, 2}, {3, 3, 0}});
    EXPECT_EQ(normals[1], (Vec3{1, 0, 0}));
    EXPECT_EQ(normals[3], (Vec3{0, 0, 1}));
  }
}

TEST(Mesh, each_broken_rule_is_named) {
  Mesh valid = sample_polygons();
  add_vertex_layers(valid);
  valid.parts = {{"a", "", 0, 9, 0, 13, 0, 7}};
  valid.shapes = {{"s", {1, 3}, {{}, {}}, {}, {}, 0}};
  EXPECT_EQ(input_error([&] { validate(valid); }), "");
  const std::pair<std::function<void(Mesh&)>, const char*> breaks[] = {
      {[](Mesh& m) { m.positions[3].y = std::numeric_limits<double>::quiet_NaN(); },
       "vertex 3: its position is not finite"},
      {[](Mesh& m) { m.triangles[2][1] = 9; },
       "triangle 2: vertex 9 is out of range: there are 9 vertices"},
      {[](Mesh& m) { m.triangles.pop_back(); },
       "triangles: there are 12, but cutting the polygons gives 13"},
      {[](Mesh& m) { m.polygons.indices[5] = 100; },
       "polygon 1: vertex 100 is out of range: there are 9 vertices"},
      {[](Mesh& m) { m.polygons.offsets[1] = 2; }, "polygon 0: it has fewer than three corners"},
      {[](Mesh& m) { m.polygons.offsets[1] = 4000000000; },
       "polygon 0: it has fewer than three corners"},
      {[](Mesh& m) { m.polygons.offsets.back() -= 1; },
       "polygons: the offsets must begin with 0 and end with the number of indices"},
      {[](Mesh& m) { m.polygons.offsets.clear(); }, "polygons: there are indices but no offsets"},
      {[](Mesh& m) {
         m.tetrahedra.push_back({0, 1, 2, 9});
       },
       "tetrahedron 0: vertex 9 is out of range: there are 9 vertices"},
      {[](Mesh& m) { m.normals.values.pop_back(); },
       "normals: 8 values for 9 vertices; give one each"},
      {[](Mesh& m) { m.normals.values[0].x = INFINITY; }, "vertex 0: its normal is not finite"},
      {[](Mesh& m) {
         m.uvs.corners = {0, 1};
       },
       "uvs: 2 indices for 27 face corners; give one each"},
      {[](Mesh& m) { m.uvs.corners.assign(27, 50); },
       "uvs, corner 0: index 50 is out of range: there are 9 values"},
      {[](Mesh& m) { m.tangents.resize(3); }, "tangents: 3 values for 9 vertices; give one each"},
      {[](Mesh& m) { m.colors[2].w = NAN; }, "vertex 2: its color is not finite"},
      {[](Mesh& m) { m.parts[0].triangle_count = 14; }, "part 0: its range is not within the mesh"},
      {[](Mesh& m) { m.parts[0].vertex_count = 4; },
       "part 0: triangle 2 uses vertex 4 outside of the part's range"},
      {[](Mesh& m) { m.parts[0].first_polygon = 4294967295u; },
       "part 0: its range is not within the mesh"},
      {[](Mesh& m) {
         m.shapes[0].vertices = {3, 1};
       },
       "shape 0: its vertex list is not ascending or out of range at 1"},
      {[](Mesh& m) {
         m.shapes[0].vertices = {3, 9};
       },
       "shape 0: its vertex list is not ascending or out of range at 9"},
      {[](Mesh& m) { m.shapes[0].vertices.clear(); },
       "shape 0: 2 deltas for 9 vertices; give one each, or say which"},
      {[](Mesh& m) { m.shapes[0].normals.resize(1); },
       "shape 0: its arrays have different lengths"},
      {[](Mesh& m) { m.shapes[0].positions[1].z = NAN; }, "shape 0, delta 1: it is not finite"},
  };
  for (const auto& [change, message] : breaks) {
    Mesh mesh = valid;
    change(mesh);
    EXPECT_EQ(input_error([&] { validate(mesh); }), message);
  }
}

constexpr const char* seam =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 9 9 9\nv 1 2 0\nv 0 2 0\nvt 0 0\nvt 1 0\nvt 0 0\nvt 2 "
    "0\n"
    "g a\nf 1/1 2/1 3/2 4/1\ng b\nf 4/3 3/4 6/1 7/1\n";

TEST(Mesh, splitting_gives_each_corner_its_value) {
  Mesh mesh = read_obj(seam);
  mesh.colors.assign(7, {0, 0, 0, 1});
  mesh.colors[2] = {1, 0, 0, 1};
  mesh.shapes = {{"all", {}, std::vector<Vec3>(7, Vec3{0, 0, 1}), {}, {}, 0},
                 {"one", {2}, {{5, 0, 0}}, {}, {}, 0}};
  const auto [split, source] = split_corners(mesh);
  validate(split);
  // Vertex 2 has two values. Vertex 3 has two indices of the same value.
  ASSERT_EQ(source, (std::vector<Index>{0, 1, 2, 3, 4, 5, 6, 2}));
  ASSERT_TRUE(split.uvs.per_vertex());
  for (std::size_t c = 0; c < mesh.polygons.indices.size(); ++c) {
    const Index v = split.polygons.indices[c];
    EXPECT_EQ(source[v], mesh.polygons.indices[c]);
    EXPECT_EQ(split.uvs.values[v], mesh.uvs.values[mesh.uvs.corners[c]]);
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(source[split.triangles[t][k]], mesh.triangles[t][k]);
    }
  }
  EXPECT_EQ(split.triangles, triangulate(split.positions, split.polygons));
  EXPECT_EQ(split.colors[7], (Vec4{1, 0, 0, 1}));
  EXPECT_EQ(split.shapes[0].positions.size(), 8u);
  EXPECT_EQ(split.shapes[1].vertices, (std::vector<Index>{2, 7}));
  EXPECT_EQ(split.shapes[1].positions[1], (Vec3{5, 0, 0}));
  EXPECT_EQ(split.parts[1].first_vertex, 3u);
  EXPECT_EQ(split.parts[1].vertex_count, 5u);
}

TEST(Mesh, splitting_changes_nothing_where_all_is_per_vertex) {
  Mesh mesh = sample_polygons();
  add_vertex_layers(mesh);
  EXPECT_EQ(split_corners(mesh).mesh, mesh);
}

TEST(Mesh, a_vertex_with_very_many_values_is_split_in_a_moment) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  for (Index i = 0; i < 200000; ++i) {
    mesh.triangles.push_back({0, 1, 2});
    mesh.uvs.values.push_back({double(i), 0});
    for (int k = 0; k < 3; ++k) mesh.uvs.corners.push_back(i);
  }
  EXPECT_EQ(split_corners(mesh).mesh.vertex_count(), 600000u);
}

}  // namespace
}  // namespace sinew
