// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/mirror.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/samples/samples.h"
#include "sinew/skin/projection.h"
#include "sinew/weights/compare.h"
#include "tests/support/refusals.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

// A plate in z = 0 from x = -3 to 3 and y = 0 to 2, with a bone on each side and one in the middle.
struct Plate {
  Mesh mesh;
  Skeleton skeleton;
  Skin skin;

  explicit Plate(double shift = 0) {
    constexpr Index columns = 13;
    constexpr Index rows = 5;
    for (Index r = 0; r < rows; ++r) {
      for (Index c = 0; c < columns; ++c) {
        const double x = (double(c) - 6) / 2;
        mesh.positions.push_back({x < 0 ? x + shift : x, r / 2.0, 0});
        const double t = std::min(std::fabs(x), 1.0);
        std::vector<Influence> row = {{1, 1 - t}, {x > 0 ? 0 : 2, t}};
        if (x > 0) row = {{0, t * 0.75}, {1, 1 - t * 0.75}};
        skin.weights.push_row(row);
        if (r == 0 || c == 0) continue;
        const Index at = r * columns + c;
        mesh.triangles.push_back({at - columns - 1, at - columns, at});
        mesh.triangles.push_back({at - columns - 1, at, at - 1});
      }
    }
    const std::vector<Vec3> points = {{2, 0, 0}, {2, 2, 0},  {0, 0, 0},
                                      {0, 2, 0}, {-2, 0, 0}, {-2, 2, 0}};
    skeleton =
        skeleton_from_segments(points, std::vector<std::array<int, 2>>{{0, 1}, {2, 3}, {4, 5}});
    skin.endpoints = projection_endpoints(mesh.positions, skeleton, skin.weights);
  }
};

void expect_symmetric(const Skin& skin) {
  for (std::size_t v = 0; v < skin.weights.vertex_count(); ++v) {
    const std::size_t partner = v / 13 * 13 + 12 - v % 13;
    EXPECT_NEAR(weight_of(skin, v, 0), weight_of(skin, partner, 2), 1e-12) << v;
    EXPECT_NEAR(weight_of(skin, v, 1), weight_of(skin, partner, 1), 1e-12) << v;
  }
}

TEST(MirrorWeights, one_side_is_copied_to_the_other_and_left_as_it_is) {
  const Plate plate;
  for (const MirrorFrom from : {MirrorFrom::positive, MirrorFrom::negative}) {
    const Mirrored mirrored =
        mirror(plate.mesh, plate.skeleton, plate.skin, {.plane = {}, .from = from});
    EXPECT_TRUE(mirrored.unpaired_vertices.empty());
    EXPECT_TRUE(mirrored.unpaired_bones.empty());
    expect_symmetric(mirrored.skin);
    for (std::size_t v = 0; v < plate.mesh.vertex_count(); ++v) {
      const bool kept = (plate.mesh.positions[v].x > 0) == (from == MirrorFrom::positive);
      if (!kept || plate.mesh.positions[v].x == 0) continue;
      for (int b = 0; b < 3; ++b) {
        EXPECT_EQ(weight_of(mirrored.skin, v, b), weight_of(plate.skin, v, b));
      }
    }
    EXPECT_EQ(mirrored.skin.endpoints.size(), mirrored.skin.weights.influences.size());
    EXPECT_EQ(mirrored.skin.endpoints,
              projection_endpoints(plate.mesh.positions, plate.skeleton, mirrored.skin.weights));
  }
}

TEST(MirrorWeights, both_sides_get_their_mean) {
  const Plate plate;
  const Mirrored mirrored =
      mirror(plate.mesh, plate.skeleton, plate.skin, {.plane = {}, .from = MirrorFrom::both});
  expect_symmetric(mirrored.skin);
  EXPECT_NEAR(weight_of(mirrored.skin, 12, 0), (1 + 0.75) / 2, 1e-14);
}

TEST(MirrorWeights, vertices_without_a_partner_are_interpolated_and_counted) {
  const Plate plate(0.2);
  const Mirrored mirrored = mirror(plate.mesh, plate.skeleton, plate.skin);
  EXPECT_EQ(mirrored.unpaired_vertices.size(), 30u);
  for (std::size_t v = 0; v < plate.mesh.vertex_count(); ++v) {
    const double x = plate.mesh.positions[v].x;
    if (x >= 0) continue;
    EXPECT_NEAR(weight_of(mirrored.skin, v, 2), 0.75 * std::min(-x, 1.0), 1e-12) << x;
    EXPECT_NEAR(weight_of(mirrored.skin, v, 1) + weight_of(mirrored.skin, v, 2), 1, 1e-12);
  }
}

