// SPDX-License-Identifier: Apache-2.0
// What normals a mesh is drawn with in a pose.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "sinew/core/quat.h"
#include "sinew/deform/method.h"
#include "sinew/draw/scene.h"
#include "sinew/kernels/deformer.h"
#include "sinew/samples/samples.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

// Where nothing is said, so coarse that normals computed of its triangles are degrees away from its
// own.
Mesh ball_mesh(Index rings = 5, Index segments = 7) {
  const Surface sphere = unit_sphere(rings, segments);
  Mesh mesh;
  mesh.positions = sphere.positions;
  mesh.triangles = sphere.triangles;
  mesh.normals.values = sphere.positions;
  return mesh;
}

using Move = std::function<Vec3(const Vec3&)>;

std::vector<Vec3> posed_by(const Mesh& mesh, const Move& move) {
  return PosedDrawable(mesh).at(mapped(mesh.positions, move)).normals;
}

void expect_normals(const std::vector<Vec3>& normals, const std::vector<Vec3>& expected) {
  ASSERT_EQ(normals.size(), expected.size());
  for (std::size_t v = 0; v < normals.size(); ++v) {
    EXPECT_LT(distance(normals[v], expected[v]), 1e-14) << v;
  }
}

TEST(PosedNormals, go_with_what_is_turned_and_scaled) {
  const Mesh mesh = ball_mesh();
  const Quat turn = rotation_about(normalized(Vec3{1, 2, -3}), 2.0);
  const auto turned = mapped(mesh.positions, [&](const Vec3& n) { return rotate(turn, n); });
  for (const double scale : {1.0, 1e-6, 20.0}) {
    expect_normals(posed_by(mesh, [&](const Vec3& p) { return rotate(turn, p) * scale; }), turned);
  }
}

TEST(PosedNormals, point_inwards_where_a_mirror_turns_triangles_over) {
  const Mesh mesh = ball_mesh();
  const auto inward = mapped(mesh.positions, [](const Vec3& n) { return Vec3{n.x, -n.y, -n.z}; });
  expect_normals(posed_by(mesh, [](const Vec3& p) { return Vec3{-p.x, p.y, p.z}; }), inward);
}

TEST(PosedNormals, lean_with_a_surface_that_is_stretched) {
  const Mesh mesh = ball_mesh(10, 14);
  const std::vector<Vec3> normals = posed_by(mesh, [](const Vec3& p) {
    return Vec3{p.x, p.y, 2 * p.z};
  });
  for (std::size_t v = 0; v < normals.size(); ++v) {
    const Vec3& p = mesh.positions[v];
    EXPECT_GT(dot(normals[v], normalized(Vec3{p.x, p.y, p.z / 2})), std::cos(radians(3))) << v;
  }
}

// Those that a method computes are exact.
TEST(PosedNormals, of_a_bent_character_are_nearly_those_of_its_surface) {
  const Rig rig = make_sample("beast", 2500);
  ASSERT_TRUE(rig.mesh.normals.per_vertex());
  Deformer deformer(rig, method_from_name("stbs-dqs", rig), {.normals = true});
  const Clip& clip = find_clip(rig, "prowl");
  const Deformed deformed =
      deformer.at(bone_states(rig, clip, 0.4), pose_at(rig, clip, 0.4).shapes);
  const std::vector<Vec3> normals = PosedDrawable(rig.mesh).at(deformed.positions).normals;
  double sum = 0;
  for (std::size_t v = 0; v < normals.size(); ++v) {
    sum += degrees(std::acos(std::min(1.0, dot(normals[v], deformed.normals[v]))));
  }
  EXPECT_LT(sum / static_cast<double>(normals.size()), 1);
}

TEST(PosedNormals, of_edges_stay_sharp) {
  const Surface box = exploded(cube());
  Mesh mesh;
  mesh.positions = box.positions;
  mesh.triangles = box.triangles;
  mesh.normals.values.resize(box.positions.size());
  for (const Triangle& t : box.triangles) {
    for (const Index v : t) {
      mesh.normals.values[v] = normalized(cross(box.positions[t[1]] - box.positions[t[0]],
                                                box.positions[t[2]] - box.positions[t[0]]));
    }
  }
  expect_normals(posed_by(mesh,
                          [](const Vec3& p) {
                            return Vec3{3 * p.x, p.y, p.z};
                          }),
                 mesh.normals.values);
}

TEST(PosedNormals, without_normals_come_from_the_triangles) {
  Mesh mesh = ball_mesh();
  mesh.normals.values.clear();
  const std::vector<Vec3> computed = vertex_normals(mesh.positions, mesh.triangles);
  expect_normals(posed_by(mesh, [](const Vec3& p) { return p; }), computed);
}

TEST(PosedNormals, are_unit_vectors_where_triangles_are_squeezed_flat) {
  const Mesh mesh = ball_mesh();
  const std::array<Move, 3> squeezes{
      [](const Vec3& p) {
        return Vec3{p.x, p.y, 0};
      },
      [](const Vec3& p) {
        return Vec3{0, p.y, 0};
      },
      [](const Vec3& p) {
        return Vec3{p.x, p.y, p.z * 1e-200};
      },
  };
  for (const Move& squeeze : squeezes) {
    for (const Vec3& n : posed_by(mesh, squeeze)) EXPECT_NEAR(length(n), 1, 1e-14);
  }
  // What had no area at rest, and has some now, faces where its triangles do.
  Mesh thread;
  thread.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  thread.triangles = {{0, 1, 2}};
  thread.normals.values.assign(3, {1, 0, 0});
  expect_normals(
      PosedDrawable(thread).at(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}).normals,
      std::vector<Vec3>(3, {0, -1, 0}));
}

TEST(PosedNormals, that_a_file_leaves_zero_come_from_the_triangles) {
  Mesh mesh = ball_mesh();
  mesh.normals.values[9] = {};
  const std::vector<Vec3> normals = posed_by(mesh, [](const Vec3& p) { return p * 2.0; });
  EXPECT_GT(dot(normals[9], mesh.positions[9]), std::cos(radians(10)));
  EXPECT_NEAR(length(normals[9]), 1, 1e-14);
}

// A file may say both; the renderer takes the triangles' word for which side is in front.
TEST(PosedNormals, face_the_front_of_meshes_that_are_turned_inside_out) {
  Mesh mesh = ball_mesh();
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  const auto inward = mapped(mesh.positions, [](const Vec3& n) { return -n; });
  expect_normals(drawable_of(mesh).normals, inward);
  expect_normals(posed_by(mesh, [](const Vec3& p) { return p; }), inward);
}

}  // namespace
}  // namespace sinew
