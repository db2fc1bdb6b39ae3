// SPDX-License-Identifier: Apache-2.0
// Muscles in the fast path: positions, normals and tangents are those of the reference.
#include "sinew/deform/muscles.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "kernel_rig.h"
#include "sinew/deform/deform.h"
#include "sinew/kernels/binding.h"
#include "sinew/kernels/gpu.h"
#include "sinew/kernels/targets.h"
#include "sinew/samples/samples.h"
#include "tests/support/comparing.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

constexpr const char* swelling_methods[] = {"stbs-lbs", "stbs-dqs", "stbs-mixed"};

// Muscles of all kinds, one on every second bone.
void add_muscles(Rig& rig) {
  rig.skin.muscles.resize(rig.skeleton.bones.size());
  for (std::size_t b = 0; b < rig.skin.muscles.size(); b += 2) {
    Muscle& muscle = rig.skin.muscles[b];
    muscle.stretch = 1;
    if (b % 4 == 0) muscle.side = Vec3{0.3, 1, -0.5};
    if (b % 3 == 0) muscle.profile.points = {{0, 0.2}, {0.3, 1}, {1, 0}};
  }
}

// A tube whose bones are bent, twisted, shorter and longer.
struct Swollen {
  Rig rig = make_tube({.bones = 3});
  std::vector<BoneState> states;

  Swollen() {
    add_muscles(rig);
    test::set_blend_shares(rig);
    auto poses = rest_bones(rig);
    const Quat turn = rotation_about(Vec3{0, 0, 1}, radians(50));
    poses[0].end = lerp(poses[0].start, poses[0].end, 0.6);
    poses[0].twist_end = 1.5;
    poses[1].start = poses[0].end;
    poses[1].end = poses[1].start + rotate(turn, Vec3{1.3, 0, 0});
    poses[1].rotation = turn;
    poses[2].start = poses[1].end;
    poses[2].end = poses[2].start + Vec3{0.5, 0, 0};
    states = bone_states(rig, poses);
  }
};

TEST(KernelMuscles, equal_the_reference_on_every_target) {
  const Swollen swollen;
  const Binding binding(swollen.rig);
  for (const char* name : swelling_methods) {
    const Method method = method_from_name(name, swollen.rig);
    const Deformed truth = deform_reference(swollen.rig, swollen.states, {}, method, true);
    for (const std::string& target : kernel_targets()) {
      use_kernel_target(target);
      Palette palette{Plan(binding, method)};
      palette.update(swollen.states);
      const Deformed fast = palette.deformed(true), alone = palette.deformed(false);
      double place = 0, normal = 0;
      for (std::size_t v = 0; v < truth.positions.size(); ++v) {
        place = std::max({place, distance(fast.positions[v], truth.positions[v]),
                          distance(alone.positions[v], truth.positions[v])});
        normal = std::max(normal, distance(fast.normals[v], truth.normals[v]));
      }
      EXPECT_LT(place, 3e-6) << name << ", " << target;
      EXPECT_LT(normal, 1e-4) << name << ", " << target;
    }
    use_kernel_target("");
  }
}

TEST(KernelMuscles, tangents_and_vertices_in_no_order_are_right) {
  Rig rig = test::kernel_rig({.influences = 3});
  add_muscles(rig);
  std::vector<BoneState> pose = test::kernel_pose(rig);
  for (std::size_t b = 0; b < pose.size(); b += 2) {
    pose[b].bulge = muscle_drive(rig.skin.muscles[b], stretch_factor(pose[b]), 0);
  }
  for (const char* name : swelling_methods) {
    const Method method = method_from_name(name, rig);
    const Deformed truth = deform_reference(rig, pose, {}, method, true);
    Palette palette{Plan(Binding(rig), method)};
    palette.update(pose);
    const Deformed fast = palette.deformed(true);
    double normal = 0, tangent = 0;
    for (std::size_t v = 0; v < truth.positions.size(); ++v) {
      EXPECT_LT(distance(fast.positions[v], truth.positions[v]), 2e-5) << name << " " << v;
      normal += distance(fast.normals[v], truth.normals[v]);
      const Vec4 &a = fast.tangents[v], &b = truth.tangents[v];
      tangent += distance(Vec3{a.x, a.y, a.z}, Vec3{b.x, b.y, b.z});
    }
    const auto count = static_cast<double>(truth.positions.size());
    EXPECT_LT(normal / count, 2e-5) << name;
    EXPECT_LT(tangent / count, 2e-5) << name;
  }
}

