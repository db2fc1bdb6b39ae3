// SPDX-License-Identifier: Apache-2.0
// Making the packed form.
#pragma once

#include <span>

#include "sinew/deform/skin_rows.h"
#include "sinew/kernels/detail/packed.h"
#include "sinew/rig/rig.h"

namespace sinew::kernels {

PackedRig pack(const Rig& rig, bool with_slopes);

// Fills `stretch` and `twist`, their slopes and what the entries say about them from the raw ones.
// `filters`: one per bone, or none.
void pack_endpoints(PackedRig& packed, std::span<const BoneFilter> filters);

// Whether the mesh has normals that can be packed as they are.
bool has_vertex_normals(const Mesh& mesh);

// Fills what is said about slopes, for which `normals` must stand, the same as given here; adds the
// entries that only slopes refer to. `rows` are those before the filters.
void pack_slopes(PackedRig& packed, const Mesh& mesh, const std::vector<Vec3>& normals,
                 const SkinRows& rows);

// Fills the blended_pairs, for which the entries must stand.
void pack_blended_pairs(PackedRig& packed);

// Fills the shapes, for which `order` must stand.
void pack_shapes(PackedRig& packed, const Mesh& mesh);

}  // namespace sinew::kernels
