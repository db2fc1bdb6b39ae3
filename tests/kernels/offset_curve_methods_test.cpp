// SPDX-License-Identifier: Apache-2.0
// Offset curves in double precision, and by the kernels.
#include <gtest/gtest.h>

#include "kernel_rig.h"
#include "sinew/deform/default_curves.h"
#include "sinew/kernels/binding.h"
#include "sinew/kernels/deformer.h"
#include "sinew/kernels/targets.h"
#include "tests/kernels/shaped_tube.h"
#include "tests/support/comparing.h"

namespace sinew {
namespace {

std::vector<Vec3> directions(const std::vector<Vec4>& tangents) {
  std::vector<Vec3> result;
  for (const Vec4& t : tangents) result.push_back({t.x, t.y, t.z});
  return result;
}

class OffsetCurveMethods : public testing::TestWithParam<const char*> {};

TEST_P(OffsetCurveMethods, equal_the_reference_pose_after_pose) {
  const Rig rig = test::shaped_tube();
  const double size = bounding_box(rig.mesh.positions).diagonal();
  const Method method = method_from_name(GetParam(), rig);
  Deformer deformer(rig, method, {.normals = true});
  for (const test::ShapedMoment& moment : test::moments(rig)) {
    const Deformed expected = deform_reference(rig, moment.bones, moment.shapes, method, true);
    const Deformed result = deformer.at(moment.bones, moment.shapes);
    EXPECT_LE(largest_difference(result.positions, expected.positions), 1e-12 * size);
    EXPECT_LE(largest_difference(result.normals, expected.normals), 1e-9);
    EXPECT_LE(largest_difference(directions(result.tangents), directions(expected.tangents)), 1e-9);
  }
}

TEST_P(OffsetCurveMethods, kernels_of_every_target_match_the_reference_in_any_pose) {
  Rig rig = test::kernel_rig({.vertices = 1001});
  const double size = bounding_box(rig.mesh.positions).diagonal();
  const std::size_t count = rig.mesh.vertex_count();
  const Method method = method_from_name(GetParam(), rig);
  Palette palette(Plan(Binding(rig, {.slopes = false}), method));
  test::PoseOptions scaled;
  scaled.scale = true;
  for (const auto& pose : {test::kernel_pose(rig), test::kernel_pose(rig, scaled, 8)}) {
    const Deformed expected = deform_reference(rig, pose, {}, method);
    palette.update(pose);
    for (const std::string& target : kernel_targets()) {
      use_kernel_target(target);
      std::vector<Vec3f> tight(count);
      deform(palette, {.positions = &tight.data()->x});
      EXPECT_LE(largest_difference(tight, expected.positions), 2e-5 * size) << target;
      // The same bits wherever they go, and nothing between them.
      std::vector<float> apart(5 * count, -7.0f);
      deform(palette, {.positions = apart.data(), .position_stride = 5 * sizeof(float)});
      for (std::size_t v = 0; v < count; ++v) {
        EXPECT_EQ(apart[5 * v], tight[v].x) << v;
        EXPECT_EQ(apart[5 * v + 2], tight[v].z) << v;
        EXPECT_EQ(apart[5 * v + 3], -7.0f) << v;
      }
    }
    use_kernel_target("");
  }
}

// Small angles are polynomials of the place on the bone; not so where artists' curves bend them.
TEST_P(OffsetCurveMethods, kernels_match_the_reference_for_twists_of_any_size) {
  Rig rig = test::kernel_rig({.vertices = 1001});
  const double size = bounding_box(rig.mesh.positions).diagonal();
  for (const bool is_curved : {false, true}) {
    if (is_curved) {
      rig.offset_curves.curves = default_curves(rig.skeleton);
      for (InfluenceCurve& curve : rig.offset_curves.curves) {
        curve.controls.twist = {.points = {{0, 0}, {0.3, 0.9}, {0.6, 0.2}, {1, 1}}, .free = true};
      }
    }
    const Method method = method_from_name(GetParam(), rig);
    Palette palette(Plan(Binding(rig, {.slopes = false}), method));
    for (const double twist : {0.0, 0.5, 5.0, 20.0, 45.0, 90.0, 400.0}) {
      const auto pose =
          test::kernel_pose(rig, {.twist = radians(twist), .least_stretch = 1, .most_stretch = 1});
      const Deformed expected = deform_reference(rig, pose, {}, method);
      palette.update(pose);
      std::vector<Vec3f> result(rig.mesh.vertex_count());
      deform(palette, {.positions = &result.data()->x});
      EXPECT_LE(largest_difference(result, expected.positions), 1e-5 * size) << twist << is_curved;
    }
  }
}

// Joints that do not bend leave their curves as they are at bind; what moves points there are
// controls.
TEST_P(OffsetCurveMethods, kernels_match_the_reference_where_few_joints_bend) {
  Rig rig = test::kernel_rig({.vertices = 1001});
  const double size = bounding_box(rig.mesh.positions).diagonal();
  rig.offset_curves.curves = default_curves(rig.skeleton);
  const std::vector<CurveControls> settings{
      {}, {.along = 0.05}, {.outward = 0.05}, {.rescale = 0.9}, {.slide = 0.1}};
  for (std::size_t k = 0; k < settings.size(); ++k) {
    for (InfluenceCurve& curve : rig.offset_curves.curves) curve.controls = settings[k];
    const Method method = method_from_name(GetParam(), rig);
    const auto pose = test::few_bends(rig);
    const Deformed expected = deform_reference(rig, pose, {}, method);
    Palette palette(Plan(Binding(rig, {.slopes = false}), method));
    palette.update(pose);
    std::vector<Vec3f> result(rig.mesh.vertex_count());
    deform(palette, {.positions = &result.data()->x});
    EXPECT_LE(largest_difference(result, expected.positions), 1e-5 * size) << k;
  }
}

// Vertices are brought into another order within blocks, of which the last one here has few.
TEST_P(OffsetCurveMethods, kernels_match_the_reference_in_several_blocks) {
  const Rig rig = test::kernel_rig({.vertices = 9001});
  const double size = bounding_box(rig.mesh.positions).diagonal();
  const Method method = method_from_name(GetParam(), rig);
  const auto pose = test::kernel_pose(rig);
  const Deformed expected = deform_reference(rig, pose, {}, method);
  Palette palette(Plan(Binding(rig, {.slopes = false}), method));
  palette.update(pose);
  for (const std::string& target : kernel_targets()) {
    use_kernel_target(target);
    std::vector<Vec3f> result(rig.mesh.vertex_count());
    deform(palette, {.positions = &result.data()->x});
    EXPECT_LE(largest_difference(result, expected.positions), 2e-5 * size) << target;
  }
  use_kernel_target("");
}

INSTANTIATE_TEST_SUITE_P(, OffsetCurveMethods, testing::Values("ocd-arc", "ocd-spline"),
                         [](const auto& test) {
                           return std::string(test.param) == "ocd-arc" ? "arc" : "spline";
                         });

}  // namespace
}  // namespace sinew
