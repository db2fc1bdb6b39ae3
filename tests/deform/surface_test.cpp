// SPDX-License-Identifier: Apache-2.0
// Blend shapes, and normals under deformation.
#include <gtest/gtest.h>

#include "sinew/deform/blend_shapes.h"
#include "sinew/deform/deform.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

TEST(BlendShapes, dense_and_sparse_deltas_add_up_with_any_weights) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  mesh.shapes = {{"up", {}, {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}}, {}, {}, 0},
                 {"tip", {2}, {{0, 0, 1}}, {}, {}, 0}};
  const auto shaped = blend_shapes(mesh, std::vector<double>{-2, 3});
  EXPECT_EQ(shaped.positions[0], (Vec3{0, -2, 0}));
  EXPECT_EQ(shaped.positions[2], (Vec3{2, -2, 3}));
  EXPECT_EQ(blend_shapes(mesh, {}).positions, mesh.positions);
}

TEST(BlendShapes, are_applied_before_skinning) {
  Rig rig = make_tube({.bones = 1});
  rig.mesh.shapes = {{"fat", {}, {}, {}, {}, 0}};
  for (const Vec3& p : rig.mesh.positions) {
    rig.mesh.shapes[0].positions.push_back({0, p.y, p.z});
  }
  auto poses = rest_bones(rig);
  poses[0].end = {0, 1, 0};
  const auto states = bone_states(rig.skeleton, poses);
  const double one[] = {1};
  const auto result = deform_reference(rig, states, one, method_from_name("lbs", rig)).positions;
  for (std::size_t v = 0; v < result.size(); ++v) {
    const Vec3& p = rig.mesh.positions[v];
    EXPECT_LT(distance(result[v], Vec3{-2 * p.y, p.x, 2 * p.z}), 1e-14);
  }
}

// The deformed mesh's own normals, ring by ring, where all neighbours deform smoothly.
double worst_normal_angle(const Rig& rig, const Deformed& deformed) {
  const auto from_shape = vertex_normals(deformed.positions, rig.mesh.triangles);
  double worst = 0;
  const std::size_t sides = 48;
  for (std::size_t v = 2 * sides; v + 2 * sides < from_shape.size(); ++v) {
    worst = std::max(worst, std::acos(std::min(1.0, dot(from_shape[v], deformed.normals[v]))));
  }
  return degrees(worst);
}

TEST(Normals, of_the_reference_are_those_of_the_deformed_shape) {
  Rig rig = make_tube({.bones = 1, .overhang = 0, .rings = 241, .sides = 48});
  auto poses = rest_bones(rig);
  poses[0].twist_end = 3.0;
  poses[0].end = {0.3, 1.1, 0};
  const auto states = bone_states(rig.skeleton, poses);
  for (const char* method : {"stbs-lbs", "stbs-dqs"}) {
    const auto deformed = deform_reference(rig, states, {}, method_from_name(method, rig), true);
    EXPECT_LT(worst_normal_angle(rig, deformed), 1e-4) << method;
  }
}

TEST(Normals, include_the_gradient_of_the_weights) {
  // Two bones moved apart sideways: the blend region slopes, and its normals must slope with it.
  Rig rig = make_tube({.bones = 2, .blend = 0.9, .rings = 241, .sides = 48});
  auto poses = rest_bones(rig);
  poses[1].start += Vec3{0, 0.6, 0};
  poses[1].end += Vec3{0, 0.6, 0};
  const auto deformed = deform_reference(rig, bone_states(rig.skeleton, poses), {},
                                         method_from_name("lbs", rig), true);
  const std::size_t middle = rig.mesh.vertex_count() / 2 / 48 * 48;  // side 0: normal +y at rest
  EXPECT_NEAR(deformed.normals[middle].x / deformed.normals[middle].y, -0.6 / 1.8, 1e-9);
}

TEST(Normals, turn_with_a_rigid_motion_and_tangents_with_them) {
  Rig rig = make_tube({.bones = 1});
  rig.mesh.normals.values = vertex_normals(rig.mesh.positions, rig.mesh.triangles);
  rig.mesh.tangents.assign(rig.mesh.vertex_count(), {1, 0, 0, -1});
  auto poses = rest_bones(rig);
  poses[0].end = {0, 1, 0};
  const auto states = bone_states(rig.skeleton, poses);
  const auto deformed = deform_reference(rig, states, {}, method_from_name("lbs", rig), true);
  for (std::size_t v = 0; v < deformed.normals.size(); ++v) {
    EXPECT_LT(distance(deformed.normals[v], rotate(states[0].rotation, rig.mesh.normals.values[v])),
              1e-8);
    EXPECT_NEAR(deformed.tangents[v].y, 1, 1e-12);
    EXPECT_EQ(deformed.tangents[v].w, -1);
  }
}

}  // namespace
}  // namespace sinew
