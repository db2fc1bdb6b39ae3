// SPDX-License-Identifier: Apache-2.0
// What functions of meshes require of their callers, and that they refuse the rest.
#include <limits>

#include "sinew/core/euler.h"
#include "sinew/geometry/surface_distance.h"
#include "sinew/geometry/winding.h"
#include "sinew/mesh/adjacency.h"
#include "sinew/mesh/polygons.h"
#include "sinew/mesh/triangle.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
const std::vector<Triangle> beyond{{0, 1, 3}};

TEST(MeshRequirements, indices_are_within_the_vertices) {
  const std::string message = "triangle 0: refers to vertex 3, but there are only 3 vertices";
  EXPECT_EQ(bad_input([] { vertex_normals(corners, beyond); }), message);
  EXPECT_EQ(bad_input([] { smallest_angle(corners, beyond); }), message);
  EXPECT_EQ(bad_input([] { winding_number_exact(corners, beyond, {}); }), message);
  EXPECT_EQ(wrong_usage([] {
              places_of(std::vector<Index>{0, 2}, 2);
            }),
            "key 1 is 2; it must be below 2");
}

TEST(MeshRequirements, polygons_have_corners_that_are_vertices) {
  std::vector<Triangle> triangles;
  EXPECT_EQ(bad_input([&] {
              triangulate_polygon(corners, std::vector<Index>{0, 1, 9}, triangles);
            }),
            "polygon: vertex 9 is out of range: there are 3 vertices");
  EXPECT_TRUE(triangles.empty());
  EXPECT_EQ(bad_input([] {
              triangulate(corners, {{0, 4}, {0, 1, 2}});
            }),
            "polygon 0: its corners 0 to 4 are not among the 3 there are");
  Mesh mesh;
  mesh.positions = corners;
  EXPECT_EQ(bad_input([&] {
              set_faces(mesh, {{0, 2, 6}, {0, 1, 0, 1, 2, 0}});
            }),
            "polygon 0: it has fewer than three corners");
  mesh.triangles = {{0, 1, 2}};
  EXPECT_EQ(wrong_usage([&] { face_corners(mesh, 1); }), "there is no face 1; there are 1");
  EXPECT_EQ(wrong_usage([&] { first_corner(mesh, 2); }), "there is no face 2; there are 1");
  EXPECT_EQ(first_corner(mesh, 1), 3u);
}

TEST(MeshRequirements, parts_and_layers_fit_the_mesh) {
  Mesh mesh;
  mesh.positions = corners;
  mesh.triangles = {{0, 1, 2}};
  mesh.parts.push_back({"", "", 0, 3, 1, 1, 0, 0});
  EXPECT_EQ(bad_input([&] { set_vertex_ranges(mesh); }),
            "part 0: its range is not within the mesh");
  mesh.parts.clear();
  mesh.uvs = {{{0, 0}}, {0, 0, 1}};
  EXPECT_EQ(bad_input([&] { split_corners(mesh); }),
            "uvs, corner 2: index 1 is out of range: there are 1 values");
}

TEST(MeshRequirements, distances_start_on_the_surface) {
  SurfaceDistance distance(corners, {{0, 1, 2}});
  EXPECT_EQ(wrong_usage([&] {
              distance.within({0, 1, 5}, {1, 0, 0}, 1);
            }),
            "there is no vertex 5 to measure from; there are 3");
  const std::string message =
      "distances are measured from a point and up to a radius, both numbers";
  EXPECT_EQ(wrong_usage([&] { distance.within({0, 1, 2}, {not_a_number, 0, 0}, 1); }), message);
  EXPECT_EQ(wrong_usage([&] { distance.within({0, 1, 2}, {1, 0, 0}, not_a_number); }), message);
}

TEST(MeshRequirements, euler_angles_have_three_places) {
  EXPECT_EQ(wrong_usage([] { euler_axis(EulerOrder::xyz, 3); }),
            "Euler angles have places 0 to 2, not 3");
}

}  // namespace
}  // namespace sinew
