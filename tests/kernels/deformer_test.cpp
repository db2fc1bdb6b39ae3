// SPDX-License-Identifier: Apache-2.0
#include "sinew/kernels/deformer.h"

#include <gtest/gtest.h>

#include "tests/kernels/shaped_tube.h"
#include "tests/support/refusals.h"
#include "tests/support/tube.h"

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

TEST(Deformer, several_methods_share_the_rig_and_do_what_each_does_alone) {
  const Rig rig = test::shaped_tube();
  const test::ShapedMoment moment = test::moments(rig).back();
  std::vector<Method> chosen;
  for (const MethodInfo* info : methods()) chosen.push_back(method_from_name(info->name, rig));
  for (const bool reference : {false, true}) {
    const DeformerOptions options{.normals = true, .reference = reference};
    std::vector<Deformer> together = deformers(rig, chosen, options);
    ASSERT_EQ(together.size(), chosen.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const Deformed alone = Deformer(rig, chosen[i], options).at(moment.bones, moment.shapes);
      const Deformed shared = together[i].at(moment.bones, moment.shapes);
      EXPECT_EQ(shared.positions, alone.positions) << methods()[i]->name;
      EXPECT_EQ(shared.normals, alone.normals) << methods()[i]->name;
    }
  }
}

TEST(Deformer, a_pose_of_another_rig_is_refused) {
  const Rig rig = test::shaped_tube();
  const auto bones = test::moments(make_tube({.bones = 4})).front().bones;
  for (const MethodInfo* info : methods()) {
    Deformer deformer(rig, method_from_name(info->name, rig));
    EXPECT_EQ(wrong_usage([&] { deformer.at(bones, {}); }),
              "the pose has 4 bones, the palette was made for 3")
        << info->name;
  }
}

}  // namespace
}  // namespace sinew
