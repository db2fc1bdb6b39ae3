// SPDX-License-Identifier: Apache-2.0
// Frames allocate nothing: counts every operator new of the process, TBB's included.
#include <gtest/gtest.h>

#include "counting_new.h"
#include "kernel_rig.h"
#include "sinew/core/parallel.h"
#include "sinew/kernels/binding.h"

namespace sinew {
namespace {

TEST(Allocations, are_counted) {
  const std::size_t before = test::allocation_count();
  EXPECT_EQ(std::vector<int>(10, 1).back(), 1);
  EXPECT_GT(test::allocation_count(), before);
}

TEST(Allocations, a_frame_makes_none_by_any_method) {
  Rig rig = test::kernel_rig({.vertices = 20000});
  // Triangles, so that weights have slopes.
  for (Index v = 0; v + 2 < rig.mesh.vertex_count(); ++v) {
    rig.mesh.triangles.push_back({v, v + 1, v + 2});
  }
  rig.mesh.shapes.resize(1);
  rig.mesh.shapes[0].positions.assign(rig.mesh.vertex_count(), {0.01, 0, 0});
  const Binding binding(rig);
  const std::vector<test::NamedMethod> methods = test::all_methods(rig);
  const std::vector<std::vector<BoneState>> poses{
      test::kernel_pose(rig, {}, 1), test::kernel_pose(rig, {}, 2), test::kernel_pose(rig, {}, 3)};
  const std::vector<double> shapes{0.5};
  std::vector<float> positions(3 * binding.vertex_count()), normals(positions.size());
  const Output output{.positions = positions.data(), .normals = normals.data()};
  for (const int threads : {1, 2, 0}) {
    set_thread_count(threads);
    for (const auto& [name, method] : methods) {
      const Plan plan(binding, method);
      Palette palette(plan);
      palette.update(poses[0], shapes);
      // Threads start, and TBB fills its pools, in the first few calls.
      for (int i = 0; i < 10; ++i) deform(palette, output);
      const std::size_t before = test::allocation_count();
      for (const auto& pose : poses) {
        palette.update(pose, shapes);
        deform(palette, output);
      }
      EXPECT_EQ(test::allocation_count(), before) << threads << " threads, " << name;
    }
  }
}

}  // namespace
}  // namespace sinew
