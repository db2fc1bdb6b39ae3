// SPDX-License-Identifier: Apache-2.0
// What functions of weights require of their callers, and that they refuse the rest.
#include <limits>

#include "sinew/skin/projection.h"
#include "sinew/weights/brush.h"
#include "sinew/weights/compute_weights.h"
#include "sinew/weights/locks.h"
#include "sinew/weights/mirror.h"
#include "tests/support/refusals.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

TEST(WeightRequirements, offsets_fit_the_influences) {
  const Weights sound{{0, 1, 3}, {{0, 1}, {0, 0.5}, {1, 0.5}}};
  const auto refused = [&](std::vector<std::size_t> offsets, std::size_t vertices = 2) {
    Weights weights = sound;
    weights.offsets = std::move(offsets);
    return bad_input([&] { validate(weights, vertices, 2); });
  };
  EXPECT_EQ(refused({0, 1, 3}), "");
  const std::string ends =
      "weights: their offsets must begin with 0 and end with the number of influences";
  EXPECT_EQ(refused({1, 1, 3}), ends);
  EXPECT_EQ(refused({0, 1, 4}), ends);
  EXPECT_EQ(refused({0, 1, 2}), ends);
  EXPECT_EQ(refused({}, 0), ends);
  EXPECT_EQ(refused({0, 9, 3}), "vertex 0: its row goes from 0 to 9, but there are 3 influences");
  EXPECT_EQ(refused({0, 2, 1, 3}, 3),
            "vertex 1: its row goes from 2 to 1, but there are 3 influences");
}

TEST(WeightRequirements, dense_weights_are_whole_rows) {
  const std::vector<double> five(5, 0.5);
  EXPECT_EQ(wrong_usage([&] { weights_from_dense(five, 2); }),
            "5 values are no whole rows of 2 bones");
  EXPECT_EQ(wrong_usage([&] { weights_from_dense(five, 0); }),
            "5 values are no whole rows of 0 bones");
  EXPECT_EQ(weights_from_dense(five, 5).vertex_count(), 1u);
  EXPECT_EQ(weights_from_dense({}, 0).vertex_count(), 0u);
  EXPECT_EQ(wrong_usage([&] { to_dense(weights_from_dense(five, 5), 4); }),
            "there are weights of bone 4, but 4 bones");
}

TEST(WeightRequirements, projection_needs_a_row_for_each_position_and_bones_that_exist) {
  const Rig rig = tube_rig();
  EXPECT_EQ(bad_input([&] { projection_endpoints({}, rig.skeleton, rig.skin.weights); }),
            "weights: " + std::to_string(rig.mesh.vertex_count()) + " rows for 0 vertices");
  Weights weights = rig.skin.weights;
  weights.influences[0].bone = 3;
  EXPECT_EQ(bad_input([&] { projection_endpoints(rig.mesh.positions, rig.skeleton, weights); }),
            "vertex 0: it is tied to bone 3, but there are 3 bones");
}

TEST(WeightRequirements, locks_and_values_are_of_bones_and_finite) {
  Locks locks;
  EXPECT_EQ(wrong_usage([&] { locks.set(-1); }), "there is no bone -1 to lock");
  std::vector<Influence> row{{0, 1}};
  const Influence bad{0, not_a_number};
  EXPECT_EQ(wrong_usage([&] {
              set_weights(row, {&bad, 1}, locks);
            }),
            "bone 0 cannot have the weight nan");
  EXPECT_EQ(row, (std::vector<Influence>{{0, 1}}));
  EXPECT_EQ(evaluate({}, not_a_number), 0);
}

TEST(WeightRequirements, a_painter_has_rows_of_its_vertices_alone) {
  const Rig rig = tube_rig({.rings = 2, .sides = 3});
  const WeightPainter painter(rig.mesh, rig.skeleton, {rig.skin.weights, {}, {}});
  EXPECT_EQ(wrong_usage([&] { painter.row(12); }), "there is no vertex 12; there are 12");
}

TEST(WeightRequirements, tolerances_of_mirroring_are_numbers) {
  const Rig rig = tube_rig({.rings = 2, .sides = 3});
  MirrorOptions options;
  options.tolerance = not_a_number;
  EXPECT_EQ(wrong_usage([&] {
              mirror(rig.mesh, rig.skeleton, {rig.skin.weights, {}, {}}, options);
            }),
            "tolerances for vertices and bones must be numbers of at least 0");
}

TEST(WeightRequirements, a_method_that_is_not_there_gets_the_nearest_named) {
  EXPECT_EQ(
      wrong_usage([] { weight_method_from_name("voxels"); }),
      "there is no weight method 'voxels' (did you mean 'voxel'?); there are bbw, heat, voxel, "
      "shepard, idw, rigid");
  EXPECT_EQ(wrong_usage([] {
              endpoint_method_from_name("projected");
            }).find("there is no endpoint method 'projected' (did you mean 'projection'?)"),
            0u);
}

}  // namespace
}  // namespace sinew
