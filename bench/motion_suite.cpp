// SPDX-License-Identifier: Apache-2.0
// From a moment of a clip to the palette: one character at a time, and a crowd. Poses by handles.
#include <cmath>
#include <string>
#include <utility>

#include "bench.h"
#include "character.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/kernels/binding.h"
#include "sinew/motion/ik.h"
#include "sinew/samples/samples.h"

namespace sinew::bench {
namespace {

// One of the many that share rig, clip and binding.
struct Extra {
  Extra(const Binding& binding, const RigPlan& rig_plan, const Method& chosen)
      : palette(Plan(binding, chosen)), posed(rig_plan, {.detail = chosen.traits().bones}) {}

  void pose(const ClipPlan& clip, double time) {
    posed.play(clip, time);
    palette.update(posed);
  }

  Palette palette;
  PosedRig posed;
};

void measure_joints(const Rig& rig, const std::string& name, const char* method_name) {
  const Method method = method_from_name(method_name, rig);
  const Binding binding(rig);
  const RigPlan plan(rig);
  const ClipPlan clip(plan, rig.clips.front(), method.traits().bones);
  Extra extra(binding, plan, method);
  constexpr int frames = 48;
  Checksum checksum;
  // Back and forth through the clip: any time costs the same.
  const auto time = [&](int f) { return clip.duration() * ((f * 29) % frames) / frames; };
  for (int f = 0; f < frames; ++f) {
    extra.pose(clip, time(f));
    for (const BoneState& bone : extra.posed.bones()) checksum.add(bone.matrix.translation);
  }
  const double seconds = minimum_seconds([&] {
    for (int f = 0; f < frames; ++f) extra.pose(clip, time(f));
  });
  report_row("motion", name + "/" + method_name + "/pose-per-joint",
             frames * rig.skeleton.joints.size(), seconds, checksum);
}

// A thousand characters at different moments of one clip, each with vertices of its own; pose
// alone, and with the skinning of 10,000 vertices each. A pose is used up at once, so that its
// memory can be one for all characters of a thread, and stays in its cache.
void measure_crowd(const Rig& rig, const char* method_name, int threads) {
  constexpr std::size_t characters = 1000;
  const Method method = method_from_name(method_name, rig);
  const Binding binding(rig, {.slopes = false});
  const RigPlan plan(rig);
  const ClipPlan clip(plan, rig.clips.front(), method.traits().bones);
  std::vector<Extra> workers;
  for (int i = 0; i < threads; ++i) workers.emplace_back(binding, plan, method);
  std::vector<std::vector<float>> crowd(characters,
                                        std::vector<float>(3 * rig.mesh.vertex_count()));
  set_thread_count(threads);
  const std::size_t share = (characters + workers.size() - 1) / workers.size();
  const auto frame = [&](bool with_skin) {
    parallel_for(characters, share, [&](std::size_t begin, std::size_t end) {
      Extra& worker = workers[begin / share];
      for (std::size_t i = begin; i < end; ++i) {
        worker.pose(clip, clip.duration() * double(i) / characters);
        if (with_skin) deform(worker.palette, {.positions = crowd[i].data()});
      }
    });
  };
  frame(true);
  Checksum checksum;
  for (const float value : crowd[characters / 3]) checksum.add(double(value));
  const std::string name = std::string("crowd/") + method_name;
  report_row("motion", name + "/pose-per-character", characters,
             minimum_seconds([&] { frame(false); }), checksum);
  report_row("motion", name + "/frame-per-character", characters,
             minimum_seconds([&] { frame(true); }), checksum);
}

int add_bent(Skeleton& skeleton, int parent, const Vec3& place, double bend) {
  Joint joint;
  joint.parent = parent;
  joint.rest.translation = place;
  joint.rest.rotation = rotation_about(Vec3{0, 0, 1}, bend);
  skeleton.joints.push_back(joint);
  return int(skeleton.joints.size()) - 1;
}

// Joints with handles at their ends.
struct Handled {
  Skeleton skeleton;
  std::vector<IkHandle> handles;
};

// A trunk and five limbs that share it, sixty joints; without a trunk, one chain.
Handled sixty_joints(int trunk) {
  Handled result;
  int top = no_joint;
  for (int j = 0; j < trunk; ++j) top = add_bent(result.skeleton, top, {0, 0.1, 0}, 0.05);
  const int limbs = trunk > 0 ? 5 : 1, bones = (60 - trunk) / limbs;
  for (int limb = 0; limb < limbs; ++limb) {
    int joint = top;
    const Vec3 bone{0.1 * std::cos(1.2 * limb), 0.03, 0.1 * std::sin(1.2 * limb)};
    for (int j = 0; j < bones; ++j) {
      joint = add_bent(result.skeleton, joint, bone, trunk == 0 ? 0.02 : j % 2 == 0 ? 0.5 : -0.2);
    }
    result.handles.push_back({joint, 0});
  }
  return result;
}

// Goals `away` times as far from the root again as handles are at rest.
void measure_handles(const std::string& name, const Handled& rig, double away,
                     const IkOptions& options = {}, bool turned = false) {
  const auto& [skeleton, handles] = rig;
  IkSolver solver(skeleton, handles, options);
  std::vector<Transform> rest;
  for (const Joint& joint : skeleton.joints) rest.push_back(joint.rest);
  const std::vector<Affine> frames = forward_kinematics(skeleton, rest);
  std::vector<IkGoal> goals(handles.size());
  for (std::size_t h = 0; h < handles.size(); ++h) {
    const Vec3 place = frames[handles[h].joint].translation;
    goals[h].position = place * (1 + away) + Vec3{0.05, 0.02, -0.05};
    if (!turned) continue;
    goals[h].pole = Vec3{0, 1, 2};
    goals[h].rotation = rotation_about(Vec3{0, 1, 0}, 0.3);
  }
  std::vector<Transform> pose = rest;
  Checksum checksum;
  solver.solve(goals, pose);
  for (const Transform& joint : pose) checksum.add(joint.rotation.vector());
  constexpr int solves = 20;
  const double seconds = minimum_seconds([&] {
    for (int i = 0; i < solves; ++i) {
      pose = rest;
      solver.solve(goals, pose);
    }
  });
  report_row("motion", "joints-60/ik-" + name + "/per-solve", solves, seconds, checksum);
}

// Sixty joints by handles: goals that are reached, and goals that are not, which take the most
// iterations; limits of some and of all joints, which leave the way to least squares alone.
void measure_all_handles() {
  const Handled chain = sixty_joints(0), tree = sixty_joints(10), trunk = sixty_joints(50);
  IkOptions shoulders, cones, hinges, axes;
  for (int limb = 0; limb < 5; ++limb) {
    shoulders.limits.push_back({10 + 10 * limb, ConeLimit{{0, 1, 0}, 1, -1, 1}});
  }
  for (int j = 0; j < 60; ++j) {
    cones.limits.push_back({j, ConeLimit{{0, 1, 0}, 0.2, -0.1, 0.1}});
    hinges.limits.push_back({j, HingeLimit{{0, 0, 1}, -0.2, 0.2}});
    axes.limits.push_back({j, AxesLimit{{-0.2, -0.1, -0.2}, {0.2, 0.1, 0.2}}});
  }
  measure_handles("chain", chain, -0.3);
  measure_handles("chain-out-of-reach", chain, 3);
  measure_handles("chain-turned", chain, -0.3, {}, true);
  measure_handles("tree", tree, 0);
  measure_handles("tree-out-of-reach", tree, 3);
  measure_handles("tree-turned-out-of-reach", tree, 3, {}, true);
  measure_handles("tree-shoulders", tree, 0, shoulders);
  measure_handles("tree-shoulders-out-of-reach", tree, 3, shoulders);
  for (const auto& [name, options] :
       {std::pair("cones", cones), std::pair("hinges", hinges), std::pair("axes", axes)}) {
    measure_handles(std::string("chain-") + name, chain, -0.3, options);
    measure_handles(std::string("chain-") + name + "-out-of-reach", chain, 3, options);
    measure_handles(std::string("tree-") + name + "-out-of-reach", tree, 3, options);
    measure_handles(std::string("trunk-") + name + "-out-of-reach", trunk, 3, options, true);
  }
}

}  // namespace

void run_motion_suite(const Options&) {
  const int threads = thread_count();
  set_thread_count(1);
  const Rig mannequin = make_sample("mannequin", 10000);
  const Rig small = many_joints(60), large = many_joints(1000);
  for (const char* method : {"lbs", "dqs", "stbs-lbs", "stbs-dqs"}) {
    measure_joints(mannequin, "mannequin", method);
    measure_joints(small, "joints-60", method);
    measure_joints(large, "joints-1000", method);
  }
  measure_all_handles();
  for (const char* method : {"lbs", "stbs-dqs"}) {
    measure_crowd(mannequin, method, 1);
    if (threads > 1) measure_crowd(mannequin, method, 2);
  }
  set_thread_count(threads);
}

}  // namespace sinew::bench
