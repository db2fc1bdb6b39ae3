// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <gtest/gtest.h>

#include "sinew/draw/colors.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

// The shade that each vertex's colour was multiplied by.
std::vector<double> shades(const Rig& rig, std::span<const BoneIndex> bones, int count) {
  Mesh mesh = rig.mesh;
  mesh.colors.assign(mesh.vertex_count(), {1, 1, 1, 0.5});
  std::vector<double> result;
  for (const Vec4& color : striped_colors(mesh, rig.skeleton, rig.skin.weights, bones, count)) {
    EXPECT_EQ(color.x, color.y);
    EXPECT_EQ(color.x, color.z);
    EXPECT_EQ(color.w, 0.5);
    result.push_back(color.x);
  }
  return result;
}

TEST(Stripes, are_as_many_as_asked_for_and_go_on_from_bone_to_bone) {
  // The second bone points another way, as in a limb that is not quite straight.
  Rig rig = make_tube({.sides = 48});
  rig.skeleton.bones[1].tail += Vec3{0, 0.1, 0.12};
  const auto shade = shades(rig, {}, 4);
  const auto at = [&](std::size_t ring, std::size_t side) { return shade[ring * 48 + side]; };
  std::size_t light = 0, dark = 0;
  for (std::size_t s = 0; s < 48; ++s) {
    // Clearly within a stripe: five of the six vertices of each.
    if (at(3, s) > 0.8) ++light;
    if (at(3, s) < 0.4) ++dark;
    if (at(29, s) > 0.8) {
      EXPECT_GT(at(31, s), 0.6) << s;
    }
    if (at(29, s) < 0.4) {
      EXPECT_LT(at(31, s), 0.6) << s;
    }
  }
  EXPECT_EQ(light, 20u);
  EXPECT_EQ(dark, 20u);
}

TEST(Stripes, leave_the_vertices_of_other_bones_alone) {
  const Rig rig = make_tube();
  const auto all = shades(rig, {}, 6), second = shades(rig, std::array{BoneIndex(1)}, 6);
  std::size_t painted = 0;
  for (std::size_t v = 0; v < all.size(); ++v) {
    const bool is_second = rig.mesh.positions[v].x > 1 + 1e-9;
    EXPECT_EQ(second[v], is_second ? all[v] : 1) << v;
    if (second[v] != 1) ++painted;
  }
  EXPECT_GT(painted, all.size() / 4);
}

}  // namespace
}  // namespace sinew
