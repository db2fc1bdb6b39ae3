// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/weight_matrix.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

TEST(WeightMatrix, bone_and_endpoint_weights_survive_a_dmat) {
  Rig rig = tube_rig();
  const std::size_t bones = rig.skeleton.bones.size();
  const Matrix w = read_dmat(write_dmat(weights_to_matrix(rig.weights, bones)));
  const Matrix e = read_dmat(write_dmat(endpoints_to_matrix(rig.weights, rig.endpoints, bones)));
  ASSERT_EQ(w.rows, rig.mesh.vertex_count());
  ASSERT_EQ(w.columns, bones);
  const Weights weights = weights_from_matrix(w);
  EXPECT_EQ(to_dense(weights, bones), to_dense(rig.weights, bones));
  EXPECT_EQ(endpoints_from_matrix(e, rig.weights), rig.endpoints);
}

TEST(WeightMatrix, a_matrix_that_does_not_fit_is_an_error) {
  const Rig rig = tube_rig();
  const std::size_t bones = rig.skeleton.bones.size();
  Matrix e = endpoints_to_matrix(rig.weights, rig.endpoints, bones);
  EXPECT_THROW(endpoints_to_matrix(rig.weights, {}, bones), UsageError);
  EXPECT_THROW(endpoints_to_matrix(rig.weights, rig.endpoints, 1), InputError);
  EXPECT_THROW(weights_to_matrix(rig.weights, 1), InputError);
  e.columns = 1;
  EXPECT_THROW(endpoints_from_matrix(e, rig.weights), InputError);
}

}  // namespace
}  // namespace sinew
