// SPDX-License-Identifier: Apache-2.0
// Weights in the lattice that fills a surface. Lattices are small here (some 1500 nodes), so that
// the whole file takes seconds, with sanitizers too.
#include "sinew/weights/bbw.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "tests/support/refusals.h"
#include "tests/support/sanitized.h"
#include "tests/support/small_bbw.h"
#include "tests/support/torture.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

SolvedWeights solve(const Torture& t, const BbwOptions& options = small_bbw) {
  return Bbw(t.mesh, t.skeleton, options).weights();
}

TEST(Bbw, every_broken_mesh_is_fully_covered_and_solved_whatever_its_scale_and_place) {
  if (sanitized) GTEST_SKIP() << "those of their endpoints solve all of them";
  bool small_now = false;
  for (const Torture& t : torture_set()) {
    const SolvedWeights solved = solve(t);
    expect_full_weights(solved.weights, t.mesh.vertex_count(), t.skeleton.bones.size(), t.name);
    EXPECT_TRUE(solved.notes.converged) << t.name;
    EXPECT_LE(solved.notes.residual, small_bbw.gap) << t.name;
    if (is_limb_again(t)) continue;
    if (t.name == "short and long bones") continue;  // its short bone vanishes far away
    // A thousand times as far as it is large.
    const double scale = small_now ? 1e-3 : 1e3;
    small_now = !small_now;
    const Torture other = moved(t, scale, Vec3{1500, -1000, 800} * scale);
    EXPECT_LT(largest_difference(solved.weights, solve(other).weights, t.skeleton.bones.size()),
              1e-4)
        << t.name << ", " << scale;
  }
}

// A limb of four bones that end in the middle, so that half of it has none of its own. Hardly any
// energy decides over how much of the bones before the last one is left there; at the optimum it
// is nothing. (That the optimum is reached, bounded_least_test.cpp shows.)
TEST(Bbw, a_part_without_a_bone_follows_the_one_before_it_alone) {
  const Torture t = torture("limb", cylinder(6, 0.25, 73),
                            chain({{0, 0.1, 0}, {0, 0.8, 0}, {0, 1.6, 0}, {0, 2.3, 0}, {0, 3, 0}}));
  const SolvedWeights solved = solve(t);
  EXPECT_LT(solved.notes.residual, 1e-6);
  std::size_t seen = 0;
  for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
    if (t.mesh.positions[v].y < 3.2) continue;
    ASSERT_EQ(solved.weights.row(v).size(), 1u) << v;
    EXPECT_EQ(solved.weights.row(v)[0].bone, 3) << v;
    ++seen;
  }
  EXPECT_GT(seen, 500u);
}

TEST(Bbw, what_has_not_converged_says_so) {
  const Torture t = torture_set().front();
  const SolvedWeights solved = solve(t, {.lattice_nodes = 1500, .gap = 1e-12, .iterations = 1});
  EXPECT_FALSE(solved.notes.converged);
  EXPECT_GT(solved.notes.residual, 1e-12);
  expect_full_weights(solved.weights, t.mesh.vertex_count(), 2, t.name);
}

TEST(Bbw, parts_that_pass_close_by_do_not_exchange_weights) {
  const Torture t = close_cylinders();
  const Weights weights = solve(t).weights;
  const std::size_t half = t.mesh.vertex_count() / 2;
  for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
    ASSERT_EQ(weights.row(v).size(), 1u) << v;
    EXPECT_EQ(weights.row(v)[0], (Influence{v < half ? 0 : 1, 1})) << v;
  }
}

TEST(Bbw, fingers_that_touch_do_not_exchange_weights) {
  for (const double slit : {0.4, 0.01, 1e-4}) {
    const Torture t = fork(slit);
    const Weights weights = solve(t).weights;
    for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
      const Vec3& p = t.mesh.positions[v];
      if (p.y != 4) continue;
      EXPECT_GT(weight_of(weights, v, p.x < 0 ? 0 : 1), 0.999) << slit << ", " << v;
    }
  }
}

// The cubes follow samples of the surface, which are not quite symmetric themselves.
TEST(Bbw, a_symmetric_shape_has_symmetric_weights) {
  const Torture t = torture("limb", limb(), chain({{0, 0.2, 0}, {0, 1, 0}, {0, 1.8, 0}}));
  const Weights weights =
      solve(t, {.lattice_nodes = 1500, .gap = 1e-8, .iterations = 4000}).weights;
  for (std::size_t r = 0; r < 25; ++r) {
    for (std::size_t s = 0; s < 16; ++s) {
      const double weight = weight_of(weights, r * 16 + s, 0);
      EXPECT_NEAR(weight, weight_of(weights, (24 - r) * 16 + s, 1), 1e-3);
      EXPECT_NEAR(weight, weight_of(weights, r * 16 + (16 - s) % 16, 0), 1e-3);
    }
  }
  // From one bone to the other and even half way.
  EXPECT_GT(weight_of(weights, 0, 0), 0.99);
  EXPECT_NEAR(weight_of(weights, 12 * 16, 0), 0.5, 1e-3);
}

