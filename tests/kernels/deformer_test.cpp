// SPDX-License-Identifier: Apache-2.0
#include "sinew/kernels/deformer.h"

#include <gtest/gtest.h>

#include "kernel_rig.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "tests/support/comparing.h"
#include "tests/support/refusals.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

// A tube with tangents and two shapes, one of them sparse.
Rig shaped_tube() {
  Rig rig = make_tube({.bones = 3});
  rig.mesh.normals = {vertex_normals(rig.mesh.positions, rig.mesh.triangles), {}};
  for (const Vec3& n : rig.mesh.normals.values) {
    const Vec3 t = any_perpendicular(n);
    rig.mesh.tangents.push_back({t.x, t.y, t.z, -1});
  }
  BlendShape wide, bump;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    wide.positions.push_back(rig.mesh.normals.values[v] * 0.1);
    if (v % 5 != 0) continue;
    bump.vertices.push_back(static_cast<Index>(v));
    bump.positions.push_back({0.01, 0.02, 0});
    bump.normals.push_back({0.1, 0, 0});
  }
  rig.mesh.shapes = {wide, bump};
  return rig;
}

struct Moment {
  std::vector<BoneState> bones;
  std::vector<double> shapes;
};

// Shapes stay for a while, and then change.
std::vector<Moment> moments(const Rig& rig) {
  std::vector<Moment> all;
  for (const double amount : {0.0, 0.4, 1.0}) {
    auto poses = rest_bones(rig);
    const Quat turn = rotation_about(Vec3{0, 0, 1}, amount);
    poses[1].end = poses[1].start + rotate(turn, poses[1].end - poses[1].start) * (1 + amount);
    poses[2].end += poses[1].end - poses[2].start;
    poses[2].start = poses[1].end;
    poses[1].twist_end = 2 * amount;
    all.push_back({bone_states(rig.skeleton, poses), {amount > 0.1 ? 0.5 : 0.0, 0.25}});
  }
  return all;
}

std::vector<Vec3> directions(const std::vector<Vec4>& tangents) {
  std::vector<Vec3> result;
  for (const Vec4& t : tangents) result.push_back({t.x, t.y, t.z});
  return result;
}

TEST(Deformer, every_method_agrees_with_the_reference_pose_after_pose) {
  const Rig rig = shaped_tube();
  const double size = bounding_box(rig.mesh.positions).diagonal();
  for (const std::string_view name : method_names()) {
    const Method method = method_from_name(name, rig);
    Deformer deformer(rig, method);
    for (const Moment& moment : moments(rig)) {
      const Deformed expected = deform_reference(rig, moment.bones, moment.shapes, method);
      const Deformed result = deformer.at(moment.bones, moment.shapes);
      // Offset curves are bound in double precision.
      const double bound = name.starts_with("ocd") ? 1e-12 : 2e-5;
      EXPECT_LE(largest_difference(result.positions, expected.positions), bound * size) << name;
      EXPECT_TRUE(result.normals.empty());
    }
  }
}

TEST(Deformer, normals_and_tangents_of_offset_curves_are_those_of_the_reference) {
  const Rig rig = shaped_tube();
  for (const std::string_view name : method_names()) {
    if (!name.starts_with("ocd")) continue;
    const Method method = method_from_name(name, rig);
    Deformer deformer(rig, method, {.normals = true});
    for (const Moment& moment : moments(rig)) {
      const Deformed expected = deform_reference(rig, moment.bones, moment.shapes, method, true);
      const Deformed result = deformer.at(moment.bones, moment.shapes);
      EXPECT_LE(largest_difference(result.normals, expected.normals), 1e-9) << name;
      EXPECT_LE(largest_difference(directions(result.tangents), directions(expected.tangents)),
                1e-9)
          << name;
    }
  }
}

TEST(Deformer, the_number_of_threads_does_not_change_a_bit) {
  const Rig rig = test::kernel_rig({.vertices = 5000});
  const auto pose = test::kernel_pose(rig);
  for (const std::string_view name : method_names()) {
    std::vector<Deformed> results;
    for (const int threads : {1, 2, 5}) {
      set_thread_count(threads);
      Deformer deformer(rig, method_from_name(name, rig), {.normals = true});
      results.push_back(deformer.at(pose, {}));
      EXPECT_EQ(results.back().positions, results.front().positions) << name;
      EXPECT_EQ(results.back().normals, results.front().normals) << name;
    }
    set_thread_count(0);
  }
}

TEST(Deformer, the_reference_can_be_asked_for) {
  const Rig rig = shaped_tube();
  const Moment moment = moments(rig).back();
  const Method method = method_from_name("stbs-dqs", rig);
  Deformer deformer(rig, method, {.normals = true, .reference = true});
  const Deformed expected = deform_reference(rig, moment.bones, moment.shapes, method, true);
  const Deformed result = deformer.at(moment.bones, moment.shapes);
  EXPECT_EQ(result.positions, expected.positions);
  EXPECT_EQ(result.normals, expected.normals);
}

TEST(Deformer, a_pose_of_another_rig_is_refused) {
  const Rig rig = shaped_tube();
  const auto bones = moments(make_tube({.bones = 4})).front().bones;
  for (const std::string_view name : method_names()) {
    Deformer deformer(rig, method_from_name(name, rig));
    EXPECT_EQ(wrong_usage([&] { deformer.at(bones, {}); }),
              name.starts_with("ocd-") ? "4 bone states for 3 bones"
                                       : "the pose has 4 bones, the palette was made for 3")
        << name;
  }
}

}  // namespace
}  // namespace sinew
