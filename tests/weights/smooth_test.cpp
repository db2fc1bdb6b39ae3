// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/smooth.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/refusals.h"
#include "tests/support/shapes.h"
#include "tests/support/tube.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

// A tube split in the middle between two bones, without any transition.
Rig hard_tube() {
  Rig rig = make_tube({.blend = 1e-9});
  rig.skin.endpoints = projection_endpoints(rig.mesh.positions, rig.skeleton, rig.skin.weights);
  return rig;
}

TEST(Smooth, a_step_becomes_a_ramp_with_sums_of_1) {
  const Rig rig = hard_tube();
  const Skin smoothed = smooth(rig.mesh, skin_of(rig), {.iterations = 20});
  expect_sound(smoothed, rig);
  EXPECT_EQ(smoothed.endpoints.size(), smoothed.weights.influences.size());
  double last = 1;
  for (std::size_t ring = 0; ring < 61; ++ring) {
    const double w = weight_of(smoothed.weights, ring * 16, 0);
    EXPECT_LE(w, last + 1e-12);
    EXPECT_LE(last - w, 0.2);
    last = w;
  }
  EXPECT_EQ(last, 0);
}

TEST(Smooth, constant_weights_stay_as_they_are) {
  Rig rig = make_tube();
  rig.skin.weights = {};
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    rig.skin.weights.push_row(std::vector<Influence>{{0, 0.25}, {1, 0.75}});
  }
  const Skin smoothed =
      smooth(rig.mesh, {rig.skin.weights, {}, {}}, {.strength = 1, .iterations = 3});
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    EXPECT_NEAR(weight_of(smoothed.weights, v, 1), 0.75, 1e-14);
  }
}

TEST(Smooth, nothing_passes_between_islands) {
  Surface pair = unit_sphere(6, 8);
  const std::size_t first = pair.positions.size();
  append(pair, moved(unit_sphere(6, 8), 1, {1e-9, 0, 0}));
  Mesh mesh;
  mesh.positions = pair.positions;
  mesh.triangles = pair.triangles;
  Skin skin;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    skin.weights.push_row(std::vector<Influence>{{v < first ? 0 : 1, 1.0}});
  }
  EXPECT_EQ(smooth(mesh, skin, {.iterations = 10}), skin);
}

TEST(Smooth, seams_are_no_borders_and_their_copies_stay_equal) {
  Rig rig = hard_tube();
  const Surface split = exploded({rig.mesh.positions, rig.mesh.triangles});
  Skin skin;
  std::vector<Index> original;
  for (const Triangle& t : rig.mesh.triangles) {
    for (const Index v : t) {
      original.push_back(v);
      skin.weights.push_row(rig.skin.weights.row(v));
    }
  }
  Mesh mesh;
  mesh.positions = split.positions;
  mesh.triangles = split.triangles;
  const Skin whole = smooth(rig.mesh, {rig.skin.weights, {}, {}}, {.iterations = 5});
  const Skin parts = smooth(mesh, skin, {.iterations = 5});
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    EXPECT_NEAR(weight_of(parts.weights, v, 0), weight_of(whole.weights, original[v], 0), 1e-12);
  }
}

TEST(Smooth, locked_bones_keep_their_weights_bit_for_bit) {
  Rig rig = make_tube({.bones = 3});
  Locks locks;
  locks.set(1);
  const Skin smoothed =
      smooth(rig.mesh, skin_of(rig), {.iterations = 8, .endpoints = true, .locks = locks});
  expect_sound(smoothed, rig);
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    EXPECT_EQ(weight_of(smoothed.weights, v, 1), weight_of(rig.skin.weights, v, 1)) << v;
    // With only the outer two free, each fills up what bone 1 leaves: there is nothing to exchange.
    EXPECT_NEAR(weight_of(smoothed.weights, v, 0), weight_of(rig.skin.weights, v, 0), 1e-14);
  }
}

