// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/bone_ends.h"

#include <gtest/gtest.h>

#include "sinew/io/gltf.h"
#include "sinew/samples/samples.h"
#include "sinew/weights/heat.h"
#include "sinew/weights/inverse_distance.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

// Files have heads of bones in single precision and tails in double.
TEST(BoneEnds, a_file_has_as_many_as_the_rig_that_it_was_written_from) {
  const Rig rig = make_sample("arm", 300);
  const Rig read = parse_gltf(to_glb({rig, nullptr})).rig;
  EXPECT_EQ(bone_ends(read.skeleton).points.size(), bone_ends(rig.skeleton).points.size());
  const Weights& weights = rig.skin.weights;
  EXPECT_LT(largest_difference(heat_endpoints(rig.mesh, rig.skeleton, weights).endpoints,
                               heat_endpoints(rig.mesh, read.skeleton, weights).endpoints),
            1e-3);
  EXPECT_LT(
      largest_difference(inverse_distance_endpoints(rig.mesh.positions, rig.skeleton, weights),
                         inverse_distance_endpoints(rig.mesh.positions, read.skeleton, weights)),
      1e-4);
}

}  // namespace
}  // namespace sinew
