// SPDX-License-Identifier: Apache-2.0
// Builds the packed form of a rig.
#pragma once

#include <span>

#include "sinew/deform/skin_rows.h"
#include "sinew/kernels/detail/packed.h"
#include "sinew/rig/rig.h"

namespace sinew::kernels {

PackedRig pack(const Rig& rig, bool with_slopes);

// Computes `stretch` and `twist`, their slopes, and the related fields of the entries from the raw
// (unfiltered) values. `filters`: one per bone, or none.
void pack_endpoints(PackedRig& packed, std::span<const BoneFilter> filters);

// Whether the mesh has per-vertex normals, which can be packed as they are.
bool has_vertex_normals(const Mesh& mesh);

// Fills the slopes, and adds the entries that only slopes refer to. packed.normals must be filled
// already, with the same normals. `rows` are unfiltered.
void pack_slopes(PackedRig& packed, const Mesh& mesh, const std::vector<Vec3>& normals,
                 const SkinRows& rows);

// Fills the blended pairs. The entries must be filled already.
void pack_blended_pairs(PackedRig& packed);

// Fills the shapes. `order` must be filled already.
void pack_shapes(PackedRig& packed, const Mesh& mesh);

}  // namespace sinew::kernels
