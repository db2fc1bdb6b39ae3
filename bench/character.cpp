// SPDX-License-Identifier: Apache-2.0
#include "character.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/samples/samples.h"
#include "sinew/skin/projection.h"

namespace sinew::bench {
namespace {

constexpr std::size_t largest_original = 100000;

Weights heaviest(const Weights& weights, std::size_t influences) {
  Weights pruned;
  std::vector<Influence> row;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const auto old = weights.row(v);
    row.assign(old.begin(), old.end());
    std::stable_sort(row.begin(), row.end(),
                     [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    row.resize(std::min(row.size(), influences));
    pruned.push_row(row);
  }
  normalize(pruned);
  return pruned;
}

Weights nearest(const Rig& rig, std::size_t influences) {
  Weights weights;
  std::vector<Influence> row;
  for (const Vec3& p : rig.mesh.positions) {
    row.clear();
    for (std::size_t b = 0; b < rig.skeleton.bones.size(); ++b) {
      const Bone& bone = rig.skeleton.bones[b];
      const double t = project_on_segment(p, bone.head, bone.tail);
      const double d = distance(p, lerp(bone.head, bone.tail, t));
      row.push_back({static_cast<int>(b), 1 / (d * d + 1e-6)});
    }
    weights.push_row(row);
  }
  return heaviest(weights, influences);
}

template <class T>
void repeat(std::vector<T>& values, std::size_t count) {
  if (values.empty()) return;
  const std::size_t period = values.size();
  values.resize(count);
  for (std::size_t i = period; i < count; ++i) values[i] = values[i - period];
}

Rig original(std::size_t vertices) {
  Rig rig = make_sample("mannequin", std::min(vertices, largest_original));
  rig.skin.endpoints.clear();
  rig.skin.twist_endpoints.clear();
  if (!rig.mesh.normals.per_vertex() || rig.mesh.normals.empty()) {
    rig.mesh.normals = {vertex_normals(rig.mesh.positions, rig.mesh.triangles), {}};
  }
  return rig;
}

void repeat(Rig& rig, std::size_t vertices) {
  const std::size_t period = rig.mesh.vertex_count();
  if (vertices <= largest_original) return;
  const Weights once = rig.skin.weights;
  for (std::size_t v = period; v < vertices; ++v) rig.skin.weights.push_row(once.row(v % period));
  Mesh mesh;
  mesh.positions = std::move(rig.mesh.positions);
  mesh.normals = std::move(rig.mesh.normals);
  repeat(mesh.positions, vertices);
  repeat(mesh.normals.values, vertices);
  rig.mesh = std::move(mesh);
}

}  // namespace

Rig character(std::size_t vertices, std::size_t influences) {
  Rig rig = original(vertices);
  rig.skin.weights = heaviest(rig.skin.weights, influences);
  repeat(rig, vertices);
  return rig;
}

Rig dense_character(std::size_t vertices, std::size_t influences) {
  Rig rig = original(vertices);
  rig.skin.weights = nearest(rig, influences);
  repeat(rig, vertices);
  return rig;
}

std::vector<BoneState> moving_pose(const Rig& rig) {
  const Clip& clip = rig.clips.front();
  return bone_states(rig, pose_at(rig, clip, 0.37 * duration(clip)));
}

std::vector<BoneState> strained_pose(const Rig& rig) {
  std::vector<BoneState> states = moving_pose(rig);
  for (std::size_t b = 0; b < states.size(); ++b) {
    BoneState& state = states[b];
    const double amount = 0.2 + 0.1 * static_cast<double>(b % 7);
    state.posed_tail += (state.posed_tail - state.posed_head) * amount;
    state.twist_head -= amount;
    state.twist_tail += 3 * amount;
  }
  return states;
}

std::vector<BoneState> stiff_pose(const Rig& rig) {
  std::vector<BoneState> states = moving_pose(rig);
  for (BoneState& state : states) {
    state.rotation = state.turn;
    state.posed_tail = state.posed_head + rotate(state.rotation, state.tail - state.head);
    state.twist_head = state.twist_tail = 0;
  }
  return states;
}

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

}  // namespace sinew::bench
