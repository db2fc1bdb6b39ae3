// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/carry_endpoints.h"

#include <gtest/gtest.h>

#include "sinew/skin/projection.h"
#include "sinew/weights/joint_endpoints.h"
#include "tests/support/refusals.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

Weights weights_of(std::initializer_list<std::vector<Influence>> rows) {
  Weights weights;
  for (const std::vector<Influence>& row : rows) weights.push_row(row);
  return weights;
}

TEST(CarryEndpoints, values_stay_with_their_bone_and_new_influences_get_the_other) {
  const Weights before = weights_of({{{0, 0.5}, {1, 0.5}}, {{2, 1}}});
  const Weights after = weights_of({{{1, 0.25}, {3, 0.75}}, {{0, 0.5}, {2, 0.5}}});
  const std::vector<double> had{0.1, 0.2, 0.3}, otherwise{0.6, 0.7, 0.8, 0.9};
  const CarriedEndpoints carried = carry_endpoints(before, had, after, otherwise);
  EXPECT_EQ(carried.endpoints, (std::vector<double>{0.2, 0.7, 0.8, 0.3}));
  EXPECT_EQ(carried.kept, 2u);
  EXPECT_EQ(carried.added, 2u);
  EXPECT_TRUE(carry_endpoints(before, {}, after, otherwise).endpoints.empty());
  EXPECT_EQ(wrong_usage([&] { carry_endpoints(before, had, after, had); }),
            "3 and 3 endpoint weights for 3 and 4 influences");
}

TEST(CarryEndpoints, other_bone_weights_keep_both_kinds) {
  Rig rig = make_tube({.bones = 3});
  for (double& e : rig.skin.endpoints) e = 0.25 + e / 2;
  for (const double e : rig.skin.endpoints) rig.skin.twist_endpoints.push_back(e * e);
  rig.skin.filters.resize(3);
  rig.skin.blend_shares.assign(rig.mesh.vertex_count(), 0.75);
  const Skin before = rig.skin;

  // Every vertex now follows all bones.
  Weights all;
  const std::vector<Influence> row{{0, 0.5}, {1, 0.25}, {2, 0.25}};
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) all.push_row(row);
  const CarriedSkin carried = replace_weights(rig.skin, all, {}, rig.mesh.positions, rig.skeleton);
  EXPECT_EQ(rig.skin.weights, all);
  EXPECT_EQ(rig.skin.filters, before.filters);
  EXPECT_EQ(rig.skin.blend_shares, before.blend_shares);
  EXPECT_EQ(carried.kept_endpoints, before.weights.influences.size());
  EXPECT_EQ(carried.kept_endpoints + carried.added_endpoints, all.influences.size());
  EXPECT_EQ(carried.kept_twist_endpoints, carried.kept_endpoints);
  const auto projected = projection_endpoints(rig.mesh.positions, rig.skeleton, all);
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    for (std::size_t b = 0; b < 3; ++b) {
      double e = projected[3 * v + b], twist = e;
      for (std::size_t i = before.weights.offsets[v]; i < before.weights.offsets[v + 1]; ++i) {
        if (before.weights.influences[i].bone != static_cast<int>(b)) continue;
        e = before.endpoints[i];
        twist = before.twist_endpoints[i];
      }
      EXPECT_EQ(rig.skin.endpoints[3 * v + b], e);
      EXPECT_EQ(rig.skin.twist_endpoints[3 * v + b], twist);
    }
  }

  // Endpoint weights that were computed replace those of the stretch alone.
  rig.skin = before;
  const std::vector<double> computed(all.influences.size(), 0.5);
  replace_weights(rig.skin, all, computed, rig.mesh.positions, rig.skeleton);
  EXPECT_EQ(rig.skin.endpoints, computed);
  EXPECT_EQ(rig.skin.twist_endpoints.size(), computed.size());
  EXPECT_EQ(rig.skin.twist_endpoints[0], before.twist_endpoints[0]);
}

TEST(CarryEndpoints, a_skin_without_endpoint_weights_gets_none) {
  Rig rig = make_tube();
  rig.skin.endpoints.clear();
  replace_weights(rig.skin, rig.skin.weights, {}, rig.mesh.positions, rig.skeleton);
  EXPECT_TRUE(rig.skin.endpoints.empty());
  EXPECT_TRUE(rig.skin.twist_endpoints.empty());
}

TEST(JointEndpoints, are_those_of_equation_7) {
  Rig rig = make_tube({.bones = 3});
  rig.skin.endpoints.clear();
  ASSERT_EQ(joints_of_bones(rig.skeleton), (std::vector<JointIndex>{0, 1, 2}));
  std::vector<double> joints;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    const double share = static_cast<double>(v % 11) / 10;
    joints.insert(joints.end(), {share, (1 - share) / 2, (1 - share) / 2});
  }
  const auto endpoints = joint_endpoints(rig.mesh.positions, rig.skeleton, rig.skin, joints);
  const auto projected = projection_endpoints(rig.mesh.positions, rig.skeleton, rig.skin.weights);
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    const double* j = joints.data() + 3 * v;
    for (std::size_t i = rig.skin.weights.offsets[v]; i < rig.skin.weights.offsets[v + 1]; ++i) {
      const int bone = rig.skin.weights.influences[i].bone;
      // The last bone ends at no joint.
      const double expected = bone == 2 ? projected[i] : ((1 - j[bone]) + j[bone + 1]) / 2;
      EXPECT_EQ(endpoints[i], expected);
    }
  }
  joints[4] = 1.5;
  EXPECT_EQ(bad_input([&] { joint_endpoints(rig.mesh.positions, rig.skeleton, rig.skin, joints); }),
            "vertex 1: its weight for joint 1 (bone1) is 1.5; it must be from 0 to 1");
  joints.pop_back();
  EXPECT_NE(
      wrong_usage([&] { joint_endpoints(rig.mesh.positions, rig.skeleton, rig.skin, joints); }),
      "");
}

}  // namespace
}  // namespace sinew
