// SPDX-License-Identifier: Apache-2.0
// Deforms a rig in a pose by any method, in double precision: the reference for every fast path.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/method.h"
#include "sinew/deform/skin_rows.h"
#include "sinew/rig/rig.h"

namespace sinew {

// A mesh in a pose, in world space; vertices in the mesh's order.
struct Deformed {
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;   // if asked for
  std::vector<Vec4> tangents;  // if the mesh has them and normals were asked for
};

// The rig must be valid. `bones` are the states of its bones, in order; `shapes` are the pose's
// blend-shape weights, missing ones count as 0. Throws UsageError if there is not one state per
// bone, there are more weights than shapes, or a setting of the method does not fit the rig;
// InputError for weights, endpoint weights or filters that do not fit the mesh and the bones.
// Normals and tangents are transformed by the derivative of the whole map along the surface,
// including the gradients of weights and endpoint weights, by finite differences accurate to about
// 1e-8. Meshes without per-vertex normals get them from their triangles first.
Deformed deform_reference(const Rig& rig, std::span<const BoneState> bones,
                          std::span<const double> shapes, const Method& method,
                          bool with_normals = false);

}  // namespace sinew
