// SPDX-License-Identifier: Apache-2.0
// Builds the packed form of a rig.
#pragma once

#include <span>

#include "sinew/deform/internal/skin_reader.h"
#include "sinew/kernels/detail/block_triangles.h"
#include "sinew/kernels/detail/packed.h"
#include "sinew/rig/rig.h"

namespace sinew::kernels {

PackedRig pack(const Rig& rig, bool with_slopes);

// Sorts the vertices of each block by their bones, if that is worth the while. Fills `tile_count`,
// `order`, `sorted` and `slots`, and at `first_entry` of the next tile how many bones each has.
void pack_order(PackedRig& packed, const SkinReader& reader);

// Fills the entries of the tiles' own, with weights and raw endpoint weights (those of the twist
// only if the skin has some). `first_entry` must say where they begin.
void pack_entries(PackedRig& packed, const SkinReader& reader);

// Computes `stretch` and `twist`, their slopes, and the related fields of the entries from the raw
// (unfiltered) values. `filters`: one per bone, or none.
void pack_endpoints(PackedRig& packed, std::span<const BoneFilter> filters);

// Whether the mesh has per-vertex normals, which can be packed as they are.
bool has_vertex_normals(const Mesh& mesh);

// The normals at bind: the mesh's own, or else those of its triangles. At unit length, unless
// shapes add to them what they store.
std::vector<Vec3> bind_normals(const Mesh& mesh);

// The mesh's blend shapes. Where the normals are those of the triangles, shapes turn them: by the
// difference between the normals with the shape at weight 1 and without it. Neighbours of what a
// shape moves are part of it then.
std::vector<BlendShape> shapes_with_normals(const Mesh& mesh);

// Fills the slopes, and adds the entries that only slopes refer to. The normals and the tiles' own
// entries must be filled already.
void pack_slopes(PackedRig& packed, const Mesh& mesh, const BlockTriangles& triangles);

// Two unit directions of the tangent plane, the second as the kernels compute it.
struct PlaneDirections {
  Vec3 s, t;
};
// Fills the directions. packed.normals must be filled already.
void pack_directions(PackedRig& packed);
PlaneDirections directions_at(const PackedRig& packed, std::size_t slot);

// Fills the bulges of the rig's muscles, and the directions if there are none yet. All else that
// belongs to tiles must be filled already.
void pack_muscles(PackedRig& packed, const Rig& rig, bool with_slopes);

// Fills the blended pairs. The entries must be filled already.
void pack_blended_pairs(PackedRig& packed);

// Fills the shapes. `order` must be filled already.
void pack_shapes(PackedRig& packed, const Mesh& mesh);

}  // namespace sinew::kernels
