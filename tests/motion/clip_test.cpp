// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/clip.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/motion/clip_sampler.h"
#include "tests/support/rotations.h"

namespace sinew {
namespace {

Skeleton chain() {
  return {{{"root", -1, {{0, 1, 0}, {}, {1, 1, 1}}, false},
           {"arm", 0, {{2, 0, 0}, {}, {1, 1, 1}}, false},
           {"hand", 1, {{3, 0, 0}, {}, {1, 1, 1}}, false}},
          {}};
}

std::vector<Transform> rest(const Skeleton& skeleton) {
  std::vector<Transform> locals;
  for (const Joint& joint : skeleton.joints) locals.push_back(joint.rest);
  return locals;
}

Curve<double> ramp(double from, double to) {
  Curve<double> c;
  c.times = {0, 1};
  c.values = {from, to};
  return c;
}

TEST(ForwardKinematics, turning_a_joint_swings_what_hangs_on_it) {
  const Skeleton skeleton = chain();
  auto locals = rest(skeleton);
  locals[1].rotation = rotation_about(Vec3{0, 0, 1}, pi / 2);
  const auto globals = forward_kinematics(skeleton, locals);
  EXPECT_LT(distance(globals[2].translation, Vec3{2, 4, 0}), 1e-12);
}

TEST(ForwardKinematics, scale_is_inherited_as_an_affine_map) {
  const Skeleton skeleton = chain();
  auto locals = rest(skeleton);
  locals[0].scale = {2, 1, 1};
  locals[1].rotation = rotation_about(Vec3{0, 0, 1}, pi / 2);
  const auto globals = forward_kinematics(skeleton, locals);
  EXPECT_LT(distance(globals[2].translation, Vec3{4, 4, 0}), 1e-12);
  EXPECT_LT(distance(globals[2].linear.y, Vec3{-2, 0, 0}), 1e-12);
}

TEST(ForwardKinematics, a_rigid_motion_of_the_root_moves_everything_by_it) {
  const Skeleton skeleton = chain();
  auto locals = rest(skeleton);
  locals[1].rotation = rotation_about(normalized(Vec3{1, 1, 0}), 0.8);
  const auto before = forward_kinematics(skeleton, locals);
  const Transform motion{{5, -1, 2}, rotation_about(normalized(Vec3{1, 2, 3}), 1.1), {1, 1, 1}};
  locals[0] = to_transform(to_affine(motion) * to_affine(locals[0]));
  const auto after = forward_kinematics(skeleton, locals);
  for (std::size_t j = 0; j < 3; ++j) {
    const Affine expected = to_affine(motion) * before[j];
    EXPECT_LT(distance(after[j].translation, expected.translation), 1e-12);
    EXPECT_LT(distance(after[j].linear.x, expected.linear.x), 1e-12);
  }
}

TEST(Clip, drives_all_six_degrees_of_the_root) {
  const Skeleton skeleton = chain();
  Curve<Vec3> path;
  path.times = {0, 1};
  path.values = {{0, 0, 0}, {2, 4, 6}};
  const Clip clip{
      "walk",
      {TranslationChannel{0, path}, RotationChannel{0, EulerCurves{EulerOrder::zxy, ramp(0, 0.6),
                                                                   ramp(0, -0.4), ramp(0, 1.0)}}}};
  EXPECT_EQ(duration(clip), 1);
  Pose pose{rest(skeleton), {}, {}};
  ClipSampler(clip).sample(0.5, pose);
  EXPECT_EQ(pose.joints[0].translation, (Vec3{1, 2, 3}));
  const Quat expected = from_euler({0.3, -0.2, 0.5}, EulerOrder::zxy);
  expect_same_rotation(pose.joints[0].rotation, expected, 1e-15);
  EXPECT_EQ(pose.joints[1], skeleton.joints[1].rest);
}

TEST(Clip, drives_scale_shapes_and_controls) {
  const Skeleton skeleton = chain();
  Curve<Vec3> grow;
  grow.times = {0, 1};
  grow.values = {{1, 1, 1}, {3, 1, 1}};
  Curve<std::vector<double>> smile;
  smile.times = {0, 1};
  smile.values = {{0, 0}, {1, -2}};
  const Clip clip{"c",
                  {ScaleChannel{2, grow}, ShapeChannel{1, smile}, ControlChannel{0, ramp(0, 8)}}};
  validate(clip, skeleton, 3, 1);
  Pose pose{rest(skeleton), {9, 9, 9}, {0}};
  ClipSampler(clip).sample(0.5, pose);
  EXPECT_EQ(pose.joints[2].scale, (Vec3{2, 1, 1}));
  EXPECT_EQ(pose.shapes, (std::vector<double>{9, 0.5, -1}));
  EXPECT_EQ(pose.controls[0], 4);
}

TEST(Clip, bad_channels_are_named) {
  const Skeleton skeleton = chain();
  const auto message = [&](const Channel& channel) -> std::string {
    try {
      validate(Clip{"run", {channel}}, skeleton, 2, 1);
    } catch (const InputError& error) {
      EXPECT_EQ(error.place(), "clip 'run', channel 0");
      return error.problem();
    }
    return "";
  };
  Curve<Vec3> one;
  one.times = {0};
  one.values = {{0, 0, 0}};
  EXPECT_EQ(message(TranslationChannel{2, one}), "");
  EXPECT_EQ(message(TranslationChannel{3, one}), "it drives joint 3, but there are 3");
  EXPECT_EQ(message(TranslationChannel{-1, one}), "it drives joint -1, but there are 3");
  Curve<Vec3> backwards = one;
  backwards.times = {1, 1};
  backwards.values = {{}, {}};
  EXPECT_EQ(
      message(ScaleChannel{0, backwards}),
      "key 1 at 1 s does not come after the one before it, at 1 s; keys must be in order of time");
  Curve<Vec3> uneven = one;
  uneven.times = {0, 1};
  EXPECT_EQ(message(ScaleChannel{0, uneven}),
            "2 times, 1 values, 0 and 0 handles do not fit together");
  Curve<Vec3> infinite = one;
  infinite.values[0].y = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message(ScaleChannel{0, infinite}), "key 0 is not finite");
  EXPECT_EQ(message(ControlChannel{1, ramp(0, 1)}), "it drives control 1, but there are 1");
  Curve<std::vector<double>> three;
  three.times = {0};
  three.values = {{1, 2, 3}};
  EXPECT_EQ(message(ShapeChannel{0, three}),
            "it drives 3 blend shapes from number 0 on, but there are 2");
}

}  // namespace
}  // namespace sinew
