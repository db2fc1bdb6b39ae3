// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/heat.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/weights/rigid.h"
#include "tests/support/refusals.h"
#include "tests/support/torture.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

TEST(Heat, every_broken_mesh_is_fully_covered) {
  for (const Torture& t : torture_set()) {
    const SolvedWeights solved = heat_weights(t.mesh, t.skeleton);
    expect_full_weights(solved.weights, t.mesh.vertex_count(), t.skeleton.bones.size(), t.name);
    EXPECT_TRUE(solved.notes.converged) << t.name << ": " << solved.notes.residual;
    const SolvedEndpoints ends = heat_endpoints(t.mesh, t.skeleton, solved.weights);
    expect_endpoints(ends.endpoints, solved.weights, t.name);
    EXPECT_TRUE(ends.notes.converged) << t.name << ": " << ends.notes.residual;
  }
}

TEST(Heat, scale_and_place_do_not_matter) {
  for (const Torture& t : torture_set()) {
    if (t.name == "short and long bones") continue;  // its short bone vanishes far away
    const Weights before = heat_weights(t.mesh, t.skeleton).weights;
    for (const double scale : {1e-3, 1e3}) {
      const Torture other = moved(t, scale, Vec3{300, -200, 100} * scale);
      const Weights after = heat_weights(other.mesh, other.skeleton).weights;
      EXPECT_LT(largest_difference(before, after, t.skeleton.bones.size()), 1e-9)
          << t.name << ", " << scale;
      EXPECT_LT(largest_difference(heat_endpoints(t.mesh, t.skeleton, before).endpoints,
                                   heat_endpoints(other.mesh, other.skeleton, before).endpoints),
                1e-9)
          << t.name << ", " << scale;
    }
  }
}

TEST(Heat, parts_that_pass_close_by_do_not_exchange_weights) {
  const Torture t = close_cylinders();
  const Weights weights = heat_weights(t.mesh, t.skeleton).weights;
  const std::size_t half = t.mesh.vertex_count() / 2;
  for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
    EXPECT_NEAR(weight_of(weights, v, v < half ? 0 : 1), 1, 1e-9) << v;
  }
}

TEST(Heat, a_symmetric_shape_has_symmetric_weights) {
  const Torture t = mirrored_limb();
  const Weights weights = heat_weights(t.mesh, t.skeleton).weights;
  expect_mirrored(weights, 1e-4);
  EXPECT_GT(weight_of(weights, 0, 0), 0.95);
}

TEST(Heat, more_heat_is_closer_to_rigid) {
  const Torture t = torture("limb", limb(), limb_bones());
  const Weights rigid = rigid_weights(t.mesh.positions, t.skeleton);
  double last = 1e9;
  for (const double c : {0.2, 1.0, 5.0, 25.0}) {
    const auto dense = to_dense(heat_weights(t.mesh, t.skeleton, {.c = c}).weights, 2);
    const auto sharp = to_dense(rigid, 2);
    double sum = 0;
    for (std::size_t i = 0; i < dense.size(); ++i) sum += std::fabs(dense[i] - sharp[i]);
    EXPECT_LT(sum, last);
    last = sum;
  }
}

// The nearest bone is behind another wall: the next one that can be seen takes the vertex.
TEST(Heat, a_bone_behind_a_wall_gives_no_heat) {
  Surface s = cylinder(2, 0.25);
  append(s, moved(cylinder(2, 0.05), 1, {0.35, 0, 0}));
  const Torture t = torture(
      "walls", s, loose_bones({{-0.2, 0.1, 0}, {-0.2, 1.9, 0}, {0.35, 0.1, 0}, {0.35, 1.9, 0}}));
  const Weights weights = heat_weights(t.mesh, t.skeleton).weights;
  const std::size_t large = cylinder(2, 0.25).positions.size();
  for (std::size_t v = 0; v < large; ++v) EXPECT_NEAR(weight_of(weights, v, 0), 1, 1e-9);
  for (std::size_t v = large; v < 2 * large; ++v) EXPECT_NEAR(weight_of(weights, v, 1), 1, 1e-9);
}

TEST(Heat, an_island_without_a_visible_bone_is_still_covered_and_named) {
  Surface s = limb();
  append(s, moved(unit_sphere(8, 12), 0.05, {0.15, 1.6, 0}));  // within the limb, around no bone
  append(s, moved(cylinder(2.4, 0.35), 1, {0, -0.2, 0}));      // a sleeve around it
  const Torture t = torture("sleeve", s, limb_bones());
  const SolvedWeights solved = heat_weights(t.mesh, t.skeleton);
  ASSERT_EQ(solved.notes.repairs.size(), 1u);
  EXPECT_NE(solved.notes.repairs[0].find("1 of 3 parts"), std::string::npos)
      << solved.notes.repairs[0];
  // The sleeve follows both bones all the same.
  const std::size_t sleeve = t.mesh.vertex_count() - limb().positions.size();
  EXPECT_GT(weight_of(solved.weights, sleeve, 0), 0.9);
  EXPECT_GT(weight_of(solved.weights, sleeve + 24 * 16, 1), 0.9);
}

