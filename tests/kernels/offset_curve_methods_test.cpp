// SPDX-License-Identifier: Apache-2.0
// Offset curves are bound in double precision.
#include <gtest/gtest.h>

#include "sinew/kernels/deformer.h"
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

INSTANTIATE_TEST_SUITE_P(, OffsetCurveMethods, testing::Values("ocd-arc", "ocd-spline"),
                         [](const auto& test) {
                           return std::string(test.param) == "ocd-arc" ? "arc" : "spline";
                         });

}  // namespace
}  // namespace sinew
