// SPDX-License-Identifier: Apache-2.0
// From a moment of a clip to the palette: one character at a time, and a crowd. Poses by handles.
#include <cmath>
#include <string>

#include "bench.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/kernels/binding.h"
#include "sinew/motion/ik.h"
#include "sinew/samples/samples.h"

namespace sinew::bench {
namespace {

// A tree of joints, all of which turn for two seconds, with a few vertices at each.
Rig many_joints(int count) {
  Rig rig;
  rig.skeleton.joints.resize(count);
  Clip clip{"turn", {}};
  for (int j = 0; j < count; ++j) {
    Joint& joint = rig.skeleton.joints[j];
    joint.parent = j == 0 ? no_joint : JointIndex(j % 5 == 0 ? j / 2 : j - 1);
    if (j > 0) joint.rest.translation = {0.1 * std::sin(j), 0.4, 0.1 * std::cos(3.0 * j)};
    Curve<Quat> curve;
    const Vec3 axis = normalized(Vec3{std::sin(2.0 * j), std::cos(5.0 * j), std::sin(7.0 * j)});
    for (int k = 0; k <= 60; ++k) {
      curve.times.push_back(k / 30.0);
      curve.values.push_back(rotation_about(axis, 0.8 * std::sin(k * (1 + j % 3) / 20.0)));
    }
    clip.channels.emplace_back(RotationChannel{j, curve});
  }
  rig.skeleton.bones = bones_from_joints(rig.skeleton);
  for (int b = 0; b < count; ++b) {
    const Bone& bone = rig.skeleton.bones[b];
    for (const double t : {0.1, 0.5, 0.9}) {
      rig.mesh.positions.push_back(lerp(bone.head, bone.tail, t) + Vec3{0.05, 0, 0.05});
      rig.skin.weights.push_row(std::vector<Influence>{{b, 0.7}, {(b + 1) % count, 0.3}});
    }
  }
  rig.clips = {clip};
  return rig;
}

// One of the many that share rig, clip and binding.
struct Extra {
  Extra(const Rig& rig, const Binding& binding, const RigPlan& rig_plan, const Method& chosen)
      : palette(Plan(binding, chosen)),
        posed(rig_plan, {.detail = chosen.traits().bones}),
        vertices(3 * rig.mesh.vertex_count()) {}

  void pose(const ClipPlan& clip, double time) {
    posed.play(clip, time);
    palette.update(posed.bones(), posed.shapes());
  }
  void skin() { deform(palette, {.positions = vertices.data()}); }

  Palette palette;
  PosedRig posed;
  std::vector<float> vertices;
};

void measure_joints(const Rig& rig, const std::string& name, const char* method_name) {
  const Method method = method_from_name(method_name, rig);
  const Binding binding(rig);
  const RigPlan plan(rig);
  const ClipPlan clip(plan, rig.clips.front(), method.traits().bones);
  Extra extra(rig, binding, plan, method);
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

// A thousand characters at different moments of one clip, all memory their own; pose alone, and
// with the skinning of 10,000 vertices each.
void measure_crowd(const Rig& rig, const char* method_name, int threads) {
  constexpr std::size_t characters = 1000;
  const Method method = method_from_name(method_name, rig);
  const Binding binding(rig, {.slopes = false});
  const RigPlan plan(rig);
  const ClipPlan clip(plan, rig.clips.front(), method.traits().bones);
  std::vector<Extra> crowd;
  for (std::size_t i = 0; i < characters; ++i) crowd.emplace_back(rig, binding, plan, method);
  set_thread_count(threads);
  const auto frame = [&](bool with_skin) {
    parallel_for(characters, 8, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        crowd[i].pose(clip, clip.duration() * double(i) / characters);
        if (with_skin) crowd[i].skin();
      }
    });
  };
  frame(true);
  Checksum checksum;
  for (const float value : crowd[characters / 3].vertices) checksum.add(double(value));
  const std::string name = std::string("crowd/") + method_name;
  report_row("motion", name + "/pose-per-character", characters,
             minimum_seconds([&] { frame(false); }), checksum);
  report_row("motion", name + "/frame-per-character", characters,
             minimum_seconds([&] { frame(true); }), checksum);
}

// Sixty joints by handles: one chain, and a trunk with five limbs that share it; goals that are
// reached, and goals that are not, which take the most iterations.
void measure_handles() {
  Skeleton chain, tree;
  const auto add = [](Skeleton& skeleton, int parent, const Vec3& place, double bend) {
    Joint joint;
    joint.parent = parent;
    joint.rest.translation = place;
    joint.rest.rotation = rotation_about(Vec3{0, 0, 1}, bend);
    skeleton.joints.push_back(joint);
    return int(skeleton.joints.size()) - 1;
  };
  int end = no_joint;
  for (int j = 0; j < 60; ++j) end = add(chain, end, {0.1, 0, 0}, 0.02);
  const std::vector<IkHandle> one{{end, 0}};
  int top = no_joint;
  for (int j = 0; j < 10; ++j) top = add(tree, top, {0, 0.1, 0}, 0.05);
  std::vector<IkHandle> five;
  for (int limb = 0; limb < 5; ++limb) {
    int joint = top;
    const Vec3 bone{0.1 * std::cos(1.2 * limb), 0.03, 0.1 * std::sin(1.2 * limb)};
    for (int j = 0; j < 10; ++j) joint = add(tree, joint, bone, j % 2 == 0 ? 0.5 : -0.2);
    five.push_back({joint, 0});
  }
  // The first joint of each limb, so that least squares alone has to find the way.
  IkOptions limited;
  for (int limb = 0; limb < 5; ++limb) {
    limited.limits.push_back({10 + 10 * limb, ConeLimit{{0, 1, 0}, 1, -1, 1}});
  }
  const auto measure = [](const char* name, const Skeleton& skeleton,
                          const std::vector<IkHandle>& handles, double away,
                          const IkOptions& options = {}) {
    IkSolver solver(skeleton, handles, options);
    std::vector<Transform> rest;
    for (const Joint& joint : skeleton.joints) rest.push_back(joint.rest);
    const std::vector<Affine> frames = forward_kinematics(skeleton, rest);
    std::vector<IkGoal> goals(handles.size());
    for (std::size_t h = 0; h < handles.size(); ++h) {
      const Vec3 place = frames[handles[h].joint].translation;
      goals[h].position = place * (1 + away) + Vec3{0.05, 0.02, -0.05};
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
    report_row("motion", std::string("joints-60/ik-") + name, solves, seconds, checksum);
  };
  measure("chain/per-solve", chain, one, -0.3);
  measure("tree/per-solve", tree, five, 0);
  measure("tree-out-of-reach/per-solve", tree, five, 3);
  measure("tree-limited/per-solve", tree, five, 0, limited);
  measure("tree-limited-out-of-reach/per-solve", tree, five, 3, limited);
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
  measure_handles();
  for (const char* method : {"lbs", "stbs-dqs"}) {
    measure_crowd(mannequin, method, 1);
    if (threads > 1) measure_crowd(mannequin, method, 2);
  }
  set_thread_count(threads);
}

}  // namespace sinew::bench
