// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sinew/io/gltf.h"
#include "tests/support/assets.h"

namespace sinew {
namespace {

TEST(GltfAssets, cesium_man_has_19_bones_in_skin_order_and_one_clip) {
  SINEW_ASSET_OR_SKIP(path, "CesiumMan.glb");
  const Rig rig = read_gltf(path).rig;
  EXPECT_EQ(rig.mesh.vertex_count(), 3273U);
  EXPECT_EQ(rig.mesh.triangles.size(), 4672U);
  EXPECT_EQ(rig.skeleton.bones.size(), 19U);
  EXPECT_EQ(rig.skeleton.joints.size(), 22U);
  EXPECT_EQ(rig.skeleton.joints[0].name, "Skeleton_torso_joint_1");
  EXPECT_EQ(rig.clips.size(), 1U);
  EXPECT_EQ(rig.clips[0].channels.size(), 57U);
  EXPECT_EQ(rig.skin.weights.vertex_count(), 3273U);
  EXPECT_EQ(rig.mesh.normals.values.size(), 3273U);
  EXPECT_EQ(rig.mesh.uvs.values.size(), 3273U);
}

TEST(GltfAssets, fox_without_indices_has_three_clips) {
  SINEW_ASSET_OR_SKIP(path, "Fox.glb");
  const Rig rig = read_gltf(path).rig;
  EXPECT_EQ(rig.mesh.vertex_count(), 1728U);
  EXPECT_EQ(rig.mesh.triangles.size(), 576U);
  EXPECT_EQ(rig.skeleton.bones.size(), 24U);
  ASSERT_EQ(rig.clips.size(), 3U);
  EXPECT_EQ(rig.clips[0].name, "Survey");
  EXPECT_EQ(rig.clips[2].name, "Run");
}

TEST(GltfAssets, morph_stress_test_has_one_shape_per_target_over_both_primitives) {
  SINEW_ASSET_OR_SKIP(path, "MorphStressTest.glb");
  const Rig rig = read_gltf(path).rig;
  ASSERT_EQ(rig.mesh.parts.size(), 2U);
  ASSERT_EQ(rig.mesh.shapes.size(), 8U);
  EXPECT_EQ(rig.mesh.shapes[0].name, "Key 1");
  EXPECT_EQ(rig.mesh.shapes[7].name, "Key 8");
  EXPECT_EQ(rig.mesh.shapes[0].positions.size(), rig.mesh.vertex_count());
  EXPECT_TRUE(rig.mesh.shapes[0].vertices.empty());
  ASSERT_EQ(rig.clips.size(), 3U);
  const auto& channel = std::get<ShapeChannel>(rig.clips[0].channels.at(0));
  EXPECT_EQ(channel.first_shape, 0);
  EXPECT_EQ(channel.curve.values.at(0).size(), 8U);
}

TEST(GltfAssets, the_other_models_have_their_joints) {
  SINEW_ASSET_OR_SKIP(figure, "RiggedFigure.glb");
  SINEW_ASSET_OR_SKIP(simple, "RiggedSimple.glb");
  SINEW_ASSET_OR_SKIP(skin, "SimpleSkin.gltf");
  EXPECT_EQ(read_gltf(figure).rig.skeleton.bones.size(), 19U);
  EXPECT_EQ(read_gltf(figure).rig.mesh.vertex_count(), 370U);
  EXPECT_EQ(read_gltf(simple).rig.skeleton.bones.size(), 2U);
  const Rig rig = read_gltf(skin).rig;
  EXPECT_EQ(rig.skeleton.bones.size(), 2U);
  EXPECT_EQ(rig.mesh.vertex_count(), 10U);
  EXPECT_EQ(rig.clips.size(), 1U);
}

}  // namespace
}  // namespace sinew