TEST(Smooth, locked_bones_keep_their_weights_where_rows_are_pruned) {
  const Rig rig = make_tube({.bones = 4, .bone_length = 0.1});
  const Skin before = smooth(rig.mesh, skin_of(rig), {.iterations = 9});
  Locks locks;
  locks.set(3);
  const Skin smoothed =
      smooth(rig.mesh, before, {.iterations = 2, .locks = locks, .max_influences = 2});
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    EXPECT_EQ(weight_of(smoothed.weights, v, 3), weight_of(before.weights, v, 3)) << v;
  }
}

TEST(Smooth, a_vertex_whose_neighbors_have_only_locked_bones_stays_filled) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}};
  Skin skin;
  skin.weights = weights_from_dense(std::vector<double>{0.25, 0.75, 1, 0, 1, 0}, 2);
  Locks locks;
  locks.set(0);
  EXPECT_EQ(smooth(mesh, skin, {.strength = 1, .locks = locks}), skin);
}

TEST(Smooth, an_uncovered_vertex_is_filled_from_its_neighbors) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, 5}};
  mesh.triangles = {{0, 1, 2}};
  Skin skin;
  skin.weights = weights_from_dense(std::vector<double>{0, 0, 1, 0, 0, 1, 0, 0}, 2);
  const Skin smoothed = smooth(mesh, skin, {.strength = 0.1});
  EXPECT_NEAR(weight_of(smoothed.weights, 0, 0), 0.5, 1e-15);
  EXPECT_NEAR(weight_of(smoothed.weights, 0, 1), 0.5, 1e-15);
  EXPECT_TRUE(smoothed.weights.row(3).empty());
}

TEST(Smooth, endpoint_weights_change_only_on_request) {
  Rig rig = make_tube({.bones = 1});
  rig.skin.endpoints[500] = 1 - rig.skin.endpoints[500];
  const Skin kept = smooth(rig.mesh, skin_of(rig));
  EXPECT_EQ(kept.endpoints, rig.skin.endpoints);
  const Skin smoothed =
      smooth(rig.mesh, skin_of(rig), {.strength = 1, .bone_weights = false, .endpoints = true});
  EXPECT_EQ(smoothed.weights, rig.skin.weights);
  EXPECT_LT(std::fabs(smoothed.endpoints[500] - smoothed.endpoints[501]),
            std::fabs(rig.skin.endpoints[500] - rig.skin.endpoints[501]));
}

TEST(Smooth, locked_bones_keep_their_endpoint_weights) {
  const Rig rig = make_tube({.bones = 3});
  Locks locks;
  locks.set(1);
  const Skin smoothed =
      smooth(rig.mesh, skin_of(rig),
             {.strength = 1, .bone_weights = false, .endpoints = true, .locks = locks});
  std::size_t changed = 0;
  for (std::size_t i = 0; i < rig.skin.endpoints.size(); ++i) {
    if (rig.skin.weights.influences[i].bone == 1) {
      EXPECT_EQ(smoothed.endpoints[i], rig.skin.endpoints[i]);
    } else {
      changed += smoothed.endpoints[i] != rig.skin.endpoints[i] ? 1 : 0;
    }
  }
  EXPECT_GT(changed, 0u);
}

TEST(Smooth, prunes_only_on_request_and_refuses_strange_strengths) {
  const Rig rig = make_tube({.bones = 4, .bone_length = 0.1});
  const auto most = [&](std::size_t limit) {
    return summarize(
               smooth(rig.mesh, skin_of(rig), {.iterations = 9, .max_influences = limit}).weights)
        .max_influences;
  };
  EXPECT_GT(most(0), 2u);
  EXPECT_EQ(most(2), 2u);
  EXPECT_EQ(wrong_usage([&] { smooth(rig.mesh, skin_of(rig), {.strength = 1.5}); }),
            "the strength of smoothing is a number from 0 to 1");
}

}  // namespace
}  // namespace sinew
