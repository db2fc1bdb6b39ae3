// SPDX-License-Identifier: Apache-2.0
// Loops on several threads, and several threads that share a rig: `./run test --deep` runs these
// with the thread sanitizer, which finds two that touch the same number.
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/deform/deform.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/draw/camera.h"
#include "sinew/draw/scene.h"
#include "sinew/kernels/binding.h"
#include "sinew/samples/samples.h"

namespace sinew {
namespace {

// At least two threads in every loop, where the machine has them.
class Threads : public testing::Test {
 protected:
  Threads() { set_thread_count(4); }
  ~Threads() override { set_thread_count(0); }
};

template <class Body>
void on_threads(int count, Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

TEST_F(Threads, loops_add_up_what_their_blocks_wrote) {
  std::vector<int> values(100000, 0);
  for (int round = 0; round < 20; ++round) {
    parallel_for(values.size(), 512, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++values[i];
    });
  }
  EXPECT_EQ(values, std::vector<int>(100000, 20));
}

TEST_F(Threads, many_characters_share_one_binding) {
  const Rig rig = make_sample("arm", 1500);
  const RigPlan rig_plan(rig);
  const ClipPlan clip(rig_plan, rig.clips.front());
  const Binding binding(rig);
  const Plan plan(binding, method_from_name("stbs-dqs", rig));
  const std::size_t floats = 3 * binding.vertex_count();
  std::vector<std::vector<float>> results(6, std::vector<float>(floats));
  const auto skin = [&](int character) {
    PosedRig posed(rig_plan);
    Palette palette(plan);
    for (int frame = 0; frame <= 10; ++frame) {
      posed.play(clip, frame / 10.0);
      palette.update(posed.bones());
      deform(palette, {.positions = results[character].data()});
    }
  };
  on_threads(5, skin);
  skin(5);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(results[i], results[5]) << i;
}

TEST_F(Threads, poses_of_one_rig_are_made_and_deformed_by_the_reference) {
  const Rig rig = make_sample("arm", 500);
  const Method method = method_from_name("stbs-lbs", rig);
  std::vector<Deformed> results(4);
  on_threads(4, [&](int i) {
    const Pose pose = pose_at(rig, rig.clips.front(), 0.5);
    results[i] =
        deform_reference(rig, bone_states(rig, rig.clips.front(), 0.5), pose.shapes, method, true);
  });
  for (int i = 1; i < 4; ++i) EXPECT_EQ(results[i].positions, results[0].positions) << i;
}

TEST_F(Threads, pictures_are_drawn) {
  const Rig rig = make_sample("arm", 2000);
  Scene scene;
  scene.surfaces.push_back(drawable_of(rig.mesh));
  const Camera camera = frame({30, 10}, rig.mesh.positions, 1);
  const Image together = render(scene, camera, 128, 128);
  set_thread_count(1);
  EXPECT_EQ(together, render(scene, camera, 128, 128));
}

}  // namespace
}  // namespace sinew
