// SPDX-License-Identifier: Apache-2.0
// Offset curves on a body: skin stays with the bones that its weights name, whatever it is near to.
#include <gtest/gtest.h>

#include "sinew/deform/deform.h"
#include "sinew/deform/internal/offset_curve/chain.h"
#include "sinew/deform/skin_rows.h"
#include "sinew/io/gltf.h"
#include "sinew/samples/samples.h"
#include "tests/deform/offset_curve_rig.h"
#include "tests/support/assets.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

using offset_curve::make_chains;
using offset_curve::tie_position;

std::size_t joint_named(const Rig& rig, const char* name) {
  return static_cast<std::size_t>(find_joint(rig.skeleton, name));
}

std::size_t bone_named(const Rig& rig, const char* name) {
  std::size_t b = 0;
  while (rig.skeleton.bones[b].joint != static_cast<int>(joint_named(rig, name))) ++b;
  return b;
}

// At each vertex, the weight of a bone and of all that hang on it.
std::vector<double> weights_below(const Rig& rig, const char* name) {
  const std::size_t top = bone_named(rig, name);
  const auto parents = parent_bones(rig.skeleton);
  const auto hangs = [&](int bone) {
    while (bone >= 0 && bone != static_cast<int>(top)) {
      bone = parents[bone];
    }
    return bone >= 0;
  };
  const SkinRows rows = skin_rows(rig);
  std::vector<double> sums(rig.mesh.vertex_count(), 0.0);
  for (std::size_t v = 0; v < sums.size(); ++v) {
    for (const SkinInfluence& influence : rows[v]) {
      if (hangs(influence.bone)) sums[v] += influence.weight;
    }
  }
  return sums;
}

// How many times as long as at rest an edge gets, of skin that has half of its weight at least.
double longest_edge(const Rig& rig, const std::vector<double>& weights,
                    const std::vector<Vec3>& positions) {
  double longest = 0;
  for (const Triangle& triangle : rig.mesh.triangles) {
    for (std::size_t e = 0; e < 3; ++e) {
      const Index a = triangle[e], b = triangle[(e + 1) % 3];
      const double rest = distance(rig.mesh.positions[a], rig.mesh.positions[b]);
      if (weights[a] < 0.5 || weights[b] < 0.5 || !(rest > 0)) continue;
      longest = std::max(longest, distance(positions[a], positions[b]) / rest);
    }
  }
  return longest;
}

TEST(OffsetCurveBody, chest_keeps_still_when_an_arm_stretches) {
  const Rig rig = make_sample("mannequin", 3000);
  const auto arm = weights_below(rig, "upper_arm.L");
  for (const char* child : {"forearm.L", "hand.L"}) {
    Pose pose = rest_pose(rig);
    pose.joints[joint_named(rig, child)].translation *= 1.6;
    const auto states = states_of(rig, pose);
    for (const char* name : {"ocd-arc", "ocd-spline"}) {
      const auto positions =
          deform_reference(rig, states, {}, method_from_name(name, rig)).positions;
      double most = 0;
      for (std::size_t v = 0; v < positions.size(); ++v) {
        if (arm[v] <= 0.3) most = std::max(most, distance(positions[v], rig.mesh.positions[v]));
      }
      EXPECT_LT(most, 2e-5) << name << " " << child;
    }
  }
}

// The rest pose with one joint turned about an axis of the world.
Pose turned_joint(const Rig& rig, const char* name, const Vec3& axis, double degrees) {
  Pose pose = rest_pose(rig);
  const std::size_t joint = joint_named(rig, name);
  Quat above{};
  for (int j = rig.skeleton.joints[joint].parent; j != no_joint;
       j = rig.skeleton.joints[j].parent) {
    above = pose.joints[j].rotation * above;
  }
  pose.joints[joint].rotation = rotation_about(rotate(conjugate(above), axis), radians(degrees)) *
                                pose.joints[joint].rotation;
  return pose;
}

// Ribs bend with the arm as much as their weights say, and do not stay behind as a whole.
TEST(OffsetCurveBody, armpit_is_not_torn_by_a_raised_arm) {
  const Rig rig = make_sample("mannequin", 5000);
  const std::vector<double> everywhere(rig.mesh.vertex_count(), 1.0);
  const auto longest = [&](const char* name, double degrees) {
    const auto states = states_of(rig, turned_joint(rig, "upper_arm.L", {0, 0, 1}, degrees));
    return longest_edge(rig, everywhere,
                        deform_reference(rig, states, {}, method_from_name(name, rig)).positions);
  };
  EXPECT_LT(longest("ocd-arc", 110), 2.5);
  EXPECT_LT(longest("ocd-spline", 110), 2.85);
  EXPECT_LT(longest("ocd-arc", 160), 2.7);
  EXPECT_LT(longest("ocd-spline", 160), 3.6);
}

// The mannequin with its head's joint as high as many rigs have it, in the middle of the skull: the
// chin is far below it, beside the neck.
Rig high_head() {
  Rig rig = make_sample("mannequin", 3000);
  const Vec3 up{0, 0.06, 0};
  rig.skeleton.joints[joint_named(rig, "head")].rest.translation += up;
  Bone& head = rig.skeleton.bones[bone_named(rig, "head")];
  head.head += up;
  head.inverse_bind.translation -= up;
  rig.skeleton.bones[bone_named(rig, "neck")].tail += up;
  return rig;
}