TEST(MirrorWeights, corners_that_are_to_be_overwritten_have_no_say) {
  // No vertex lies on the plane or has a partner: triangles across it have corners on both sides.
  Mesh mesh;
  Skin skin;
  for (const double x : {-1.0, -0.15, 0.25, 1.0}) {
    for (const double y : {0.0, 1.0}) {
      mesh.positions.push_back({x, y, 0});
      skin.weights.push_row(std::vector<Influence>{{x > 0 ? 0 : 1, 1.0}});
    }
  }
  for (const Index at : {0u, 2u, 4u}) {
    mesh.triangles.push_back({at, at + 2, at + 3});
    mesh.triangles.push_back({at, at + 3, at + 1});
  }
  const std::vector<Vec3> points = {{2, 0, 0}, {2, 1, 0},  {0, 0, 0},
                                    {0, 1, 0}, {-2, 0, 0}, {-2, 1, 0}};
  const Skeleton skeleton =
      skeleton_from_segments(points, std::vector<std::array<int, 2>>{{0, 1}, {2, 3}, {4, 5}});
  const Mirrored mirrored = mirror(mesh, skeleton, skin);
  for (std::size_t v = 0; v < 4; ++v) EXPECT_NEAR(weight_of(mirrored.skin, v, 2), 1, 1e-12) << v;
}

TEST(MirrorWeights, parts_are_mirrored_onto_parts_although_others_are_nearer) {
  // Gloves over the ends of the plate; that of the other side has other vertices, and lies nearer
  // to the plate than to its own mirror image.
  Plate plate;
  const auto add_glove = [&](double from, double to, double z, int bone) {
    const auto first = static_cast<Index>(plate.mesh.vertex_count());
    for (Index r = 0; r < 4; ++r) {
      for (Index c = 0; c < 4; ++c) {
        plate.mesh.positions.push_back({from + (to - from) * c / 3, 2 * r / 3.0, z});
        plate.skin.weights.push_row(std::vector<Influence>{{bone, 1.0}});
        plate.skin.endpoints.push_back(0.5);
        if (r == 0 || c == 0) continue;
        const Index at = first + r * 4 + c;
        plate.mesh.triangles.push_back({at - 5, at - 4, at});
        plate.mesh.triangles.push_back({at - 5, at, at - 1});
      }
    }
    return first;
  };
  add_glove(2, 3, 0.05, 0);
  const Index glove = add_glove(-2.95, -2.05, 0.02, 1);
  const Mirrored mirrored = mirror(plate.mesh, plate.skeleton, plate.skin);
  for (std::size_t v = glove; v < plate.mesh.vertex_count(); ++v) {
    EXPECT_NEAR(weight_of(mirrored.skin, v, 2), 1, 1e-12) << v;
  }
  EXPECT_NEAR(weight_of(mirrored.skin, 0, 2), 0.75, 1e-12);
}

TEST(MirrorWeights, any_plane_will_do) {
  Plate plate;
  const Quat turn = rotation_about(normalized(Vec3{1, 2, 3}), 1.1);
  const Vec3 shift{100, -20, 3};
  for (Vec3& p : plate.mesh.positions) p = rotate(turn, p) + shift;
  for (Bone& bone : plate.skeleton.bones) {
    bone.head = rotate(turn, bone.head) + shift;
    bone.tail = rotate(turn, bone.tail) + shift;
  }
  const Mirrored mirrored = mirror(plate.mesh, plate.skeleton, plate.skin,
                                   {.plane = {shift, rotate(turn, Vec3{3, 0, 0})}});
  EXPECT_TRUE(mirrored.unpaired_vertices.empty());
  expect_symmetric(mirrored.skin);
  EXPECT_EQ(wrong_usage([&] {
              mirror(plate.mesh, plate.skeleton, plate.skin, {.plane = {{}, {0, 0, 0}}});
            }),
            "a mirror plane has a point and a normal of some length");
}

TEST(MirrorWeights, a_bone_across_the_plane_turns_its_endpoint_weights_round) {
  Mesh mesh;
  mesh.positions = {{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}};
  const Skeleton skeleton = skeleton_from_segments(std::vector<Vec3>{{-1, 0, 0}, {1, 0, 0}},
                                                   std::vector<std::array<int, 2>>{{0, 1}});
  Skin skin;
  for (int v = 0; v < 3; ++v) skin.weights.push_row(std::vector<Influence>{{0, 1.0}});
  skin.endpoints = {0.5, 0.875, 0.75};
  EXPECT_EQ(mirror(mesh, skeleton, skin).skin.endpoints, (std::vector<double>{0.125, 0.875, 0.5}));
}

TEST(MirrorWeights, the_mannequin_is_symmetric_already) {
  const Rig rig = make_sample("mannequin", 3000);
  const Skin skin{rig.skin.weights, rig.skin.endpoints, rig.skin.twist_endpoints};
  const Mirrored mirrored = mirror(rig.mesh, rig.skeleton, skin);
  EXPECT_LT(compare(rig.skin.weights, mirrored.skin.weights, rig.skeleton.bones.size()).mean,
            1e-12);
  validate(mirrored.skin, rig.mesh.vertex_count(), rig.skeleton.bones.size());
}

}  // namespace
}  // namespace sinew
