// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/voxel.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "tests/support/refusals.h"
#include "tests/support/torture.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

TEST(Voxel, every_broken_mesh_is_fully_covered) {
  for (const Torture& t : torture_set()) {
    const SolvedWeights solved = voxel_weights(t.mesh, t.skeleton, {.resolution = 40});
    expect_full_weights(solved.weights, t.mesh.vertex_count(), t.skeleton.bones.size(), t.name);
    EXPECT_TRUE(solved.notes.converged) << t.name;
  }
}

TEST(Voxel, scale_and_place_do_not_matter) {
  for (const Torture& t : torture_set()) {
    if (t.name == "short and long bones") continue;  // its short bone vanishes far away
    const VoxelOptions options{.resolution = 32};
    const Weights before = voxel_weights(t.mesh, t.skeleton, options).weights;
    for (const double scale : {1e-3, 1e3}) {
      const Torture other = moved(t, scale, Vec3{300, -200, 100} * scale);
      const Weights after = voxel_weights(other.mesh, other.skeleton, options).weights;
      EXPECT_LT(largest_difference(before, after, t.skeleton.bones.size()), 1e-6)
          << t.name << ", " << scale;
    }
  }
}

TEST(Voxel, parts_that_pass_close_by_do_not_exchange_weights) {
  const Torture t = close_cylinders();
  const Weights weights = voxel_weights(t.mesh, t.skeleton).weights;
  const std::size_t half = t.mesh.vertex_count() / 2;
  for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
    EXPECT_EQ(weight_of(weights, v, v < half ? 0 : 1), 1) << v;
  }
}

Torture named(const std::string& name) {
  for (const Torture& t : torture_set()) {
    if (t.name == name) return t;
  }
  throw UsageError("no such mesh: " + name);
}

TEST(Voxel, holes_and_flipped_faces_leave_the_inside_where_it_was) {
  const Torture whole = named("whole limb");
  const Torture holes = named("holes");
  const Torture flipped = named("holes and flipped faces");
  const std::size_t cells = voxel_weights(whole.mesh, whole.skeleton).notes.unknowns;
  for (const Torture* t : {&holes, &flipped}) {
    const SolvedWeights solved = voxel_weights(t->mesh, t->skeleton);
    EXPECT_NEAR(double(solved.notes.unknowns), double(cells), 0.015 * double(cells)) << t->name;
  }
}

TEST(Voxel, a_shape_is_the_same_however_its_faces_are_stored) {
  const Torture whole = torture_set().front();
  const Weights expected = voxel_weights(whole.mesh, whole.skeleton).weights;
  for (const Torture& t : torture_set()) {
    if (t.name == "inside out" || t.name == "flipped faces") {
      EXPECT_LT(largest_difference(voxel_weights(t.mesh, t.skeleton).weights, expected, 2), 1e-9)
          << t.name;
    }
    if (t.name == "every face separate") {
      const Weights weights = voxel_weights(t.mesh, t.skeleton).weights;
      for (std::size_t i = 0; i < whole.mesh.triangles.size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
          const auto a = expected.row(whole.mesh.triangles[i][k]);
          const auto b = weights.row(3 * i + k);
          EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
        }
      }
    }
  }
}

// Two prongs side by side: near through the air, far through the inside.
TEST(Voxel, weights_follow_the_inside_around_a_gap) {
  const Torture t = fork(0.4);
  const Weights weights = voxel_weights(t.mesh, t.skeleton).weights;
  for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
    const Vec3& p = t.mesh.positions[v];
    if (p.y == 4) {
      EXPECT_EQ(weight_of(weights, v, p.x < 0 ? 0 : 1), 1) << v;
    }
  }
}

TEST(Voxel, a_symmetric_shape_has_symmetric_weights) {
  const Torture t = mirrored_limb();
  const Weights weights = voxel_weights(t.mesh, t.skeleton).weights;
  expect_mirrored(weights, 1e-9);
  EXPECT_GT(weight_of(weights, 0, 0), 0.99);
}

TEST(Voxel, parts_without_a_bone_take_the_nearest_weights_and_say_so) {
  const Torture t = boneless_islands();
  const SolvedWeights solved = voxel_weights(t.mesh, t.skeleton);
  ASSERT_EQ(solved.notes.repairs.size(), 1u);
  EXPECT_NE(solved.notes.repairs[0].find("2 of 3 parts"), std::string::npos);
  const std::size_t ball = limb().positions.size();
  for (std::size_t v = ball; v < ball + 70; ++v) EXPECT_GT(weight_of(solved.weights, v, 1), 0.8);
}

TEST(Voxel, a_bone_outside_belongs_to_the_nearest_part_and_is_named) {
  const Torture t = torture("one", limb(), loose_bones({{2, 0, 0}, {2, 2, 0}}));
  const SolvedWeights solved = voxel_weights(t.mesh, t.skeleton);
  ASSERT_EQ(solved.notes.repairs.size(), 1u);
  EXPECT_NE(solved.notes.repairs[0].find("Bone 0 lies outside"), std::string::npos);
}

TEST(Voxel, a_vertex_without_triangles_belongs_to_the_solid_around_it) {
  Surface s = limb();
  s.positions.push_back({0.1, 1.5, 0.05});
  const Torture t = torture("inner", s, limb_bones());
  const SolvedWeights solved = voxel_weights(t.mesh, t.skeleton);
  EXPECT_TRUE(solved.notes.repairs.empty());
  // Four times as near to its bone as to the other one, and nearer than the surface around it.
  EXPECT_EQ(weight_of(solved.weights, t.mesh.vertex_count() - 1, 1), 1);
}

TEST(Voxel, far_geometry_of_another_part_changes_nothing) {
  Torture t = close_cylinders();
  const Weights before = voxel_weights(t.mesh, t.skeleton).weights;
  const std::size_t half = t.mesh.vertex_count() / 2;
  for (std::size_t v = half; v < t.mesh.vertex_count(); ++v) t.mesh.positions[v].z += 3;
  for (Vec3* p : {&t.skeleton.bones[1].head, &t.skeleton.bones[1].tail}) p->z += 3;
  const Weights after = voxel_weights(t.mesh, t.skeleton).weights;
  for (std::size_t v = 0; v < half; ++v) EXPECT_EQ(weight_of(after, v, 0), weight_of(before, v, 0));
}

TEST(Voxel, thread_count_changes_no_bit) {
  const Torture t = boneless_islands();
  set_thread_count(1);
  const Weights one = voxel_weights(t.mesh, t.skeleton).weights;
  set_thread_count(0);
  EXPECT_EQ(one, voxel_weights(t.mesh, t.skeleton).weights);
}

TEST(Voxel, bad_options_are_refused_and_a_hook_can_cancel) {
  const Torture t = close_cylinders();
  EXPECT_EQ(wrong_usage([&] { voxel_weights(t.mesh, t.skeleton, {.resolution = 4}); }),
            "the resolution is 4; it must be in [8, 512]");
  EXPECT_EQ(wrong_usage([&] { voxel_weights(t.mesh, t.skeleton, {.falloff = 0}); }),
            "the fall-off is 0; it must be in [1, 100]");
  EXPECT_EQ(bad_input([&] { voxel_weights(t.mesh, {}); }),
            "skeleton: it has no bones, and weights need at least one");
  EXPECT_EQ(refusal<Cancelled>([&] {
              voxel_weights(t.mesh, t.skeleton, {}, Progress([](auto, double) { return false; }));
            }),
            "cancelled");
}

}  // namespace
}  // namespace sinew
