// SPDX-License-Identifier: Apache-2.0
#include "sinew/skin/muscle.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/skin/skin.h"
#include "tests/support/input_errors.h"

namespace sinew {
namespace {

TEST(Muscle, the_default_profile_is_a_smooth_bump_that_leaves_the_ends) {
  const Muscle muscle{.stretch = 1};
  EXPECT_EQ(bulge_profile(muscle, 0), 0);
  EXPECT_EQ(bulge_profile(muscle, 1), 0);
  EXPECT_EQ(bulge_profile(muscle, NAN), 0);
  EXPECT_DOUBLE_EQ(bulge_profile(muscle, 0.5), 1);
  EXPECT_NEAR(bulge_profile(muscle, 0.2), bulge_profile(muscle, 0.8), 1e-15);
  EXPECT_LT(bulge_profile(muscle, 1e-3), 2e-5);  // no slope at the ends
}

TEST(Muscle, profiles_go_through_their_points_and_may_fall) {
  Muscle muscle{.stretch = 1};
  muscle.profile.points = {{0.1, 0}, {0.3, 0.8}, {0.9, 0.2}};
  EXPECT_DOUBLE_EQ(bulge_profile(muscle, 0), 0);
  EXPECT_DOUBLE_EQ(bulge_profile(muscle, 0.3), 0.8);
  EXPECT_DOUBLE_EQ(bulge_profile(muscle, 1), 0.2);
  EXPECT_NO_THROW(validate(muscle));
}

TEST(Muscle, a_side_has_all_of_the_bulge_and_the_other_none) {
  Muscle muscle{.stretch = 1};
  EXPECT_EQ(bulge_side(muscle, -1), 1);
  muscle.side = Vec3{0, 0, 1};
  EXPECT_EQ(bulge_side(muscle, 1), 1);
  EXPECT_EQ(bulge_side(muscle, 0), 0.25);
  EXPECT_EQ(bulge_side(muscle, -1), 0);
}

TEST(Muscle, bad_values_are_refused_by_name) {
  const auto refusal = [](const Muscle& muscle) { return input_error([&] { validate(muscle); }); };
  Muscle muscle{.stretch = NAN};
  EXPECT_EQ(refusal(muscle), "stretch: its gain is nan; it must be a number from -10 to 10");
  muscle.stretch = 1;
  muscle.profile.points = {{0, 0}, {0.5, 1.5}};
  EXPECT_NE(refusal(muscle).find("profile filter point 1: (0.5, 1.5) must lie in [0, 1]"),
            std::string::npos);
  muscle.profile.points.clear();
  muscle.side = Vec3{};
  EXPECT_EQ(refusal(muscle), "side: it must have a length");
  muscle.side.reset();
  muscle.angle = MuscleAngle{.joint = 1, .start = -20, .end = 90};
  EXPECT_EQ(refusal(muscle),
            "angle: from -20 to 90 degrees: they must differ and lie from 0 to 180; below 0 takes "
            "an axis");
  muscle.angle->axis = Vec3{1, 0, 0};
  EXPECT_NO_THROW(validate(muscle));
  muscle.angle->end = -20;
  EXPECT_NE(refusal(muscle).find("they must differ"), std::string::npos);
  muscle.angle->end = 20;
  muscle.angle->gain = 11;
  EXPECT_EQ(refusal(muscle), "angle: its gain is 11; it must be a number from -10 to 10");
}

TEST(Muscle, a_skin_has_one_for_each_bone_or_none) {
  Skin skin;
  skin.muscles.resize(2);
  EXPECT_EQ(bones_used(skin), 2u);
  EXPECT_NO_THROW(validate(skin, 0, 2));
  EXPECT_EQ(input_error([&] { validate(skin, 0, 3); }), "muscles: 2 muscles for 3 bones");
  skin.muscles[1].stretch = 20;
  EXPECT_EQ(input_error([&] { validate(skin, 0, 2); }),
            "bone 1, muscle, stretch: its gain is 20; it must be a number from -10 to 10");
}

}  // namespace
}  // namespace sinew
