// SPDX-License-Identifier: Apache-2.0
// The facts of skinning on a real mesh with real weights.
#include <gtest/gtest.h>

#include "sinew/deform/deform.h"
#include "sinew/io/io.h"
#include "sinew/kernels/binding.h"
#include "tests/support/assets.h"
#include "tests/support/comparing.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

// The mesh, skeleton and weights as one rig.
Rig real_arm(const std::filesystem::path& mesh, const std::filesystem::path& skeleton,
             const std::filesystem::path& weights) {
  Rig rig = read_rig(mesh);
  rig.skeleton = read_rig(skeleton).skeleton;
  const Matrix matrix = read_matrix(weights);
  std::vector<double> rows(matrix.values.size());
  for (std::size_t v = 0; v < matrix.rows; ++v) {
    for (std::size_t b = 0; b < matrix.columns; ++b) {
      rows[v * matrix.columns + b] = matrix.values[b * matrix.rows + v];
    }
  }
  rig.skin.weights = weights_from_dense(rows, matrix.columns);
  rig.skin.endpoints = projection_endpoints(rig.mesh.positions, rig.skeleton, rig.skin.weights);
  validate(rig);
  return rig;
}

#define REAL_ARM_OR_SKIP(variable)                      \
  SINEW_ASSET_OR_SKIP(arm_mesh, "arm.obj");             \
  SINEW_ASSET_OR_SKIP(arm_skeleton, "arm.tgf");         \
  SINEW_ASSET_OR_SKIP(arm_weights, "arm-weights.dmat"); \
  const Rig variable = real_arm(arm_mesh, arm_skeleton, arm_weights)

constexpr const char* methods[] = {"lbs", "dqs", "stbs-lbs", "stbs-dqs", "stretch-it"};

std::vector<Vec3> deformed(const Rig& rig, std::span<const BoneState> states, const char* method) {
  return deform_reference(rig, states, {}, method_from_name(method, rig)).positions;
}

std::vector<Vec3f> by_kernels(const Rig& rig, const Binding& binding,
                              std::span<const BoneState> states, const char* method) {
  const Plan plan(binding, method_from_name(method, rig));
  Palette palette(plan);
  palette.update(states);
  std::vector<Vec3f> positions(rig.mesh.vertex_count());
  deform(palette, {.positions = &positions[0].x});
  return positions;
}

// The elbow bent, and if asked for the forearm twisted and stretched.
std::vector<BonePose> bent(const Rig& rig, double twist, double stretch) {
  auto poses = rest_bones(rig);
  const Quat turn = rotation_about(normalized(Vec3{0.2, 0.3, 1}), 1.1);
  Vec3 at = poses[2].start;
  for (std::size_t b = 2; b < poses.size(); ++b) {
    const Vec3 along = rotate(turn, poses[b].end - poses[b].start) * (b == 2 ? stretch : 1.0);
    poses[b].start = at;
    poses[b].end = at = at + along;
    poses[b].rotation = turn;
  }
  poses[2].twist_end = twist;
  poses[3].twist_start = poses[3].twist_end = twist;
  return poses;
}

TEST(RealArm, rest_pose_is_the_identity) {
  REAL_ARM_OR_SKIP(rig);
  const auto states = bone_states(rig.skeleton, rest_bones(rig));
  for (const char* method : methods) {
    EXPECT_LT(largest_difference(deformed(rig, states, method), rig.mesh.positions), 1e-13)
        << method;
  }
}

TEST(RealArm, without_stretch_and_twist_stbs_is_the_underlying_method) {
  REAL_ARM_OR_SKIP(rig);
  const auto states = bone_states(rig.skeleton, bent(rig, 0, 1));
  EXPECT_LT(largest_difference(deformed(rig, states, "stbs-lbs"), deformed(rig, states, "lbs")),
            1e-13);
  EXPECT_LT(largest_difference(deformed(rig, states, "stbs-dqs"), deformed(rig, states, "dqs")),
            1e-13);
}

