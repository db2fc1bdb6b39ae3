// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/stretchable.h"

#include <gtest/gtest.h>

#include "sinew/skin/projection.h"
#include "sinew/weights/heat.h"
#include "sinew/weights/inverse_distance.h"
#include "sinew/weights/report.h"
#include "sinew/weights/report_json.h"
#include "sinew/weights/rigid.h"
#include "tests/support/torture.h"

namespace sinew {
namespace {

std::vector<BoneIndex> stiff_bones(const Torture& t, const Weights& weights,
                                   const std::vector<double>& e) {
  return bones_that_cannot_stretch(t.mesh.positions, t.skeleton, weights, e);
}

TEST(Stretchable, bones_with_endpoint_weights_that_hardly_vary_are_found) {
  const Torture t = torture("limb", limb(), limb_bones());
  const Weights weights = rigid_weights(t.mesh.positions, t.skeleton);
  std::vector<double> e = projection_endpoints(t.mesh.positions, t.skeleton, weights);
  EXPECT_TRUE(stiff_bones(t, weights, e).empty());
  for (std::size_t i = 0; i < e.size(); ++i) {
    if (weights.influences[i].bone == 1) e[i] = 0.5 + 0.05 * (e[i] - 0.5);
  }
  EXPECT_EQ(stiff_bones(t, weights, e), std::vector<BoneIndex>{1});
  for (double& value : e) value = 0;
  EXPECT_EQ(stiff_bones(t, weights, e), (std::vector<BoneIndex>{0, 1}));
}

TEST(Stretchable, every_method_passes_on_a_limb) {
  const Torture t = torture("limb", limb(), limb_bones());
  const Weights weights = rigid_weights(t.mesh.positions, t.skeleton);
  EXPECT_TRUE(
      stiff_bones(t, weights, inverse_distance_endpoints(t.mesh.positions, t.skeleton, weights))
          .empty());
  EXPECT_TRUE(
      stiff_bones(t, weights, heat_endpoints(t.mesh, t.skeleton, weights).endpoints).empty());
}

TEST(Stretchable, bones_that_move_nothing_beside_them_are_no_alarm) {
  // Below the limb, pointing away from it; and a tiny one inside.
  for (const Skeleton& bones :
       {chain({{0, -0.5, 0}, {0, -1.5, 0}}), chain({{0, 1, 0}, {0, 1.02, 0}})}) {
    const Torture t = torture("limb", limb(), bones);
    const Weights weights = rigid_weights(t.mesh.positions, t.skeleton);
    EXPECT_TRUE(
        stiff_bones(t, weights, std::vector<double>(weights.influences.size(), 0.5)).empty());
  }
}

TEST(Stretchable, the_report_names_them_and_the_result_is_poor) {
  const Torture t = torture("limb", limb(), limb_bones());
  Skin skin;
  skin.weights = rigid_weights(t.mesh.positions, t.skeleton);
  skin.endpoints = projection_endpoints(t.mesh.positions, t.skeleton, skin.weights);
  const WeightReport good = make_report(t.mesh, t.skeleton, skin);
  EXPECT_FALSE(poor(good));
  EXPECT_TRUE(good.cannot_stretch.empty());
  for (double& e : skin.endpoints) e = 0;
  const WeightReport report = make_report(t.mesh, t.skeleton, skin);
  EXPECT_TRUE(poor(report));
  EXPECT_EQ(report.cannot_stretch, (std::vector<BoneIndex>{0, 1}));
  EXPECT_NE(to_text(report).find("2 bones cannot stretch or twist"), std::string::npos);
  EXPECT_NE(to_text(report).find("0, 1"), std::string::npos);
  EXPECT_NE(report_to_json(report).find("\"cannot_stretch\": [\n    0,\n    1\n  ]"),
            std::string::npos);
}

// Nothing in a clip can stretch a bone whose end is no joint: said, but no failure.
TEST(Stretchable, bones_that_end_at_no_joint_are_named_all_the_same) {
  Torture t = torture("limb", limb(), chain({{0, 0.1, 0}, {0, 1.9, 0}}));
  Skin skin;
  skin.weights = rigid_weights(t.mesh.positions, t.skeleton);
  skin.endpoints.assign(skin.weights.influences.size(), 0.5);
  EXPECT_TRUE(poor(make_report(t.mesh, t.skeleton, skin)));
  t.skeleton.bones[0].tail_joint = no_joint;
  const WeightReport report = make_report(t.mesh, t.skeleton, skin);
  EXPECT_EQ(report.cannot_stretch, std::vector<BoneIndex>{0});
  EXPECT_FALSE(poor(report));
}

TEST(Stretchable, what_weights_and_endpoints_both_note_is_said_once) {
  WeightReport report;
  report.solve.repairs = {"odd", "only weights"};
  report.solve_endpoints.repairs = {"odd", "only endpoints"};
  EXPECT_EQ(findings(report), (std::vector<std::string>{"odd", "only weights", "only endpoints"}));
}

}  // namespace
}  // namespace sinew