TEST(KernelMuscles, normals_are_those_of_the_posed_triangles) {
  Rig rig = make_sample("arm", 8000);
  rig.mesh.normals = {};
  rig.mesh.tangents = {};
  rig.skin.muscles.resize(rig.skeleton.bones.size());
  for (Muscle& muscle : rig.skin.muscles) muscle.stretch = 1;
  const Clip& clip = find_clip(rig, "bend_twist_stretch");
  std::vector<BoneState> states = bone_states(rig, clip, 0.4 * duration(clip));
  const std::vector<BoneState> relaxed = states;
  for (BoneState& state : states) state.bulge = 0.5;
  for (const char* name : {"stbs-lbs", "stbs-dqs"}) {
    Palette palette{Plan(Binding(rig), method_from_name(name, rig))};
    palette.update(states);
    const Deformed fast = palette.deformed(true);
    const std::vector<Vec3> expected = vertex_normals(fast.positions, rig.mesh.triangles);
    palette.update(relaxed);
    EXPECT_GT(largest_difference(fast.positions, palette.deformed(false).positions), 0.02) << name;
    double sum = 0;
    for (std::size_t v = 0; v < expected.size(); ++v) {
      sum += std::asin(std::min(1.0, length(cross(fast.normals[v], expected[v]))));
    }
    EXPECT_LT(degrees(sum / static_cast<double>(expected.size())), 0.5) << name;
  }
}

TEST(KernelMuscles, at_rest_they_change_no_bit) {
  Rig rig = make_tube({.bones = 3});
  const auto states = bone_states(rig.skeleton, rest_bones(rig));
  Rig strong = rig;
  add_muscles(strong);
  for (const char* name : swelling_methods) {
    const Method method = method_from_name(name, rig);
    Palette plain{Plan(Binding(rig), method)}, palette{Plan(Binding(strong), method)};
    plain.update(states);
    palette.update(states);
    const Deformed a = plain.deformed(true), b = palette.deformed(true);
    EXPECT_EQ(a.positions, b.positions) << name;
    EXPECT_EQ(a.normals, b.normals) << name;
  }
}

TEST(KernelMuscles, arrays_for_gpus_have_them_as_deltas) {
  Swollen swollen;
  swollen.rig.mesh.shapes.resize(1);
  swollen.rig.mesh.shapes[0].positions.assign(swollen.rig.mesh.vertex_count(), {0, 0.1, 0});
  const GpuSkin skin = gpu_skin(swollen.rig);
  const std::size_t bones = swollen.states.size();
  ASSERT_TRUE(has_muscles(swollen.rig.skin));
  ASSERT_EQ(gpu_pose_texels(bones, 1, true), 6 * bones + 1);
  std::vector<float> pose(4 * gpu_pose_texels(bones, 1, true), -1.0f);
  const std::vector<double> shapes{0.5};
  fill_gpu_pose(gpu_method("stbs-dqs"), swollen.states, shapes, 1, pose, true);
  EXPECT_EQ(pose[24 * bones], 0.5f);
  EXPECT_EQ(pose[24 * bones + 1], static_cast<float>(swollen.states[0].bulge));
  EXPECT_GT(swollen.states[0].bulge, 0.2);
  const Rows<Bulge> rows = bulge_rows(swollen.rig, false);
  for (std::size_t v = 0; v < swollen.rig.mesh.vertex_count(); ++v) {
    Vec3 expected{0, 0.05, 0}, sum;
    for (const Bulge& bulge : rows[v]) expected += swollen.states[bulge.bone].bulge * bulge.move;
    const auto first = static_cast<std::size_t>(skin.delta_ranges[2 * v]);
    const auto count = static_cast<std::size_t>(skin.delta_ranges[2 * v + 1]);
    for (std::size_t i = first; i < first + count; ++i) {
      const float* delta = &skin.deltas[12 * i];
      sum += static_cast<double>(pose[static_cast<std::size_t>(delta[3])]) *
             Vec3{double(delta[0]), double(delta[1]), double(delta[2])};
    }
    EXPECT_LT(distance(sum, expected), 1e-6) << v;
  }
  fill_gpu_pose(gpu_method("dqs"), swollen.states, shapes, 1, pose, true);
  EXPECT_EQ(pose[24 * bones + 1], 0.0f);
}

}  // namespace
}  // namespace sinew
