// SPDX-License-Identifier: Apache-2.0
#include "sinew/skeleton/mirror.h"

#include <gtest/gtest.h>

#include "sinew/samples/samples.h"

namespace sinew {
namespace {

TEST(MirrorBones, names_swap_their_side_and_nothing_else) {
  EXPECT_EQ(mirrored_name("arm.L"), "arm.R");
  EXPECT_EQ(mirrored_name("r_thigh"), "l_thigh");
  EXPECT_EQ(mirrored_name("bone_R.001"), "bone_L.001");
  EXPECT_EQ(mirrored_name("mixamorig:LeftUpLeg"), "mixamorig:RightUpLeg");
  EXPECT_EQ(mirrored_name("hand_right_2"), "hand_left_2");
  EXPECT_EQ(mirrored_name("lShldr"), "rShldr");
  EXPECT_EQ(mirrored_name("Bip01 L Hand"), "Bip01 R Hand");
  EXPECT_EQ(mirrored_name("spine"), "spine");
  EXPECT_EQ(mirrored_name("skull.001"), "skull.001");
  EXPECT_EQ(mirrored_name("root"), "root");
  EXPECT_EQ(mirrored_name("LOD_0"), "LOD_0");
  EXPECT_EQ(mirrored_name("RIG"), "RIG");
}

TEST(MirrorBones, names_say_a_side) {
  for (const char* left : {"arm.L", "l_thigh", "mixamorig:LeftUpLeg", "lShldr", "Bip01 L Hand"}) {
    EXPECT_EQ(name_side(left), NameSide::left) << left;
    EXPECT_EQ(name_side(mirrored_name(left)), NameSide::right) << left;
  }
  for (const char* none : {"spine", "skull.001", "LOD_0", "RIG", ""}) {
    EXPECT_EQ(name_side(none), NameSide::none) << none;
  }
}

TEST(MirrorBones, the_mannequin_pairs_by_names_and_by_places_alike) {
  Rig rig = make_sample("mannequin", 500);
  const Plane plane;
  const BoneMirror named = mirror_bones(rig.skeleton, plane);
  EXPECT_TRUE(named.unpaired.empty());
  for (std::size_t b = 0; b < rig.skeleton.bones.size(); ++b) {
    const auto joint = [&](int bone) { return rig.skeleton.bones[bone].joint; };
    EXPECT_EQ(rig.skeleton.joints[joint(named.partner[b])].name,
              mirrored_name(rig.skeleton.joints[joint(int(b))].name));
  }
  for (Joint& joint : rig.skeleton.joints) joint.name.clear();
  EXPECT_EQ(mirror_bones(rig.skeleton, plane).partner, named.partner);
}

TEST(MirrorBones, names_decide_between_bones_at_the_same_place) {
  const std::vector<Vec3> points = {{1, 0, 0}, {1, 1, 0}, {-1, 0, 0}, {-1, 1, 0}};
  Skeleton skeleton = skeleton_from_segments(
      points, std::vector<std::array<int, 2>>{{0, 1}, {2, 3}, {0, 1}, {2, 3}});
  // Two bones share each place; each needs a joint of its own to have a name of its own.
  for (std::size_t b = 0; b < 4; ++b) {
    skeleton.joints.push_back({});
    skeleton.joints.back().name = std::array{"a.L", "b.R", "b.L", "a.R"}[b];
    skeleton.bones[b].joint = static_cast<int>(skeleton.joints.size() - 1);
  }
  EXPECT_EQ(mirror_bones(skeleton, {}).partner, (std::vector<int>{3, 2, 1, 0}));
}

TEST(MirrorBones, a_bone_across_the_plane_is_its_own_image_turned_round) {
  const std::vector<Vec3> points = {{-1, 0, 0}, {1, 0, 0}, {1, 5, 0}};
  const Skeleton skeleton =
      skeleton_from_segments(points, std::vector<std::array<int, 2>>{{0, 1}, {1, 2}});
  const BoneMirror mirror = mirror_bones(skeleton, {});
  EXPECT_EQ(mirror.partner, (std::vector<int>{0, 1}));
  EXPECT_TRUE(mirror.reversed[0]);
  EXPECT_FALSE(mirror.reversed[1]);
  EXPECT_EQ(mirror.unpaired, std::vector<BoneIndex>{1});
}

}  // namespace
}  // namespace sinew
