// SPDX-License-Identifier: Apache-2.0
// Frames allocate nothing: counts every operator new of the process, TBB's included.
#include <gtest/gtest.h>

#include "counting_new.h"
#include "kernel_rig.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/io/gltf.h"
#include "sinew/kernels/binding.h"
#include "sinew/kernels/gpu.h"
#include "sinew/motion/ik.h"
#include "sinew/samples/samples.h"
#include "tests/support/sanitized.h"

namespace sinew {
namespace {

TEST(Allocations, are_counted) {
  const std::size_t before = test::allocation_count();
  EXPECT_EQ(std::vector<int>(10, 1).back(), 1);
  EXPECT_GT(test::allocation_count(), before);
}

TEST(Allocations, a_frame_makes_none_by_any_method) {
  Rig rig = test::kernel_rig({.vertices = sanitized ? 500u : 8000u});
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

// Rigs with millions of vertices are bound where little more than their bindings fits.
TEST(Allocations, binding_takes_little_more_memory_than_it_keeps) {
  Rig rig = test::kernel_rig({.vertices = 100000});
  rig.mesh.normals.values.assign(rig.mesh.vertex_count(), {0, 0, 1});
  test::most_allocated_bytes();
  const std::size_t before = test::allocated_bytes();
  const Binding binding(rig, {.slopes = false});
  binding.packed();
  const std::size_t kept = test::allocated_bytes() - before;
  EXPECT_GT(kept, 40 * rig.mesh.vertex_count());
  EXPECT_LT(test::most_allocated_bytes() - before, kept + kept / 4);
}

// A file, what was read from it, and the file that is written: the latter with room to grow, which
// counts here, though nothing is ever in it.
TEST(Allocations, a_model_is_read_and_written_in_little_more_memory_than_both_files_and_the_rig) {
  const std::string bytes = to_glb({make_sample("mannequin", 50000), nullptr});
  test::most_allocated_bytes();
  const std::size_t before = test::allocated_bytes();
  Model model = parse_gltf(bytes);
  const std::size_t kept = test::allocated_bytes() - before;
  EXPECT_GT(kept, 2 * bytes.size());
  EXPECT_LT(test::most_allocated_bytes() - before, kept + bytes.size() / 4);
  EXPECT_EQ(to_glb(model), bytes);
  EXPECT_LT(test::most_allocated_bytes() - before, kept + 2 * bytes.size() + bytes.size() / 4);
}

// Slopes are there twice for a moment, until all blocks lie in one piece.
TEST(Allocations, binding_with_slopes_takes_at_most_half_as_much_again_as_it_keeps) {
  Rig rig = make_sample("mannequin", 50000);
  rig.skin.endpoints.clear();
  rig.skin.twist_endpoints.clear();
  test::most_allocated_bytes();
  const std::size_t before = test::allocated_bytes();
  const Binding binding(rig);
  binding.packed();
  const std::size_t kept = test::allocated_bytes() - before;
  EXPECT_GT(kept, 80 * rig.mesh.vertex_count());
  EXPECT_LT(test::most_allocated_bytes() - before, kept + kept / 2);
}

TEST(Allocations, a_pose_for_a_gpu_makes_none) {
  const Rig rig = test::kernel_rig();
  const std::vector<BoneState> pose = test::kernel_pose(rig);
  std::vector<float> floats(4 * gpu_pose_texels(pose.size(), 0));
  const GpuMethod method = gpu_method("stbs-dqs");
  const std::size_t before = test::allocation_count();
  fill_gpu_pose(method, pose, {}, 0, floats);
  EXPECT_EQ(test::allocation_count(), before);
}

// From a moment of a clip, and from a pose, to vertices.
TEST(Allocations, the_way_from_a_clip_to_vertices_makes_none) {
  Rig rig = test::kernel_rig({.vertices = 5000});
  rig.mesh.shapes.resize(3);
  for (BlendShape& shape : rig.mesh.shapes) {
    shape.positions.assign(rig.mesh.vertex_count(), {0.01, 0, 0});
  }
  rig.controls = {{"breath", 0.5}};
  rig.skin.muscles.resize(rig.skeleton.bones.size(), {.stretch = 1});
  rig.skin.muscles[0].angle = MuscleAngle{.joint = 1};
  Curve<double> follow;
  follow.times = {0, 1};
  follow.values = {1, 2};
  rig.drivers = {{0, Follow{Follow::Property::scale, {1, 1, 1}, ControlInput{0}, follow}}};
  rig.shape_drivers = {{1, ControlInput{0}, follow}};
  rig.pose_spaces = {{{1}, {{{Vec3{1, 0, 0}}, {2}}}, {}}};
  Clip clip{"wind", {}};
  Curve<Quat> wind;
  for (int k = 0; k <= 24; ++k) {
    wind.times.push_back(0.1 * k);
    wind.values.push_back(rotation_about(Vec3{1, 0, 0}, radians(30.0 * k)));
  }
  for (int j = 1; j < int(rig.skeleton.joints.size()); ++j) {
    clip.channels.emplace_back(RotationChannel{j, wind});
  }
  Curve<std::vector<double>> smile;
  smile.times = {0, 1};
  smile.values = {{0, 0, 0}, {1, 0, 0}};
  clip.channels.emplace_back(ShapeChannel{0, smile});
  clip.channels.emplace_back(ControlChannel{0, follow});
  const Pose by_hand = rest_pose(rig);

  const Binding binding(rig);
  std::vector<float> positions(3 * binding.vertex_count());
  const Output output{.positions = positions.data()};
  set_thread_count(1);
  for (const test::NamedMethod& listed : test::all_methods(rig)) {
    const std::string& name = listed.name;
    const Method& method = listed.method;
    Palette palette(Plan(binding, method));
    PosedRig posed(RigPlan(rig), {.detail = method.traits().bones});
    const ClipPlan played(posed.plan(), clip, posed.detail());
    const auto draw = [&] {
      // Offset curves bind again for other shapes, which allocates.
      const bool binds_again = name.starts_with("ocd-");
      if (binds_again) palette.update(posed.bones());
      if (!binds_again) palette.update(posed);
      deform(palette, output);
    };
    draw();
    const std::size_t before = test::allocation_count();
    for (const double time : {0.3, 2.2, 0.01, 1.7, -1.0, 9.0}) {
      posed.play(played, time);
      draw();
    }
    posed.set(by_hand);
    draw();
    posed.follow(by_hand);
    draw();
    EXPECT_EQ(test::allocation_count(), before) << name;
  }
  set_thread_count(0);
}

// A trunk with two chains, one with a limit, and a joint that is dragged.
TEST(Allocations, inverse_kinematics_makes_none) {
  Skeleton skeleton;
  for (int j = 0; j < 12; ++j) {
    Joint joint;
    joint.parent = j == 7 ? 3 : j - 1;
    joint.rest.translation = {0.1, j < 7 ? 0.2 : -0.2, 0.05};
    skeleton.joints.push_back(joint);
  }
  const std::vector<IkHandle> handles{{6, 1}, {11, 1}, {0, no_joint, IkLengths::free}};
  IkOptions options;
  options.limits = {{5, HingeLimit{{0, 0, 1}, -1, 1}}};
  IkSolver solver(skeleton, handles, options);
  std::vector<Transform> pose;
  for (const Joint& joint : skeleton.joints) pose.push_back(joint.rest);
  std::vector<IkGoal> goals(3);
  for (int i = 0; i < 3; ++i) goals[i].position = Vec3{0.3, 0.2 * i, 0.1};
  const std::size_t before = test::allocation_count();
  solver.solve(goals, pose);
  EXPECT_EQ(test::allocation_count(), before);
  EXPECT_GT(solver.results()[0].iterations, 0);
}

}  // namespace
}  // namespace sinew