TEST(Bbw, it_does_not_matter_how_faces_are_stored) {
  const Torture whole = torture_set().front();
  const Weights expected = solve(whole).weights;
  Surface turned = limb();
  for (std::size_t i = 0; i < turned.triangles.size(); i += 2) {
    std::swap(turned.triangles[i][1], turned.triangles[i][2]);
  }
  const Torture t = torture("turned", turned, limb_bones());
  const SolvedWeights solved = solve(t);
  EXPECT_LT(largest_difference(solved.weights, expected, 2), 1e-9);
  ASSERT_EQ(solved.notes.repairs.size(), 1u);
  EXPECT_NE(solved.notes.repairs[0].find("winding order"), std::string::npos);
  const Torture soup = torture("soup", exploded(limb()), limb_bones());
  const Weights weights = solve(soup).weights;
  for (std::size_t i = 0; i < whole.mesh.triangles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(weight_of(weights, 3 * i + k, 0),
                  weight_of(expected, whole.mesh.triangles[i][k], 0), 1e-9);
    }
  }
}

// As where characters stand in each other, one mesh each.
TEST(Bbw, a_surface_that_is_there_many_times_counts_once) {
  const Torture once = fork(0.01);
  Torture often = once;
  for (int again = 0; again < 20; ++again) {
    for (const Triangle& t : once.mesh.triangles)
      often.mesh.triangles.push_back({t[1], t[2], t[0]});
  }
  const SolvedWeights one = Bbw(once.mesh, once.skeleton, small_bbw).weights();
  const SolvedWeights many = Bbw(often.mesh, often.skeleton, small_bbw).weights();
  EXPECT_EQ(one.weights, many.weights);
  EXPECT_EQ(one.notes.repairs, many.notes.repairs);
}

TEST(Bbw, far_geometry_of_another_part_changes_nothing) {
  const Torture alone = torture_set().front();
  Surface s = limb();
  append(s, moved(unit_sphere(8, 12), 0.1, {0.5, 1.5, 0}));
  append(s, moved(unit_sphere(8, 12), 0.3, {5, 0.5, 2}));
  const Weights expected = solve(alone).weights;
  const Weights with_islands = solve(torture("islands", s, limb_bones())).weights;
  for (std::size_t v = 0; v < alone.mesh.vertex_count(); ++v) {
    EXPECT_NEAR(weight_of(with_islands, v, 0), weight_of(expected, v, 0), 1e-9) << v;
  }
}

TEST(Bbw, moving_another_part_with_its_bones_changes_nothing) {
  Surface near = limb();
  append(near, moved(limb(), 1, {1, 0, 0}));
  Skeleton bones = loose_bones({{0, 0.1, 0},
                                {0, 1, 0},
                                {0, 1, 0},
                                {0, 1.9, 0},
                                {1, 0.1, 0},
                                {1, 1, 0},
                                {1, 1, 0},
                                {1, 1.9, 0}});
  Torture t = torture("two limbs", near, bones);
  const Weights before = solve(t).weights;
  const std::size_t half = t.mesh.vertex_count() / 2;
  for (std::size_t v = half; v < 2 * half; ++v) t.mesh.positions[v].z += 64;
  for (std::size_t b = 2; b < 4; ++b) {
    t.skeleton.bones[b].head.z += 64;
    t.skeleton.bones[b].tail.z += 64;
  }
  EXPECT_LT(largest_difference(solve(t).weights, before, 4), 1e-6);
}

TEST(Bbw, parts_without_a_bone_take_the_nearest_weights_and_say_so) {
  const Torture t = boneless_islands();
  const SolvedWeights solved = solve(t);
  ASSERT_EQ(solved.notes.repairs.size(), 1u);
  EXPECT_NE(solved.notes.repairs[0].find("172 vertices"), std::string::npos)
      << solved.notes.repairs[0];
  const std::size_t ball = limb().positions.size();
  for (std::size_t v = ball; v < ball + 70; ++v) EXPECT_GT(weight_of(solved.weights, v, 1), 0.75);
}

TEST(Bbw, a_bone_wholly_outside_is_tied_to_the_nearest_surface_and_named) {
  const Torture t = torture("outside", limb(),
                            loose_bones({{0, 0.1, 0}, {0, 0.6, 0}, {0.5, 1.9, 0}, {1, 1.9, 0}}));
  const SolvedWeights solved = solve(t);
  ASSERT_EQ(solved.notes.repairs.size(), 1u);
  EXPECT_NE(solved.notes.repairs[0].find("bone 1 lies outside"), std::string::npos);
  // It moves the end that it is near to, the other bone moves the other one.
  EXPECT_GT(weight_of(solved.weights, 24 * 16, 1), 0.9);
  EXPECT_GT(weight_of(solved.weights, 0, 0), 0.9);
}

