// SPDX-License-Identifier: Apache-2.0
#include "sinew/kernels/deformer.h"

#include <gtest/gtest.h>

#include "tests/kernels/shaped_tube.h"

namespace sinew {
namespace {

TEST(Deformer, the_reference_can_be_asked_for) {
  const Rig rig = test::shaped_tube();
  const test::ShapedMoment moment = test::moments(rig).back();
  const Method method = method_from_name("stbs-dqs", rig);
  Deformer deformer(rig, method, {.normals = true, .reference = true});
  const Deformed expected = deform_reference(rig, moment.bones, moment.shapes, method, true);
  const Deformed result = deformer.at(moment.bones, moment.shapes);
  EXPECT_EQ(result.positions, expected.positions);
  EXPECT_EQ(result.normals, expected.normals);
}

}  // namespace
}  // namespace sinew
