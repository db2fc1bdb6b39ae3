// SPDX-License-Identifier: Apache-2.0
#include "sinew/skeleton/constraints.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

using Kind = JointConstraint::Kind;

const Quat tilt = rotation_about(normalized(Vec3{1, 2, -1}), 0.7);

// A root, and three children of it that rest turned.
Skeleton three_children() {
  Skeleton skeleton;
  skeleton.joints.resize(4);
  for (std::size_t j = 1; j < 4; ++j) {
    skeleton.joints[j].parent = 0;
    skeleton.joints[j].rest.rotation = rotation_about(Vec3{0, 1, 0}, 0.3 * double(j)) * tilt;
  }
  return skeleton;
}

std::vector<Transform> rest_joints(const Skeleton& skeleton) {
  std::vector<Transform> locals;
  for (const Joint& joint : skeleton.joints) locals.push_back(joint.rest);
  return locals;
}

double off(const Quat& a, const Quat& b) { return rotation_angle(conjugate(a) * b); }

TEST(Constraints, a_roll_takes_a_share_of_the_twist_about_its_own_axis_and_no_swing) {
  const Skeleton skeleton = three_children();
  const Quat &source_rest = skeleton.joints[1].rest.rotation,
             &rest = skeleton.joints[2].rest.rotation;
  for (const int axis : {0, 1, 2}) {
    Vec3 own;
    own[axis] = 1;
    const Vec3 line = rotate(rest, own);  // in the frame of the common parent
    const Quat swing = rotation_about(any_perpendicular(line), 1.1);
    std::vector<Transform> locals = rest_joints(skeleton);
    locals[1].rotation = swing * rotation_about(line, 2.0) * source_rest;
    const std::vector<JointConstraint> constraints = {{2, 1, Kind::roll, axis, 0.25}};
    apply_constraints(skeleton, constraints, locals);
    EXPECT_LT(off(locals[2].rotation, rotation_about(line, 0.5) * rest), 1e-12);
    EXPECT_EQ(locals[3], skeleton.joints[3].rest);
  }
}

TEST(Constraints, a_copy_goes_from_own_axes_to_own_axes) {
  const Skeleton skeleton = three_children();
  std::vector<Transform> locals = rest_joints(skeleton);
  const Quat turn = rotation_about(normalized(Vec3{3, -1, 2}), 1.2);
  locals[1].rotation = skeleton.joints[1].rest.rotation * turn;
  const std::vector<JointConstraint> constraints = {{3, 1, Kind::copy, 0, 1}};
  apply_constraints(skeleton, constraints, locals);
  EXPECT_LT(off(locals[3].rotation, skeleton.joints[3].rest.rotation * turn), 1e-12);
}

TEST(Constraints, sources_come_before_what_follows_them_and_circles_stay_at_rest) {
  Skeleton skeleton = three_children();
  for (Joint& joint : skeleton.joints) joint.rest.rotation = {};
  std::vector<Transform> locals = rest_joints(skeleton);
  locals[1].rotation = rotation_about(Vec3{1, 0, 0}, 2.0);
  const std::vector<JointConstraint> chain = {{3, 2, Kind::roll, 0, 0.5},
                                              {2, 1, Kind::roll, 0, 0.5}};
  apply_constraints(skeleton, chain, locals);
  EXPECT_LT(off(locals[3].rotation, rotation_about(Vec3{1, 0, 0}, 0.5)), 1e-12);

  locals = rest_joints(skeleton);
  const std::vector<JointConstraint> circle = {{3, 2, Kind::roll, 0, 1}, {2, 3, Kind::roll, 0, 1}};
  apply_constraints(skeleton, circle, locals);
  EXPECT_EQ(locals, rest_joints(skeleton));
}

}  // namespace
}  // namespace sinew