TEST(Bbw, a_bone_partly_outside_counts_where_it_is_inside) {
  const Torture inside = torture("inside", limb(), chain({{0, 0.1, 0}, {0, 1, 0}, {0, 1.999, 0}}));
  const Torture outside = torture("outside", limb(), chain({{0, 0.1, 0}, {0, 1, 0}, {0, 3, 0}}));
  const SolvedWeights solved = solve(outside);
  EXPECT_TRUE(solved.notes.repairs.empty());
  EXPECT_LT(largest_difference(solved.weights, solve(inside).weights, 2), 0.02);
}

TEST(Bbw, a_bone_of_any_length_is_found_where_it_passes_through) {
  const Torture t = torture("long", limb(),
                            loose_bones({{0, 0.1, 0}, {0, 0.6, 0}, {-1e9, 1.5, 0}, {3e9, 1.5, 0}}));
  const SolvedWeights solved = solve(t);
  EXPECT_TRUE(solved.notes.repairs.empty());
  EXPECT_GT(weight_of(solved.weights, 18 * 16, 1), 0.95);
  EXPECT_GT(weight_of(solved.weights, 4 * 16 + 4, 0), 0.9);
}

TEST(Bbw, coincident_bones_share_equally) {
  const Torture t = torture(
      "twice", limb(),
      loose_bones({{0, 0.1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 0.1, 0}, {0, 1, 0}, {0, 1.9, 0}}));
  const Weights weights = solve(t).weights;
  for (std::size_t v = 0; v < t.mesh.vertex_count(); ++v) {
    EXPECT_NEAR(weight_of(weights, v, 0), weight_of(weights, v, 1), 1e-9) << v;
  }
  EXPECT_NEAR(weight_of(weights, 0, 0), 0.5, 1e-2);
}

TEST(Bbw, thread_count_changes_no_bit) {
  const Torture t = boneless_islands();
  std::vector<Weights> weights;
  std::vector<std::vector<double>> endpoints;
  for (const int threads : {1, 2}) {
    set_thread_count(threads);
    const Bbw bbw(t.mesh, t.skeleton, small_bbw);
    weights.push_back(bbw.weights().weights);
    endpoints.push_back(bbw.endpoints(weights.back()).endpoints);
    endpoints.push_back(bbw.endpoints(weights.back(), EndpointSource::joints).endpoints);
  }
  set_thread_count(0);
  EXPECT_EQ(weights[0], weights[1]);
  EXPECT_EQ(endpoints[0], endpoints[2]);
  EXPECT_EQ(endpoints[1], endpoints[3]);
}

TEST(Bbw, more_nodes_are_asked_for_and_given) {
  const Torture t = torture_set().front();
  for (const std::size_t nodes : {1000u, 4000u}) {
    const double count = double(Bbw(t.mesh, t.skeleton, {.lattice_nodes = nodes}).node_count());
    EXPECT_GT(count, 0.4 * double(nodes));
    EXPECT_LT(count, 2.5 * double(nodes));
  }
}

TEST(Bbw, bad_input_is_refused_and_a_hook_can_cancel) {
  const Torture t = close_cylinders();
  EXPECT_EQ(bad_input([&] { Bbw(t.mesh, {}); }),
            "skeleton: it has no bones to compute weights for");
  Mesh broken = t.mesh;
  broken.triangles[0][0] = 1000000;
  EXPECT_EQ(bad_input([&] { Bbw(broken, t.skeleton); }),
            "triangle 0: vertex 1000000 is out of range: there are 804 vertices");
  const Progress no([](auto, double) { return false; });
  EXPECT_EQ(refusal<Cancelled>([&] { Bbw(t.mesh, t.skeleton, small_bbw, no); }), "cancelled");
  const Torture one = torture_set().front();
  const Bbw bbw(one.mesh, one.skeleton, small_bbw);
  EXPECT_EQ(refusal<Cancelled>([&] { bbw.weights(no); }), "cancelled");
  EXPECT_EQ(bad_input([&] { bbw.endpoints({}); }), "weights: 0 rows for 402 vertices");
}

TEST(Bbw, a_stray_vertex_far_away_changes_nothing_near_the_bones) {
  Torture t = torture("limb", limb(), limb_bones());
  const Weights before = Bbw(t.mesh, t.skeleton, {.lattice_nodes = 1500}).weights().weights;
  t.mesh.positions.push_back({1e7, 0, 0});
  const Weights after = Bbw(t.mesh, t.skeleton, {.lattice_nodes = 1500}).weights().weights;
  for (std::size_t v = 0; v < before.vertex_count(); ++v) {
    EXPECT_NEAR(weight_of(before, v, 0), weight_of(after, v, 0), 1e-12) << v;
  }
}

TEST(Bbw, options_that_make_no_sense_are_refused) {
  const Torture t = torture("limb", limb(), limb_bones());
  for (const BbwOptions& options :
       {BbwOptions{.lattice_nodes = 0}, BbwOptions{.iterations = 0}, BbwOptions{.gap = 0},
        BbwOptions{.gap = -1}, BbwOptions{.gap = std::nan("")}}) {
    EXPECT_EQ(wrong_usage([&] { Bbw(t.mesh, t.skeleton, options); }),
              "lattice_nodes, iterations and gap must be above 0");
  }
}

}  // namespace
}  // namespace sinew
