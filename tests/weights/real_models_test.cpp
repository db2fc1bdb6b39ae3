// SPDX-License-Identifier: Apache-2.0
// Models by artists, weighed from scratch with their own skeletons.
#include <functional>

#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "sinew/weights/heat.h"
#include "sinew/weights/inverse_distance.h"
#include "sinew/weights/rigid.h"
#include "sinew/weights/shepard.h"
#include "sinew/weights/voxel.h"
#include "tests/support/assets.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

struct NamedMethod {
  const char* name;
  std::function<Weights(const Rig&)> weigh;
};

const std::vector<NamedMethod>& methods() {
  static const std::vector<NamedMethod> all = {
      {"rigid", [](const Rig& r) { return rigid_weights(r.mesh.positions, r.skeleton); }},
      {"idw", [](const Rig& r) { return inverse_distance_weights(r.mesh.positions, r.skeleton); }},
      {"shepard", [](const Rig& r) { return shepard_weights(r.mesh.positions, r.skeleton); }},
      {"voxel", [](const Rig& r) { return voxel_weights(r.mesh, r.skeleton).weights; }},
      {"heat", [](const Rig& r) { return heat_weights(r.mesh, r.skeleton).weights; }}};
  return all;
}

double mean_difference(const Weights& a, const Weights& b, std::size_t bones) {
  const std::vector<double> x = to_dense(a, bones);
  const std::vector<double> y = to_dense(b, bones);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::fabs(x[i] - y[i]);
  return sum / static_cast<double>(x.size());
}

void weigh_again(const std::filesystem::path& path) {
  const Rig rig = read_rig(path);
  for (const NamedMethod& method : methods()) {
    const Weights weights = method.weigh(rig);
    const std::size_t bones = rig.skeleton.bones.size();
    expect_full_weights(weights, rig.mesh.vertex_count(), bones, method.name);
    const double difference = mean_difference(weights, rig.weights, bones);
    testing::Test::RecordProperty(method.name, std::to_string(difference));
    // Following a bone at random would differ by 2 / bones.
    EXPECT_LT(difference, 1.0 / static_cast<double>(bones)) << method.name;
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