TEST(Heat, far_geometry_of_another_part_changes_nothing) {
  Torture t = boneless_islands();
  const Weights before = heat_weights(t.mesh, t.skeleton).weights;
  const std::size_t n = limb().positions.size();
  for (std::size_t v = n + 86; v < t.mesh.vertex_count(); ++v) t.mesh.positions[v].z += 7;
  const Weights after = heat_weights(t.mesh, t.skeleton).weights;
  for (std::size_t v = 0; v < n; ++v) {
    EXPECT_NEAR(weight_of(after, v, 0), weight_of(before, v, 0), 1e-9);
  }
}

TEST(Heat, it_does_not_matter_how_faces_are_stored) {
  const Torture whole = torture("limb", limb(), limb_bones());
  const Weights expected = heat_weights(whole.mesh, whole.skeleton).weights;
  Surface turned = limb();
  for (std::size_t i = 0; i < turned.triangles.size(); i += 2) {
    std::swap(turned.triangles[i][0], turned.triangles[i][2]);
  }
  const Torture t = torture("turned", turned, limb_bones());
  EXPECT_LT(largest_difference(heat_weights(t.mesh, t.skeleton).weights, expected, 2), 1e-9);
  const Torture soup = torture("soup", exploded(limb()), limb_bones());
  const Weights weights = heat_weights(soup.mesh, soup.skeleton).weights;
  for (std::size_t i = 0; i < whole.mesh.triangles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(weight_of(weights, 3 * i + k, 0),
                  weight_of(expected, whole.mesh.triangles[i][k], 0), 1e-9);
    }
  }
}

TEST(Heat, endpoints_are_exact_on_joints_and_fall_off_beyond_the_ends) {
  Surface s = cylinder(2, 0.25);
  s.positions.push_back({0, 0.5, 0});
  s.positions.push_back({0, 1.5, 0});
  const Torture t = torture("cap", s, chain({{0, 0.5, 0}, {0, 1.5, 0}}));
  const Weights weights = rigid_weights(t.mesh.positions, t.skeleton);
  const std::vector<double> e = heat_endpoints(t.mesh, t.skeleton, weights).endpoints;
  EXPECT_EQ(e[e.size() - 2], 0);
  EXPECT_EQ(e[e.size() - 1], 1);
  EXPECT_NEAR(e[12 * 16], 0.5, 1e-9);
  for (std::size_t r = 1; r < 12; ++r) EXPECT_LT(e[r * 16], e[(r + 1) * 16]);
  // Jacobson and Sorkine 2011, fig. 8: the cap does not get the full twist.
  const double cap = e[25 * 16 + 1];
  EXPECT_GT(cap, 0.8);
  EXPECT_LT(cap, 0.999);
}

TEST(Heat, endpoints_are_exact_where_a_joint_is_a_vertex_of_the_surface) {
  const Torture t = torture("ends", limb(), chain({{0, 0, 0}, {0, 2, 0}}));
  const Weights weights = rigid_weights(t.mesh.positions, t.skeleton);
  const std::vector<double> e = heat_endpoints(t.mesh, t.skeleton, weights).endpoints;
  EXPECT_EQ(e[25 * 16], 0);
  EXPECT_EQ(e[25 * 16 + 1], 1);
}

TEST(Heat, thread_count_changes_no_bit) {
  const Torture t = boneless_islands();
  set_thread_count(1);
  const Weights one = heat_weights(t.mesh, t.skeleton).weights;
  set_thread_count(0);
  EXPECT_EQ(one, heat_weights(t.mesh, t.skeleton).weights);
}

TEST(Heat, bad_options_are_refused_and_a_hook_can_cancel) {
  const Torture t = close_cylinders();
  EXPECT_EQ(wrong_usage([&] { heat_weights(t.mesh, t.skeleton, {.c = 0}); }),
            "c is 0; it must be in [1e-3, 1e6]");
  EXPECT_EQ(bad_input([&] { heat_weights(t.mesh, {}); }),
            "skeleton: it has no bones, and weights need at least one");
  EXPECT_EQ(bad_input([&] { heat_endpoints(t.mesh, t.skeleton, {}); }),
            "weights: 0 rows for 804 vertices");
  EXPECT_EQ(refusal<Cancelled>([&] {
              heat_weights(t.mesh, t.skeleton, {}, Progress([](auto, double) { return false; }));
            }),
            "cancelled");
}

}  // namespace
}  // namespace sinew
