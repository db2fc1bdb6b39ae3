// SPDX-License-Identifier: Apache-2.0
// Palettes of posed rigs, whose bones are never written out one by one.
#include <gtest/gtest.h>

#include "kernel_rig.h"
#include "sinew/core/error.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/kernels/binding.h"

namespace sinew {
namespace {

Rig surface_rig() {
  Rig rig = test::kernel_rig({.vertices = 400, .bones = 11});
  for (Index v = 0; v + 2 < rig.mesh.vertex_count(); ++v) {
    rig.mesh.triangles.push_back({v, v + 1, v + 2});
  }
  rig.skin.muscles.resize(rig.skeleton.bones.size());
  rig.skin.muscles[3] = {.stretch = 1};
  return rig;
}

// At rest; joints turned alone; bent, twisted, stretched and scaled; the same far away.
std::vector<Pose> poses_of(const Rig& rig) {
  std::vector<Pose> poses(4, rest_pose(rig));
  test::Random random(7);
  for (std::size_t p = 1; p < poses.size(); ++p) {
    for (std::size_t j = 0; j < rig.skeleton.joints.size(); ++j) {
      Transform& joint = poses[p].joints[j];
      joint.rotation = joint.rotation * rotation_about(random.direction(), random.between(-1, 1));
      if (p == 1 || j % 3 == 0) continue;
      joint.translation = joint.translation * random.between(0.7, 1.4);
      if (j % 4 == 1) joint.scale = {1.2, 0.9, random.between(0.8, 1.3)};
    }
  }
  poses.back().joints[0].translation += Vec3{1e5, -2e5, 3e5};
  return poses;
}

struct Results {
  std::vector<float> positions, normals;
  friend bool operator==(const Results&, const Results&) = default;
};

Results results(Palette& palette, std::size_t count, bool with_normals) {
  Results all{std::vector<float>(3 * count), std::vector<float>(with_normals ? 3 * count : 0)};
  deform(palette, {.positions = all.positions.data(),
                   .normals = with_normals ? all.normals.data() : nullptr});
  return all;
}

TEST(PosedPalette, has_the_bits_of_the_same_bones_one_by_one) {
  const Rig rig = surface_rig();
  const Binding binding(rig);
  const RigPlan plan(rig);
  for (const test::NamedMethod& listed : test::all_methods(rig)) {
    const Plan method(binding, listed.method);
    Palette from_rig(method), from_bones(method);
    for (const bool squash : {false, true}) {
      PosedRig posed(plan, {.squash = squash, .detail = listed.method.traits().bones});
      for (const Pose& pose : poses_of(rig)) {
        posed.set(pose);
        from_rig.update(posed);
        from_bones.update(posed.bones(), posed.shapes());
        for (const bool with_normals : {false, true}) {
          EXPECT_EQ(results(from_rig, rig.mesh.vertex_count(), with_normals),
                    results(from_bones, rig.mesh.vertex_count(), with_normals))
              << listed.name;
        }
      }
    }
  }
}

// What was stretched, twisted or scaled before leaves no trace.
TEST(PosedPalette, does_not_depend_on_earlier_poses) {
  const Rig rig = surface_rig();
  const Binding binding(rig);
  const RigPlan plan(rig);
  const std::vector<Pose> poses = poses_of(rig);
  for (const test::NamedMethod& listed : test::all_methods(rig)) {
    const Plan method(binding, listed.method);
    PosedRig posed(plan, {.detail = listed.method.traits().bones});
    Palette used(method);
    for (const std::size_t p : {2, 0, 3, 1, 2, 1, 0}) {
      posed.set(poses[p]);
      used.update(posed);
      Palette fresh(method);
      fresh.update(posed);
      EXPECT_EQ(results(used, rig.mesh.vertex_count(), true),
                results(fresh, rig.mesh.vertex_count(), true))
          << listed.name << ", pose " << p;
    }
  }
}

TEST(PosedPalette, refuses_a_rig_posed_in_less_detail_than_the_method_needs) {
  const Rig rig = surface_rig();
  Palette palette(Plan(Binding(rig), method_from_name("stbs-dqs", rig)));
  const PosedRig posed(RigPlan(rig), {.detail = BoneDetail::matrices});
  EXPECT_THROW(palette.update(posed), UsageError);
}

}  // namespace
}  // namespace sinew
