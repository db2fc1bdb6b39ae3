// SPDX-License-Identifier: Apache-2.0
// What a GPU needs to deform a rig by lbs, dqs, mixed, stbs-lbs, stbs-dqs and stbs-mixed: arrays of
// floats, to be uploaded once for a rig and once for each pose. docs/gpu.md has the layout and the
// shaders that read it.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/skinning.h"
#include "sinew/rig/rig.h"

namespace sinew {

// A texel is four floats. Texel i of an array is at column i % 4096 and row i / 4096 of its
// texture.
inline constexpr std::size_t gpu_texture_width = 4096;
// Texels of a bone in a pose.
inline constexpr std::size_t gpu_bone_texels = 6;
// Texels of an influence's gradients, and of a shape's delta at a vertex.
inline constexpr std::size_t gpu_gradient_texels = 3;
inline constexpr std::size_t gpu_delta_texels = 3;

// What is computed of a rig for a GPU.
struct GpuSkinOptions {
  // Also the gradients of weights and endpoint weights along the surface, for normals that are
  // those of the deformed surface. Without them normals are only transformed by the bones.
  bool gradients = false;
};

// A rig for a GPU. Endpoint weights have passed their filters. Textures (influences, gradients,
// deltas) that are longer than a row are padded with zeros to whole rows.
struct GpuSkin {
  // Per vertex, as in the mesh: 3, 3 and 4 floats. Normals are those of the triangles if the mesh
  // has none per vertex, and of unit length unless shapes add to them; tangents may be empty.
  std::vector<float> positions, normals, tangents;
  // Per vertex 4 floats: its first influence, how many it has, how many with those that only
  // neighbours have, and the share of dual quaternions for mixed blending.
  std::vector<float> vertices;
  // A texel each: bone, weight, endpoint weight of the stretch, that of the twist. In each vertex
  // weights fall and sum to 1; after them come bones of neighbours, with weight 0, if there are
  // gradients.
  std::vector<float> influences;
  // Three texels for each influence: the gradient of the weight, and those of the two endpoint
  // weights times the weight, in mesh space; the fourth numbers are 0. Or empty.
  std::vector<float> gradients;
  // Per vertex 2 floats: its first delta and how many it has; empty without shapes and muscles.
  std::vector<float> delta_ranges;
  // Three texels for each shape, and each bone's muscle (deform/muscles.h), that moves a vertex:
  // how far its position, normal and tangent move. The fourth number of the first is where in a
  // pose the shape's weight or the muscle's drive is, counted in floats.
  std::vector<float> deltas;
};

// Throws InputError for an invalid rig, UsageError for one with 2^24 influences or deltas, beyond
// which floats do not count.
GpuSkin gpu_skin(const Rig& rig, const GpuSkinOptions& options = {});

// A method as the shaders know it: the map of its poses, and how they are blended (0: linear, 1:
// dual quaternions, between: a mix, -1: a mix by each vertex's share).
struct GpuMethod {
  BoneMap map = BoneMap::stbs;
  float blend = 1;
};
// One of the skinning methods. Throws UsageError for any other.
GpuMethod gpu_method(std::string_view name);

// How many texels a pose has: six for each bone, then the weights of the shapes and, if the rig has
// muscles (see has_muscles()), the drive of each bone's, four in a texel.
std::size_t gpu_pose_texels(std::size_t bone_count, std::size_t shape_count, bool muscles = false);

// One pose for a GPU; missing shapes count as 0. Reads as much of the states as the method's
// traits() say. Allocates nothing. `muscles`: whether the rig has any; methods other than stbs-...
// leave them at rest. Throws UsageError if `floats` does not have four for each of
// gpu_pose_texels(bones.size(), shape_count, muscles).
//
// `mixed` has one scale for both of its blends, that of dual quaternions. The core's linear part
// also scales bones that are posed by their ends (BonePose) along their length; poses by joints
// make no such difference.
void fill_gpu_pose(const GpuMethod& method, std::span<const BoneState> bones,
                   std::span<const double> shapes, std::size_t shape_count, std::span<float> floats,
                   bool muscles = false);

}  // namespace sinew
