// SPDX-License-Identifier: Apache-2.0
// Shapes so far from the origin that a float there has no detail of them.
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/deform/deform.h"
#include "sinew/kernels/binding.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

// A tube that is bent, twisted and stretched; bound and posed this far from the origin.
struct FarTube {
  Rig rig = make_tube({.rings = 21, .sides = 8});
  std::vector<BoneState> pose;

  FarTube(const Vec3& bound, const Vec3& posed) {
    for (Vec3& p : rig.mesh.positions) p += bound;
    for (Joint& joint : rig.skeleton.joints) {
      if (joint.parent == no_joint) joint.rest.translation += bound;
    }
    for (Bone& bone : rig.skeleton.bones) {
      bone.head += bound;
      bone.tail += bound;
      bone.inverse_bind.translation -= bone.inverse_bind.linear * bound;
    }
    const std::vector<BonePose> bones{
        {posed, posed + Vec3{0.8, 0.3, 0.1}, {}, 0.2, 1.5},
        {posed + Vec3{0.8, 0.3, 0.1}, posed + Vec3{1.1, 1.6, 0.2}, {}, 1.5, -0.4}};
    pose = bone_states(rig.skeleton, bones);
  }
};

double largest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t v = 0; v < b.size(); ++v) {
    const double d = distance(a.at(v), b[v]);
    most = d <= most ? most : d;  // NaN comes through
  }
  return most;
}

class FarFromTheOrigin : public testing::TestWithParam<Vec3> {};

// In double precision as near the origin; in floats as exact as they are there.
TEST_P(FarFromTheOrigin, shapes_keep_their_detail) {
  const FarTube at_origin({}, {});
  for (const Vec3& bound : {Vec3{}, GetParam()}) {
    const FarTube tube(bound, GetParam());
    const Binding binding(tube.rig);
    for (const MethodInfo* info : methods()) {
      SCOPED_TRACE(info->name);
      const Method method = method_from_name(info->name, tube.rig);
      const Deformed expected = deform_reference(tube.rig, tube.pose, {}, method, true);
      Palette palette(Plan(binding, method));
      palette.update(tube.pose);
      const Deformed deformed = palette.deformed(true);
      const double rounding = length(GetParam()) * 0x1p-48;  // of doubles there, in some steps
      EXPECT_LT(largest(deformed.positions, expected.positions), 1e-5 + rounding);
      // The reference has its normals from points side by side, which doubles there lose, too.
      const Deformed near = deform_reference(at_origin.rig, at_origin.pose, {}, method, true);
      // Offset curves are bound at points side by side.
      const bool is_curve = info->name.starts_with("ocd");
      EXPECT_LT(largest(deformed.normals, near.normals), is_curve ? 5e-3 : 2e-3);
      std::vector<Vec3f> floats(tube.rig.mesh.vertex_count());
      deform(palette, {.positions = &floats[0].x});
      for (std::size_t v = 0; v < floats.size(); ++v) {
        for (std::size_t k = 0; k < 3; ++k) {
          const float x = static_cast<float>(expected.positions[v][k]);
          // Where the exact number is between two floats, either may be the nearer one.
          EXPECT_NEAR(double(floats[v][k]), expected.positions[v][k],
                      (std::nextafter(std::fabs(x), INFINITY) - std::fabs(x)) * 0.51 + 1e-5)
              << v;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Offsets, FarFromTheOrigin,
                         testing::Values(Vec3{1e4, 0, 0}, Vec3{1e6, -2e6, 3e5}, Vec3{0, 1e9, 0}));

TEST(FarShapes, poses_near_it_have_the_bits_of_one_that_never_left) {
  const FarTube near({}, {1, 2, 3}), far({}, {1e6, 0, 0});
  const Binding binding(near.rig);
  for (const MethodInfo* info : methods()) {
    const Plan plan(binding, method_from_name(info->name, near.rig));
    Palette stayed(plan), returned(plan);
    stayed.update(near.pose);
    returned.update(far.pose);
    returned.update(near.pose);
    EXPECT_EQ(stayed.deformed(false).positions, returned.deformed(false).positions) << info->name;
  }
}

// The others keep their detail, but for delta mush, which moves all vertices with their neighbours.
TEST(FarShapes, vertices_without_weights_stay) {
  FarTube tube({}, {1e6, 0, 0});
  Weights some;
  for (std::size_t v = 0; v < tube.rig.mesh.vertex_count(); ++v) {
    const auto row = tube.rig.skin.weights.row(v);
    some.push_row(v == 0 ? std::span<const Influence>() : row);
  }
  tube.rig.skin.weights = some;
  tube.rig.skin.endpoints.clear();
  const Binding binding(tube.rig);
  for (const MethodInfo* info : methods()) {
    if (info->name == "delta-mush") continue;
    SCOPED_TRACE(info->name);
    const Method method = method_from_name(info->name, tube.rig);
    const Deformed expected = deform_reference(tube.rig, tube.pose, {}, method, false);
    Palette palette(Plan(binding, method));
    palette.update(tube.pose);
    const std::vector<Vec3> deformed = palette.deformed(false).positions;
    EXPECT_LT(largest(deformed, expected.positions), 2e-5);
    // Offset curves move it with the others: their weights are their own.
    if (info->name.starts_with("ocd")) continue;
    EXPECT_LT(distance(deformed[0], tube.rig.mesh.positions[0]), 1e-6);
    std::vector<Vec3f> floats(tube.rig.mesh.vertex_count());
    deform(palette, {.positions = &floats[0].x});
    EXPECT_LT(distance({floats[0].x, floats[0].y, floats[0].z}, tube.rig.mesh.positions[0]), 1e-6);
  }
}

}  // namespace
}  // namespace sinew