// Turned by `degrees` about the head's own bone; the neck takes all of it as twist.
std::vector<BoneState> turned_head(const Rig& rig, double degrees, const char* head_name = "head",
                                   const char* neck_name = "neck") {
  auto states = rest_states(rig);
  BoneState& head = states[bone_named(rig, head_name)];
  head.rotation = rotation_about(normalized(head.tail - head.head), radians(degrees));
  states[bone_named(rig, neck_name)].twist_tail = radians(degrees);
  return states;
}

// Turned by `degrees` about the neck's bone, which takes all of it: the chest stays as it is.
std::vector<BoneState> turned_neck(const Rig& rig, double degrees) {
  auto states = rest_states(rig);
  BoneState& neck = states[bone_named(rig, "neck")];
  BoneState& head = states[bone_named(rig, "head")];
  neck.rotation = rotation_about(normalized(neck.tail - neck.head), radians(degrees));
  neck.twist_head = -radians(degrees);
  head.rotation = neck.rotation;
  head.posed_tail = head.posed_head + rotate(head.rotation, head.tail - head.head);
  return states;
}

TEST(OffsetCurveBody, chin_stays_with_a_turned_head) {
  const Rig rig = high_head();
  const auto weights = weights_below(rig, "head");
  const std::size_t head = bone_named(rig, "head");
  for (const auto& states : {turned_head(rig, 80), turned_neck(rig, 70)}) {
    for (const char* name : {"ocd-arc", "ocd-spline"}) {
      const auto positions =
          deform_reference(rig, states, {}, method_from_name(name, rig)).positions;
      // What the head's bone alone moves, below its joint: chin and jaw.
      double most = 0;
      for (std::size_t v = 0; v < positions.size(); ++v) {
        const Vec3& p = rig.mesh.positions[v];
        if (weights[v] < 0.999 || p.y > states[head].head.y) continue;
        const Vec3 rigid =
            states[head].posed_head + rotate(states[head].rotation, p - states[head].head);
        most = std::max(most, distance(positions[v], rigid));
      }
      EXPECT_LT(most, 0.01) << name;
      const double longest = longest_edge(rig, weights, positions);
      EXPECT_LT(longest, name == std::string_view("ocd-arc") ? 1.4 : 1.28) << name;
    }
  }
}

TEST(OffsetCurveBody, a_big_head_on_a_short_neck_is_not_torn) {
  SINEW_ASSET_OR_SKIP(path, "CesiumMan.glb");
  const Rig rig = read_gltf(path).rig;
  const auto weights = weights_below(rig, "Skeleton_neck_joint_2");
  const auto longest = [&](const char* name, const std::vector<BoneState>& states) {
    return longest_edge(rig, weights,
                        deform_reference(rig, states, {}, method_from_name(name, rig)).positions);
  };
  const auto twisted = turned_head(rig, 80, "Skeleton_neck_joint_2", "Skeleton_neck_joint_1");
  // As a pose, the twist is a gap between neck and head.
  const auto posed = states_of(rig, turned_joint(rig, "Skeleton_neck_joint_2", {0, 1, 0}, 80));
  for (const char* name : {"ocd-arc", "ocd-spline"}) EXPECT_LT(longest(name, twisted), 2) << name;
  EXPECT_LT(longest("ocd-arc", posed), 2.3);
  EXPECT_LT(longest("ocd-spline", posed), 2);
}

TEST(OffsetCurveBody, places_are_limited_by_weights_only_against_them) {
  const Rig rig = jointed_tube(3);
  const auto chains = make_chains(rig.skeleton, default_curves(rig.skeleton));
  const auto at = [&](double position, double first, double second) {
    const std::vector<SkinInfluence> row{{0, first, 0, 0}, {1, second, 0, 0}};
    return tie_position(chains[0], {0.1, position, 0}, row, position);
  };
  // On the side that most of the weight says, and anywhere where it is shared equally.
  for (const double position : {0.1, 0.5, 0.9}) EXPECT_EQ(at(position, 0.7, 0.3), position);
  for (const double position : {1.1, 1.9}) EXPECT_EQ(at(position, 0.2, 0.8), position);
  for (const double position : {0.4, 1.0, 1.6}) EXPECT_EQ(at(position, 0.5, 0.5), position);
  // Against it: back towards the joint, the more so the further it lies on the wrong side.
  EXPECT_NEAR(at(1.2, 1, 0), 1, 1e-12);
  EXPECT_NEAR(at(0.1, 0, 1), 1, 1e-12);
  EXPECT_NEAR(at(1.3, 0.8, 0.2), 1.3, 1e-12);
  // In between it depends on both without a jump.
  for (double share = 0; share <= 1; share += 0.01) {
    for (double position = 0; position <= 2; position += 0.01) {
      EXPECT_LT(std::fabs(at(position, 1 - share, share) - at(position + 1e-9, 1 - share, share)),
                1e-8);
    }
  }
  EXPECT_EQ(tie_position(chains[0], {0.1, 0.3, 0}, {}, 0.3), 0.3);
}

}  // namespace
}  // namespace sinew
