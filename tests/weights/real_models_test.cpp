// SPDX-License-Identifier: Apache-2.0
// Models by artists, weighed from scratch with their own skeletons.
#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "sinew/weights/compare.h"
#include "sinew/weights/compute_weights.h"
#include "tests/support/assets.h"
#include "tests/support/sanitized.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

void weigh_again(const std::filesystem::path& path) {
  const Rig rig = read_rig(path);
  for (const std::string name : {"rigid", "idw", "shepard", "voxel", "heat", "bbw"}) {
    // Under the sanitizers, weights of any lattice will do.
    WeightMethod method = weight_method_from_name(name);
    if (auto* bbw = std::get_if<BbwOptions>(&method); bbw && sanitized) bbw->lattice_nodes = 1500;
    const Weights weights =
        compute_weights(rig.mesh, rig.skeleton, method, std::nullopt).skin.weights;
    const std::size_t bones = rig.skeleton.bones.size();
    expect_full_weights(weights, rig.mesh.vertex_count(), bones, name);
    const double difference = compare(weights, rig.skin.weights, bones).mean_per_entry;
    testing::Test::RecordProperty(name, std::to_string(difference));
    // Following a bone at random would differ by 2 / bones.
    EXPECT_LT(difference, 1.0 / static_cast<double>(bones)) << name;
  }
}

TEST(RealModels, fox_is_covered_and_near_what_the_artist_painted) {
  SINEW_ASSET_OR_SKIP(path, "Fox.glb");
  weigh_again(path);
}

TEST(RealModels, man_is_covered_and_near_what_the_artist_painted) {
  SINEW_ASSET_OR_SKIP(path, "CesiumMan.glb");
  weigh_again(path);
}

TEST(RealModels, figure_is_covered_and_near_what_the_artist_painted) {
  SINEW_ASSET_OR_SKIP(path, "RiggedFigure.glb");
  weigh_again(path);
}

// On a mesh with many fine vertices as well: the real arm, and the hand with its inner vertices.
TEST(RealModels, arm_and_hand_have_endpoint_weights_from_heat) {
  for (const char* name : {"arm.obj", "hand.mesh"}) {
    SINEW_ASSET_OR_SKIP(path, name);
    Rig rig = read_rig(path);
    std::filesystem::path skeleton = path;
    rig.skeleton = read_rig(skeleton.replace_extension(".tgf")).skeleton;
    const SolvedWeights solved = heat_weights(rig.mesh, rig.skeleton);
    expect_full_weights(solved.weights, rig.mesh.vertex_count(), rig.skeleton.bones.size(), name);
    const SolvedEndpoints ends = heat_endpoints(rig.mesh, rig.skeleton, solved.weights);
    expect_endpoints(ends.endpoints, solved.weights, name);
    EXPECT_TRUE(solved.notes.converged && ends.notes.converged);
    EXPECT_LT(solved.notes.residual, 1e-9);
  }
}

}  // namespace
}  // namespace sinew
