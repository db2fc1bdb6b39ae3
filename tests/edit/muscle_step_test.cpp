// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/muscle_step.h"

#include <gtest/gtest.h>

#include "sinew/edit/edit.h"
#include "sinew/rig/replace_skeleton.h"
#include "sinew/skeleton/bones.h"
#include "tests/support/refusals.h"
#include "tests/support/two_arms.h"

namespace sinew {
namespace {

using Modifiers = std::vector<std::pair<std::string, std::string>>;

StepReport apply_muscle(Rig& rig, const std::string& bones, const Modifiers& modifiers = {}) {
  const std::vector<EditStep> steps{parse_step({"muscle", bones, modifiers})};
  return edit(rig, steps).steps.at(0);
}

std::string refused_muscle(const std::string& bones, const Modifiers& modifiers = {}) {
  Rig rig = make_two_arms();
  return wrong_usage([&] { apply_muscle(rig, bones, modifiers); });
}

std::vector<std::string> names_in(const StepReport& report, const std::string& name) {
  for (const StepFact& fact : report.facts) {
    if (fact.name == name) return std::get<std::vector<std::string>>(fact.value);
  }
  return {};
}

TEST(MuscleStep, gives_bones_a_muscle_says_so_and_takes_it_away) {
  Rig rig = make_two_arms();
  const Rig before = rig;
  const StepReport report = apply_muscle(rig, "upper_arm.L,upper_arm.R",
                                         {{"by-angle", "forearm.L:10:120:0.4"},
                                          {"axis", "0,0,1"},
                                          {"by-stretch", "0.5"},
                                          {"profile", "0:0,0.3:1,1:0"},
                                          {"side", "front"}});
  EXPECT_EQ(names_in(report, "muscles"), (std::vector<std::string>{"upper_arm.L", "upper_arm.R"}));
  EXPECT_EQ(names_in(report, "before"), (std::vector<std::string>{"none", "none"}));
  EXPECT_EQ(report.arguments,
            "upper_arm.L,upper_arm.R by-stretch 0.5 by-angle forearm.L:10:120:0.4 axis 0,0,1 "
            "profile 0:0,0.3:1,1:0 side 0,0,1");
  Muscle expected{.stretch = 0.5, .side = Vec3{0, 0, 1}};
  expected.profile.points = {{0, 0}, {0.3, 1}, {1, 0}};
  expected.angle = MuscleAngle{2, Vec3{0, 0, 1}, 10, 120, 0.4};
  EXPECT_EQ(rig.skin.muscles[1], expected);
  EXPECT_EQ(rig.skin.muscles[3], expected);
  EXPECT_TRUE(rig.skin.muscles[0].is_none());
  apply_muscle(rig, "upper_arm.L,upper_arm.R=none");
  EXPECT_EQ(rig, before);
}

TEST(MuscleStep, is_driven_by_stretch_if_nothing_is_said) {
  Rig rig = make_two_arms();
  apply_muscle(rig, "forearm.L");
  EXPECT_EQ(rig.skin.muscles[2], (Muscle{.stretch = 1}));
}

TEST(MuscleStep, wrong_arguments_are_refused) {
  EXPECT_EQ(refused_muscle("forearm.L", {{"by-angle", "forearm.L:0:120"}}),
            "--by-angle: 'forearm.L:0:120' is not of the form JOINT:START:END:GAIN, as "
            "forearm.L:0:120:0.4");
  EXPECT_NE(refused_muscle("forearm.L", {{"by-angle", "forearm.l:0:120:1"}})
                .find("--by-angle: there is no joint 'forearm.l'"),
            std::string::npos);
  EXPECT_EQ(refused_muscle("forearm.L", {{"by-stretch", "much"}}),
            "--by-stretch: 'much' is no number");
  EXPECT_EQ(refused_muscle("forearm.L", {{"side", "1,2"}}),
            "--side: '1,2' is no direction: x,y,z, or left, right, up, down, front or back");
  EXPECT_EQ(refused_muscle("forearm.L", {{"axis", "0,0,1"}}),
            "--axis is that of an angle: give --by-angle, too");
  EXPECT_EQ(refused_muscle("forearm.L", {{"by-stretch", "0"}}),
            "--muscle: nothing drives it; BONES=none removes a muscle");
  EXPECT_NE(refused_muscle("forearm.L", {{"by-stretch", "12"}}).find("its gain is 12"),
            std::string::npos);
  EXPECT_NE(refused_muscle("forearm.L", {{"profile", "0:0,0:1"}}).find("--profile: "),
            std::string::npos);
  EXPECT_NE(refused_muscle("wing").find("wing"), std::string::npos);
  EXPECT_NE(refused_muscle("forearm.L=none", {{"by-stretch", "1"}}).find("takes nothing after it"),
            std::string::npos);
}

TEST(MuscleStep, mirroring_weights_mirrors_muscles) {
  Rig rig = make_two_arms();
  apply_muscle(rig, "upper_arm.L",
               {{"by-angle", "forearm.L:0:120:0.4"}, {"axis", "0,0,1"}, {"side", "1,0,2"}});
  apply_muscle(rig, "forearm.R", {{"by-stretch", "0.3"}});
  Rig from_right = rig, both = rig;
  const std::vector<EditStep> left{MirrorStep{}};
  const StepReport report = edit(rig, left).steps.at(0);
  EXPECT_EQ(names_in(report, "mirrored_muscles"),
            (std::vector<std::string>{"upper_arm.R", "forearm.R"}));
  const Muscle& copy = rig.skin.muscles[3];
  EXPECT_EQ(copy.side, (Vec3{-1, 0, 2}));
  ASSERT_TRUE(copy.angle);
  EXPECT_EQ(copy.angle->joint, 4);
  // To bend the mirrored elbow alike takes the opposite turn about z.
  EXPECT_EQ(copy.angle->axis, (Vec3{0, 0, -1}));
  EXPECT_TRUE(rig.skin.muscles[4].is_none());
  const std::vector<EditStep> right{MirrorStep{.from = MirrorStep::From::right}};
  edit(from_right, right);
  EXPECT_TRUE(from_right.skin.muscles[1].is_none());
  EXPECT_EQ(from_right.skin.muscles[2].stretch, 0.3);
  const std::vector<EditStep> mean{MirrorStep{.from = MirrorStep::From::both}};
  edit(both, mean);
  EXPECT_FALSE(both.skin.muscles[3].is_none());
  EXPECT_EQ(both.skin.muscles[2].stretch, 0.3);
  EXPECT_FALSE(both.skin.muscles[1].is_none());
}

TEST(MuscleStep, other_steps_and_other_skeletons_keep_muscles) {
  Rig rig = make_two_arms();
  apply_muscle(rig, "upper_arm.L", {{"by-angle", "forearm.L:0:120:0.4"}});
  apply_muscle(rig, "forearm.R");
  const std::vector<Muscle> muscles = rig.skin.muscles;
  const std::vector<EditStep> steps{parse_step({"smooth", "2"}), parse_step({"prune", "2"}),
                                    parse_step({"normalize"})};
  edit(rig, steps);
  EXPECT_EQ(rig.skin.muscles, muscles);
  // Without the joint that a muscle follows, and with joints in another order.
  Skeleton fewer = rig.skeleton;
  fewer.joints = {rig.skeleton.joints[0], rig.skeleton.joints[3], rig.skeleton.joints[4],
                  rig.skeleton.joints[1]};
  fewer.joints[2].parent = 1;
  fewer.bones = bones_from_joints(fewer);
  replace_skeleton(rig, fewer);
  ASSERT_EQ(rig.skin.muscles.size(), 4u);
  EXPECT_EQ(rig.skin.muscles[2], (Muscle{.stretch = 1}));
  EXPECT_TRUE(rig.skin.muscles[3].is_none());
}

}  // namespace
}  // namespace sinew