TEST(RealArm, a_rigid_motion_of_the_pose_moves_the_result_by_it) {
  REAL_ARM_OR_SKIP(rig);
  for (const char* method : methods) {
    const double error =
        rigid_motion_error(rig.skeleton, bent(rig, 2.0, 1.6),
                           [&](const auto& states) { return deformed(rig, states, method); });
    EXPECT_LT(error, 1e-12) << method;
  }
}

TEST(RealArm, kernels_agree_with_the_reference) {
  REAL_ARM_OR_SKIP(rig);
  const Binding binding(rig);
  const double size = bounding_box(rig.mesh.positions).diagonal();
  for (const double twist : {0.0, 2.5, pi, 2 * pi, 3 * pi, 4 * pi}) {
    for (const double stretch : {0.1, 1.0, 10.0}) {
      const auto states = bone_states(rig.skeleton, bent(rig, twist, stretch));
      for (const char* method : methods) {
        const double error = largest_difference(by_kernels(rig, binding, states, method),
                                                deformed(rig, states, method));
        EXPECT_LT(error / size, 3e-6) << method << " " << twist << " " << stretch;
      }
    }
  }
}

// By how much the vertex's bones are off half a turn from the heaviest of them: the least of the
// dot products of their quaternions, in size.
double distance_from_half_a_turn(std::span<const SkinInfluence> row,
                                 const std::vector<BoneState>& states) {
  const auto motion = [&](const SkinInfluence& influence) {
    const BoneState& bone = states[influence.bone];
    const double angle =
        bone.twist_head + influence.twist_endpoint * (bone.twist_tail - bone.twist_head);
    return bone.rotation * rotation_about(normalized(bone.tail - bone.head), angle);
  };
  const auto heaviest = std::max_element(
      row.begin(), row.end(), [](const auto& a, const auto& b) { return a.weight < b.weight; });
  double least = 1;
  for (const SkinInfluence& influence : row) {
    least = std::min(least, std::fabs(dot(motion(influence), motion(*heaviest))));
  }
  return least;
}

// Half a turn apart, two rotations can be blended either way round. Adding a full turn to a bone
// changes its quaternion's sign and nothing else, and so shows both ways.
TEST(RealArm, at_half_a_turn_only_a_tie_of_signs_depends_on_full_turns) {
  REAL_ARM_OR_SKIP(rig);
  const Binding binding(rig);
  const double size = bounding_box(rig.mesh.positions).diagonal();
  const SkinRows rows = skin_rows(rig);
  auto poses = bent(rig, pi, 1);
  const auto states = bone_states(rig.skeleton, poses);
  poses[3].twist_start += 2 * pi;
  poses[3].twist_end += 2 * pi;
  const auto turned = bone_states(rig.skeleton, poses);
  const auto one_way = deformed(rig, states, "stbs-dqs");
  const auto other_way = deformed(rig, turned, "stbs-dqs");
  std::size_t ties = 0;
  for (std::size_t v = 0; v < one_way.size(); ++v) {
    const double apart = distance(one_way[v], other_way[v]);
    if (apart < 1e-12 * size) continue;
    ++ties;
    EXPECT_LT(distance_from_half_a_turn(rows[v], states), 1e-14) << v;
    // The forearm twists from 0 to half a turn, the hand by half a turn all over: they are half a
    // turn apart where the forearm is not twisted yet.
    for (const SkinInfluence& influence : rows[v]) {
      if (influence.bone != 2) continue;
      EXPECT_EQ(influence.twist_endpoint, 0) << v;
    }
  }
  EXPECT_GT(ties, 0u);
  EXPECT_LT(ties, one_way.size() / 100);
  // Fast and exact path decide alike, whichever sign the quaternions come with.
  EXPECT_LT(largest_difference(by_kernels(rig, binding, states, "stbs-dqs"), one_way), 2e-5 * size);
  EXPECT_LT(largest_difference(by_kernels(rig, binding, turned, "stbs-dqs"), other_way),
            2e-5 * size);
}

}  // namespace
}  // namespace sinew
