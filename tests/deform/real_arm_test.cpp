// SPDX-License-Identifier: Apache-2.0
// The facts of skinning on a real mesh with real weights.
#include <gtest/gtest.h>

#include "sinew/deform/deform.h"
#include "sinew/io/io.h"
#include "sinew/kernels/binding.h"
#include "tests/support/assets.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

// The mesh, skeleton and weights as one rig; nothing where they are not there.
std::optional<Rig> real_arm() {
  const auto mesh = asset("arm.obj");
  const auto skeleton = asset("arm.tgf");
  const auto weights = asset("arm-weights.dmat");
  if (!mesh || !skeleton || !weights) return std::nullopt;
  Rig rig = read_rig(*mesh);
  rig.skeleton = read_rig(*skeleton).skeleton;
  const Matrix matrix = read_matrix(*weights);
  std::vector<double> rows(matrix.values.size());
  for (std::size_t v = 0; v < matrix.rows; ++v) {
    for (std::size_t b = 0; b < matrix.columns; ++b) {
      rows[v * matrix.columns + b] = matrix.values[b * matrix.rows + v];
    }
  }
  rig.weights = weights_from_dense(rows, matrix.columns);
  rig.endpoints = projection_endpoints(rig.mesh.positions, rig.skeleton, rig.weights);
  validate(rig);
  return rig;
}

#define REAL_ARM_OR_SKIP(variable)                                                    \
  const auto variable##_found = real_arm();                                           \
  if (!variable##_found) GTEST_SKIP() << "model arm.obj not there: set SINEW_ASSETS"; \
  const Rig& variable = *variable##_found

constexpr const char* methods[] = {"lbs", "dqs", "stbs-lbs", "stbs-dqs", "stretch-it"};

std::vector<Vec3> deformed(const Rig& rig, std::span<const BoneState> states, const char* method) {
  return deform_reference(rig, states, {}, method_from_name(method, rig)).positions;
}

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, distance(a[i], b[i]));
  return worst;
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
  const auto poses = bent(rig, 2.0, 1.6);
  const Quat turn = rotation_about(normalized(Vec3{-1, 2, 0.3}), 2.4);
  const Affine motion{to_matrix(turn), {1, 2, -3}};
  auto moved = poses;
  const auto before = bone_states(rig.skeleton, poses);
  for (std::size_t b = 0; b < poses.size(); ++b) {
    moved[b].start = transform_point(motion, poses[b].start);
    moved[b].end = transform_point(motion, poses[b].end);
    moved[b].rotation = turn * before[b].rotation;
  }
  const auto after = bone_states(rig.skeleton, moved);
  for (const char* method : methods) {
    auto expected = deformed(rig, before, method);
    for (Vec3& p : expected) p = transform_point(motion, p);
    EXPECT_LT(largest_difference(deformed(rig, after, method), expected), 1e-12) << method;
  }
}

TEST(RealArm, kernels_agree_with_the_reference) {
  REAL_ARM_OR_SKIP(rig);
  const Binding binding(rig);
  const double size = bounding_box(rig.mesh.positions).diagonal();
  // Not at half a turn: there a dual-quaternion blend jumps, and rounding decides which way.
  for (const double twist : {0.0, 2.5, 4 * pi}) {
    for (const double stretch : {0.1, 1.0, 10.0}) {
      const auto states = bone_states(rig.skeleton, bent(rig, twist, stretch));
      for (const char* name : methods) {
        const Method method = method_from_name(name, rig);
        const Plan plan(binding, method);
        Palette palette(binding, plan);
        palette.update(states);
        std::vector<Vec3f> fast(rig.mesh.vertex_count());
        Output output;
        output.positions = &fast[0].x;
        deform(binding, plan, palette, output);
        const auto exact = deformed(rig, states, name);
        double worst = 0;
        for (std::size_t v = 0; v < exact.size(); ++v) {
          worst = std::max(worst, distance(exact[v], Vec3{fast[v].x, fast[v].y, fast[v].z}));
        }
        EXPECT_LT(worst / size, 2e-5) << name << " " << twist << " " << stretch;
      }
    }
  }
}

}  // namespace
}  // namespace sinew
