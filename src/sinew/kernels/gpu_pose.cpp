// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/kernels/gpu.h"

namespace sinew {
namespace {

// A bone as the shaders see it.
struct GpuBone {
  Quat rotation;  // halfway along the bone
  Vec3 posed_head;
  double turns = 0;   // of twist, from head to tail
  double longer = 0;  // than at bind
  Mat3 before;        // scale before the rotation
};

GpuBone gpu_bone(const GpuMethod& method, const BoneState& bone, const Vec3& u) {
  if (method.map == BoneMap::stbs) {
    const double mean = (bone.twist_head + bone.twist_tail) / 2;
    return {bone.rotation * rotation_about(u, mean), bone.posed_head,
            (bone.twist_tail - bone.twist_head) / (2 * pi),
            distance(bone.posed_head, bone.posed_tail) - distance(bone.head, bone.tail),
            bone.across};
  }
  const Vec3 head = transform_point(bone.matrix, bone.head);
  if (method.map == BoneMap::rigid) return {bone.turn, head, 0, 0, {}};
  // The matrix may scale what its turn does not, see BonePose.
  if (method.blend == 0) return {{}, head, 0, 0, bone.matrix.linear};
  return {bone.turn, head, 0, 0, bone.scale_shear};
}

void store_texel(float* to, const Vec3& v, double fourth) {
  to[0] = static_cast<float>(v.x);
  to[1] = static_cast<float>(v.y);
  to[2] = static_cast<float>(v.z);
  to[3] = static_cast<float>(fourth);
}

}  // namespace

GpuMethod gpu_method(std::string_view name) {
  constexpr std::pair<std::string_view, GpuMethod> known[] = {
      {"lbs", {BoneMap::matrix, 0}},    {"dqs", {BoneMap::matrix, 1}},
      {"mixed", {BoneMap::matrix, -1}}, {"stbs-lbs", {BoneMap::stbs, 0}},
      {"stbs-dqs", {BoneMap::stbs, 1}}, {"stbs-mixed", {BoneMap::stbs, -1}}};
  for (const auto& [own, method] : known) {
    if (own == name) return method;
  }
  throw UsageError(formatted(
      "'{}' has no shader; there are lbs, dqs, mixed, stbs-lbs, stbs-dqs and stbs-mixed", name));
}

std::size_t gpu_pose_texels(std::size_t bone_count, std::size_t shape_count, bool muscles) {
  return gpu_bone_texels * bone_count + (shape_count + (muscles ? bone_count : 0) + 3) / 4;
}

void fill_gpu_pose(const GpuMethod& method, std::span<const BoneState> bones,
                   std::span<const double> shapes, std::size_t shape_count, std::span<float> floats,
                   bool muscles) {
  if (shapes.size() > shape_count) {
    throw UsageError(formatted("there are {} weights for {} shapes", shapes.size(), shape_count));
  }
  const std::size_t size = 4 * gpu_pose_texels(bones.size(), shape_count, muscles);
  if (floats.size() != size) {
    throw UsageError(formatted("the pose has {} floats, not {}", size, floats.size()));
  }
  float* to = floats.data();
  for (const BoneState& bone : bones) {
    const Vec3 u = normalized(bone.tail - bone.head);
    const GpuBone values = gpu_bone(method, bone, u);
    const Mat3 rows = transpose(values.before);  // its columns are the rows
    store_texel(to, values.rotation.vector(), values.rotation.w);
    store_texel(to + 4, values.posed_head, values.turns);
    store_texel(to + 8, bone.head, values.longer);
    store_texel(to + 12, rows.x, u.x);
    store_texel(to + 16, rows.y, u.y);
    store_texel(to + 20, rows.z, u.z);
    to += 4 * gpu_bone_texels;
  }
  float* const end = floats.data() + floats.size();
  float* const drives = to + shape_count;
  for (const double weight : shapes) *to++ = static_cast<float>(weight);
  std::fill(to, end, 0.0f);
  if (!muscles || method.map != BoneMap::stbs) return;
  for (std::size_t b = 0; b < bones.size(); ++b) drives[b] = static_cast<float>(bones[b].bulge);
}

}  // namespace sinew
