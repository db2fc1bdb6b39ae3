// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/weight_matrix.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/refusals.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

TEST(WeightMatrix, bone_and_endpoint_weights_survive_a_dmat) {
  Rig rig = tube_rig();
  const std::size_t bones = rig.skeleton.bones.size();
  const Matrix w = read_dmat(write_dmat(weights_to_matrix(rig.skin.weights, bones)));
  const Matrix e =
      read_dmat(write_dmat(endpoints_to_matrix(rig.skin.weights, rig.skin.endpoints, bones)));
  ASSERT_EQ(w.rows, rig.mesh.vertex_count());
  ASSERT_EQ(w.columns, bones);
  const Weights weights = weights_from_matrix(w);
  EXPECT_EQ(to_dense(weights, bones), to_dense(rig.skin.weights, bones));
  EXPECT_EQ(endpoints_from_matrix(e, rig.skin.weights), rig.skin.endpoints);
}

TEST(WeightMatrix, a_matrix_that_does_not_fit_is_an_error) {
  const Rig rig = tube_rig();
  const std::size_t bones = rig.skeleton.bones.size();
  Matrix e = endpoints_to_matrix(rig.skin.weights, rig.skin.endpoints, bones);
  EXPECT_EQ(wrong_usage([&] { endpoints_to_matrix(rig.skin.weights, {}, bones); }),
            "0 endpoint weights for 416 influences");
  EXPECT_EQ(bad_input([&] { endpoints_to_matrix(rig.skin.weights, rig.skin.endpoints, 1); }),
            "vertex 0: it is tied to bone 1, but there are 1 bones");
  EXPECT_EQ(bad_input([&] { weights_to_matrix(rig.skin.weights, 1); }),
            "vertex 0: it is tied to bone 1, but there are 1 bones");
  e.columns = 1;
  EXPECT_EQ(bad_input([&] { endpoints_from_matrix(e, rig.skin.weights); }),
            "vertex 0: it is tied to bone 1, but there are 1 bones");
}

}  // namespace
}  // namespace sinew
