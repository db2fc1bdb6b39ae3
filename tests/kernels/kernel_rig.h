// SPDX-License-Identifier: Apache-2.0
// Rigs and poses for the tests of the kernels: everything bent, twisted and stretched, nothing at
// the identity.
#pragma once

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/method.h"
#include "sinew/deform/skinning.h"
#include "sinew/rig/rig.h"

namespace sinew::test {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_()) / 4294967295.0;
  }
  Vec3 vector(double size) {
    return {between(-size, size), between(-size, size), between(-size, size)};
  }
  Vec3 direction() { return normalized(vector(1)); }
  std::size_t below(std::size_t count) { return engine_() % count; }

 private:
  std::mt19937 engine_;
};

// From 0 to 1 and again, in the order of the vertices.
inline void set_blend_shares(Rig& rig) {
  rig.skin.blend_shares.clear();
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    rig.skin.blend_shares.push_back(static_cast<double>(v % 11) / 10);
  }
}

struct RigOptions {
  std::size_t vertices = 500;
  std::size_t bones = 9;
  std::size_t influences = 4;
  Vec3 origin{0.3, -0.2, 0.5};
};

// Bones in a zigzag with a branch, and vertices strewn about them, in no order. A third of the
// endpoint weights are 0 or 1, as beyond a bone's ends. Every 50th vertex has no weight
inline Rig kernel_rig(const RigOptions& options = {}, unsigned seed = 1) {
  Random random(seed);
  Rig rig;
  std::vector<Vec3> points{options.origin};
  std::vector<std::array<int, 2>> segments;
  for (std::size_t b = 0; b < options.bones; ++b) {
    const std::size_t from = b == 5 ? 2 : points.size() - 1;
    points.push_back(points[from] + random.direction() * 0.2);
    segments.push_back({static_cast<int>(from), static_cast<int>(points.size() - 1)});
  }
  rig.skeleton = skeleton_from_segments(points, segments);
  std::vector<Influence> row;
  for (std::size_t v = 0; v < options.vertices; ++v) {
    const std::size_t near = random.below(options.bones);
    const Bone& bone = rig.skeleton.bones[near];
    rig.mesh.positions.push_back(lerp(bone.head, bone.tail, random.between(-0.3, 1.3)) +
                                 random.vector(0.1));
    rig.mesh.normals.values.push_back(random.direction());
    const Vec3 t = any_perpendicular(rig.mesh.normals.values.back());
    rig.mesh.tangents.push_back({t.x, t.y, t.z, v % 2 == 0 ? 1.0 : -1.0});
    row.clear();
    const std::size_t count = 1 + random.below(options.influences);
    for (std::size_t i = 0; i < count && v % 50 != 49; ++i) {
      row.push_back({static_cast<int>((near + i) % options.bones), random.between(0.05, 1)});
    }
    rig.skin.weights.push_row(row);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const double e = random.between(-0.2, 1.2);
      rig.skin.endpoints.push_back(e < 0 ? 0 : e > 1 ? 1 : e);
    }
  }
  normalize(rig.skin.weights);
  set_blend_shares(rig);
  return rig;
}

struct PoseOptions {
  double twist = radians(720);  // at most, at either end
  double least_stretch = 0.1, most_stretch = 10;
  bool scale = false;  // scale across the bones, and in their matrices
};

inline std::vector<BoneState> kernel_pose(const Rig& rig, const PoseOptions& options = {},
                                          unsigned seed = 2) {
  Random random(seed);
  std::vector<BonePose> poses;
  for (const Bone& bone : rig.skeleton.bones) {
    BonePose pose;
    const Quat turn = rotation_about(random.direction(), random.between(0.5, 3));
    const double factor = random.between(options.least_stretch, options.most_stretch);
    pose.start = bone.head + random.vector(0.3);
    pose.end = pose.start + rotate(turn, bone.tail - bone.head) * factor;
    pose.rotation = turn;
    pose.twist_start = random.between(-options.twist, options.twist) / 2;
    pose.twist_end = pose.twist_start + random.between(-options.twist, options.twist);
    poses.push_back(pose);
  }
  std::vector<BoneState> states = bone_states(rig.skeleton, poses);
  for (BoneState& state : states) {
    state.own_twist = random.between(-options.twist, options.twist) / 2;
    if (!options.scale) continue;
    const Vec3 u = normalized(state.tail - state.head);
    const Vec3 v = any_perpendicular(u);
    const Mat3 frame{u, v, cross(u, v)};
    const Vec3 across{1, random.between(0.5, 2), random.between(0.5, 2)};
    state.across = frame * diagonal(across) * transpose(frame);
    state.scale_shear =
        frame * diagonal(Vec3{random.between(0.5, 2), across.y, 1}) * transpose(frame);
    const Vec3 head = transform_point(state.matrix, state.head);
    state.matrix.linear = to_matrix(state.turn) * state.scale_shear;
    state.matrix.translation = head - state.matrix.linear * state.head;
  }
  return states;
}

// The whole is turned, and two joints are bent: the others do not move against each other.
inline std::vector<BoneState> few_bends(const Rig& rig) {
  Pose pose = rest_pose(rig);
  const auto turn = [&](std::size_t joint, double angle) {
    Quat& rotation = pose.joints[joint].rotation;
    rotation = rotation * rotation_about(normalized(Vec3{1, 2, -3}), angle);
  };
  turn(0, 0.7);
  turn(4, 0.6);
  turn(7, 1.1);
  return bone_states(rig, pose);
}

struct NamedMethod {
  std::string name;
  Method method;
};

// Every method that works tile by tile.
inline std::vector<NamedMethod> tile_methods(const Rig& rig) {
  std::vector<NamedMethod> methods;
  const std::pair<std::string, BoneMap> maps[] = {
      {"rigid", BoneMap::rigid}, {"matrix", BoneMap::matrix}, {"stbs", BoneMap::stbs}};
  for (const auto& [name, map] : maps) {
    methods.push_back({name + " linear", Skinning{map, LinearBlend{}}});
    methods.push_back({name + " dual quaternion", Skinning{map, DualQuaternionBlend{}}});
    methods.push_back({name + " mixed", Skinning{map, MixedBlend{}}});
  }
  methods.push_back({"stretch it", method_from_name("stretch-it", rig)});
  return methods;
}

// The same and every method of the list.
inline std::vector<NamedMethod> all_methods(const Rig& rig) {
  std::vector<NamedMethod> all = tile_methods(rig);
  for (const MethodInfo* method : methods()) {
    all.push_back({std::string(method->name), method_from_name(method->name, rig)});
  }
  return all;
}

}  // namespace sinew::test
