// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/blend_shapes.h"

#include <gtest/gtest.h>

#include "tests/support/refusals.h"

namespace sinew {
namespace {

// Three vertices with normals and tangents; a shape of all of them, and one of the last alone.
Mesh shaped_triangle() {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}};
  mesh.normals.values.assign(3, {0, 0, 1});
  mesh.tangents.assign(3, {1, 0, 0, -1});
  mesh.shapes.resize(2);
  mesh.shapes[0].positions = {{0, 0, 1}, {0, 0, 2}, {0, 0, 4}};
  mesh.shapes[0].normals = {{3, 0, 3}, {0, 0, 0}, {0, 0, -1}};
  mesh.shapes[0].tangents = {{0, 0, 2}, {0, 0, 0}, {0, 0, 0}};
  mesh.shapes[1].vertices = {2};
  mesh.shapes[1].positions = {{8, 0, 0}};
  return mesh;
}

TEST(BlendShapes, add_their_share_of_each_delta_where_it_belongs) {
  const Mesh mesh = shaped_triangle();
  const ShapedMesh shaped = blend_shapes(mesh, std::vector<double>{0.5, 0.25});
  EXPECT_EQ(shaped.positions, (std::vector<Vec3>{{0, 0, 0.5}, {1, 0, 1}, {2, 1, 2}}));
  EXPECT_EQ(shaped.tangents[0], (Vec4{1, 0, 1, -1}));
  EXPECT_EQ(shaped.tangents[1], (Vec4{1, 0, 0, -1}));
}

TEST(BlendShapes, leave_normals_of_unit_length) {
  const Mesh mesh = shaped_triangle();
  const ShapedMesh shaped = blend_shapes(mesh, std::vector<double>{1});
  EXPECT_LT(distance(shaped.normals[0], Vec3{0.6, 0, 0.8}), 1e-15);
  EXPECT_EQ(shaped.normals[1], (Vec3{0, 0, 1}));
  EXPECT_EQ(shaped.normals[2], (Vec3{0, 0, 1})) << "where the deltas leave none";
}

TEST(BlendShapes, missing_weights_are_none_and_more_than_shapes_are_refused) {
  const Mesh mesh = shaped_triangle();
  EXPECT_EQ(blend_shapes(mesh, {}).positions, mesh.positions);
  EXPECT_EQ(wrong_usage([&] { blend_shapes(mesh, std::vector<double>(3)); }),
            "3 weights for 2 blend shapes");
}

}  // namespace
}  // namespace sinew
