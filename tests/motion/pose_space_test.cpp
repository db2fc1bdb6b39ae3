// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/pose_space.h"

#include <gtest/gtest.h>

#include "tests/support/input_errors.h"

namespace sinew {
namespace {

Skeleton two_joints() {
  Skeleton skeleton;
  skeleton.joints.resize(2);
  skeleton.joints[0].name = "elbow";
  skeleton.joints[0].rest.rotation = rotation_about(Vec3{0, 1, 0}, 0.7);
  skeleton.joints[1].name = "wrist";
  skeleton.joints[1].parent = 0;
  return skeleton;
}

Vec3 about_z(double angle) { return {0, 0, radians(angle)}; }

// Examples of the elbow at these angles about z, with shapes 0, 1, ...
PoseSpace elbow_at(const std::vector<double>& angles) {
  PoseSpace space{{0}, {}, {}};
  for (const double angle : angles) {
    space.examples.push_back({{about_z(angle)}, {int(space.examples.size())}});
  }
  return space;
}

std::vector<double> weights_at(const PoseSpace& space, int shapes, const Vec3& elbow,
                               const Vec3& wrist = {}) {
  const Skeleton skeleton = two_joints();
  Pose pose;
  for (const Joint& joint : skeleton.joints) pose.joints.push_back(joint.rest);
  const auto turn = [&](std::size_t joint, const Vec3& by) {
    Quat& rotation = pose.joints[joint].rotation;
    rotation = rotation * rotation_about(normalized(by, Vec3{1, 0, 0}), length(by));
  };
  turn(0, elbow);
  turn(1, wrist);
  pose.shapes.assign(std::size_t(shapes), 9.0);  // whatever a clip said
  PoseWeights(space, skeleton, shapes, "space").apply(skeleton, pose);
  return pose.shapes;
}

double weight_at(const PoseSpace& space, double angle) {
  return weights_at(space, 1, about_z(angle))[0];
}

TEST(PoseSpace, weights_are_one_at_their_example_and_zero_at_the_others_and_at_rest) {
  for (const std::optional<double> radius : {std::optional<double>{}, std::optional(radians(50))}) {
    PoseSpace space = elbow_at({30, 120, -40});
    space.examples[2].turns[0] = {radians(-20), radians(50), 0};
    space.radius = radius;
    for (const double weight : weights_at(space, 3, {})) EXPECT_NEAR(weight, 0, 1e-9);
    for (std::size_t e = 0; e < 3; ++e) {
      const std::vector<double> weights = weights_at(space, 3, space.examples[e].turns[0]);
      for (std::size_t s = 0; s < 3; ++s) EXPECT_NEAR(weights[s], s == e ? 1 : 0, 1e-9);
    }
  }
}

TEST(PoseSpace, a_weight_rises_evenly_from_rest_to_its_example_and_stays) {
  const PoseSpace space = elbow_at({120});
  double before = 0;
  for (double angle = 0; angle <= 120; angle += 2) {
    const double weight = weight_at(space, angle);
    EXPECT_GE(weight, before - 1e-12) << angle;
    before = weight;
  }
  EXPECT_NEAR(weight_at(space, 60), 0.5, 1e-12);
  EXPECT_NEAR(weight_at(space, 30), 0.15625, 1e-9);
  EXPECT_NEAR(weight_at(space, 150), 1, 1e-9);
  EXPECT_NEAR(weight_at(space, -60), 0, 1e-9);
}

TEST(PoseSpace, unevenly_spaced_examples_do_not_overshoot_and_share_what_lies_between) {
  const PoseSpace space = elbow_at({30, 120});
  for (double angle = 0; angle <= 130; angle += 1) {
    const std::vector<double> w = weights_at(space, 2, about_z(angle));
    EXPECT_GE(std::min(w[0], w[1]), 0) << angle;
    EXPECT_LE(std::max(w[0], w[1]), 1) << angle;
    // In a row each place has two neighbours, of which rest is one at first.
    if (angle >= 30 && angle <= 120) {
      EXPECT_NEAR(w[0] + w[1], 1, 1e-9) << angle;
    }
  }
}

// The slope just before and just after each place, the examples and rest among them.
TEST(PoseSpace, weights_have_no_kinks) {
  for (const std::optional<double> radius : {std::optional<double>{}, std::optional(radians(40))}) {
    PoseSpace space = elbow_at({30, 120});
    space.radius = radius;
    constexpr double h = 1e-4;
    for (double angle = -30; angle <= 150; angle += 7.5) {
      const double here = weight_at({space.joints, {space.examples[0]}, radius}, angle);
      const double left = here - weight_at({space.joints, {space.examples[0]}, radius}, angle - h);
      const double right = weight_at({space.joints, {space.examples[0]}, radius}, angle + h) - here;
      EXPECT_NEAR(left / h, right / h, 1e-5) << angle;
    }
  }
}

TEST(PoseSpace, with_a_radius_an_example_does_nothing_far_away) {
  PoseSpace space = elbow_at({120});
  // Turned as far as the example, but another way.
  const Vec3 sideways{radians(120), 0, 0};
  EXPECT_GT(weights_at(space, 1, sideways)[0], 0.1);
  space.radius = radians(40);
  EXPECT_LT(weights_at(space, 1, sideways)[0], 1e-4);
  EXPECT_NEAR(weight_at(space, 120), 1, 1e-9);
  EXPECT_GT(weight_at(space, 100), 0.7);
}

TEST(PoseSpace, only_its_own_joints_count) {
  const PoseSpace space = elbow_at({90});
  EXPECT_EQ(weights_at(space, 1, about_z(50)), weights_at(space, 1, about_z(50), {0, 1, 0.5}));
  PoseSpace both{{0, 1}, {{{about_z(90), Vec3{}}, {0}}, {{about_z(90), Vec3{1, 0, 0}}, {1}}}, {}};
  const std::vector<double> straight = weights_at(both, 2, about_z(90));
  const std::vector<double> bent = weights_at(both, 2, about_z(90), {1, 0, 0});
  EXPECT_NEAR(straight[0], 1, 1e-9);
  EXPECT_NEAR(straight[1], 0, 1e-9);
  EXPECT_NEAR(bent[0], 0, 1e-9);
  EXPECT_NEAR(bent[1], 1, 1e-9);
}

TEST(PoseSpace, an_example_of_several_shapes_gives_them_one_weight) {
  PoseSpace space{{0}, {{{about_z(80)}, {0, 2}}}, {}};
  const std::vector<double> weights = weights_at(space, 3, about_z(40));
  EXPECT_EQ(weights[0], weights[2]);
  EXPECT_EQ(weights[1], 9);  // not its own
}

TEST(PoseSpace, turns_are_the_shorter_way) {
  Transform rest, posed;
  posed.rotation = rotation_about(Vec3{0, 0, 1}, radians(200));
  EXPECT_LT(distance(turn_from_rest(rest, posed), about_z(-160)), 1e-12);
  posed.rotation = -rotation_about(Vec3{0, 0, 1}, radians(30));
  EXPECT_LT(distance(turn_from_rest(rest, posed), about_z(30)), 1e-12);
  EXPECT_EQ(turn_from_rest(posed, posed), Vec3{});
}

TEST(PoseSpace, what_cannot_be_solved_is_an_error_that_says_why) {
  const Skeleton skeleton = two_joints();
  const auto problem = [&](const PoseSpace& space) {
    return bad_input([&] { PoseWeights(space, skeleton, 2, "pose space 4"); });
  };
  EXPECT_EQ(problem(elbow_at({90, 90})), "pose space 4: examples 0 and 1 have the same pose");
  EXPECT_EQ(problem(elbow_at({0})), "pose space 4: the joints of example 0 are as at rest");
  EXPECT_EQ(problem(elbow_at({})), "pose space 4: it has no example");
  EXPECT_EQ(problem(elbow_at({10, 20, 30})),
            "pose space 4: example 2 has shape 2, but there are 2");
  PoseSpace space = elbow_at({90});
  space.joints = {2};
  EXPECT_EQ(problem(space), "pose space 4: it reads joint 2, which does not exist");
  space.joints = {1, 1};
  EXPECT_EQ(problem(space), "pose space 4: it names joint 1 (wrist) twice");
  space.joints = {};
  EXPECT_EQ(problem(space), "pose space 4: it has no joint to follow");
  space.joints = {0, 1};
  EXPECT_EQ(problem(space), "pose space 4: example 0 has 1 turns for 2 joints");
  space = elbow_at({90});
  space.radius = 0;
  EXPECT_EQ(problem(space), "pose space 4: its radius must be above 0");
  space = elbow_at({90, 100});
  space.examples[1].shapes = {0};
  EXPECT_EQ(problem(space), "pose space 4: shape 0 belongs to two examples");
  space.examples[1].shapes = {};
  EXPECT_EQ(problem(space), "pose space 4: example 1 has no shape");
  space = elbow_at({90, 90.2});
  space.radius = 1e4;
  EXPECT_EQ(problem(space),
            "pose space 4: its examples are too close to each other for its radius");
  space = elbow_at({90});
  space.examples[0].turns[0].x = std::nan("");
  EXPECT_EQ(problem(space), "pose space 4: example 0 has a turn that is not finite");
  space.examples.assign(501, {});
  EXPECT_EQ(problem(space), "pose space 4: it has 501 examples, but 500 are the most");
}

}  // namespace
}  // namespace sinew
