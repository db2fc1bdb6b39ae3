// SPDX-License-Identifier: Apache-2.0
// Mirroring by the names of sides.
#include "sinew/edit/mirror_step.h"

#include <gtest/gtest.h>

#include "sinew/edit/edit.h"
#include "sinew/skeleton/bones.h"
#include "tests/support/two_arms.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

// With a dent in the weights of one arm.
Rig dented(const char* bone) {
  Rig rig = make_two_arms();
  const BoneIndex arm = find_bones(rig.skeleton, bone).at(0);
  const BoneIndex other = find_bones(rig.skeleton, "hips").at(0);
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    if (!(weight_of(rig.skin, v, arm) > 0.7)) continue;
    for (std::size_t i = rig.skin.weights.offsets[v]; i < rig.skin.weights.offsets[v + 1]; ++i) {
      Influence& influence = rig.skin.weights.influences[i];
      if (influence.bone == arm) influence.bone = other;
    }
  }
  return rig;
}

double arm_weight(const Rig& rig, const char* bone) {
  double sum = 0;
  const BoneIndex arm = find_bones(rig.skeleton, bone).at(0);
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) sum += weight_of(rig.skin, v, arm);
  return sum;
}

EditReport mirror_edit(Rig& rig, const MirrorStep& step) {
  const std::vector<EditStep> steps{step};
  return edit(rig, steps);
}

std::string fact_of(const EditReport& report, const std::string& name) {
  for (const StepFact& fact : report.steps.at(0).facts) {
    if (fact.name == name) return std::get<std::string>(fact.value);
  }
  return "";
}

// The same character looking the other way: its left is where x is below 0, and it stands aside.
Rig turned_round(Rig rig, double aside) {
  const auto turn = [&](Vec3& p) { p = {aside - p.x, p.y, -p.z}; };
  for (Vec3& p : rig.mesh.positions) turn(p);
  for (Bone& bone : rig.skeleton.bones) {
    turn(bone.head);
    turn(bone.tail);
  }
  return rig;
}

TEST(MirrorStep, left_and_right_are_the_characters_by_the_names_of_its_bones) {
  const Rig whole = make_two_arms();
  const double full = arm_weight(whole, "forearm.L");
  for (const bool turned : {false, true}) {
    for (const bool left : {false, true}) {
      // What is right is copied over what is dented.
      Rig rig = dented(left ? "forearm.R" : "forearm.L");
      if (turned) rig = turned_round(rig, 3);
      ASSERT_LT(arm_weight(rig, left ? "forearm.R" : "forearm.L"), 0.5 * full);
      const EditReport report =
          mirror_edit(rig, {0, left ? MirrorStep::From::left : MirrorStep::From::right});
      EXPECT_NEAR(arm_weight(rig, "forearm.L"), full, 1e-3 * full);
      EXPECT_NEAR(arm_weight(rig, "forearm.R"), full, 1e-3 * full);
      EXPECT_EQ(fact_of(report, "plane"), turned ? "x = 3" : "x = 0");
      EXPECT_EQ(fact_of(report, "sides"),
                turned ? "left is where x is below that, by the names of bones"
                       : "left is where x is above that, by the names of bones");
      // Vertices of the other side, and none of this.
      EXPECT_GT(report.steps[0].vertices, 20u);
      EXPECT_LT(report.steps[0].vertices, whole.mesh.vertex_count() / 2);
    }
  }
}

TEST(MirrorStep, without_names_left_is_where_the_axis_is_positive) {
  Rig rig = dented("forearm.R");
  const double full = arm_weight(rig, "forearm.L");
  const BoneIndex right = find_bones(rig.skeleton, "forearm.R").at(0);
  for (Joint& joint : rig.skeleton.joints) joint.name.clear();
  const EditReport report = mirror_edit(rig, {0, MirrorStep::From::left});
  double sum = 0;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) sum += weight_of(rig.skin, v, right);
  EXPECT_NEAR(sum, full, 1e-3 * full);
  EXPECT_EQ(fact_of(report, "sides"),
            "names of bones do not tell them apart: left is where x is positive");
}

TEST(MirrorStep, names_say_nothing_about_other_axes) {
  Rig rig = make_two_arms();
  const EditReport report = mirror_edit(rig, {1, MirrorStep::From::left, "vertex < 0"});
  EXPECT_EQ(fact_of(report, "plane"), "y = 0");
  EXPECT_EQ(fact_of(report, "sides"),
            "names of bones do not tell them apart: left is where y is positive; along x names do");
}

TEST(MirrorStep, names_with_numbers_of_their_own_tell_sides) {
  Rig rig = turned_round(make_two_arms(), 0);
  for (std::size_t j = 0; j < rig.skeleton.joints.size(); ++j) {
    rig.skeleton.joints[j].name += "_" + std::to_string(j);
  }
  EXPECT_EQ(fact_of(mirror_edit(rig, {}), "sides"),
            "left is where x is below that, by the names of bones");
}

TEST(MirrorStep, only_what_is_asked_for_is_mirrored) {
  Rig rig = dented("forearm.R");
  const Rig before = rig;
  mirror_edit(rig, {0, MirrorStep::From::left, "x < -0.5"});
  std::size_t changed = 0;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    const auto row = rig.skin.weights.row(v), old = before.skin.weights.row(v);
    if (std::equal(row.begin(), row.end(), old.begin(), old.end())) continue;
    ++changed;
    EXPECT_LT(rig.mesh.positions[v].x, -0.5);
  }
  EXPECT_GT(changed, 5u);
}

}  // namespace
}  // namespace sinew
