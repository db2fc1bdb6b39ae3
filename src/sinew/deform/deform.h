// SPDX-License-Identifier: Apache-2.0
// A rig in a pose, deformed by any method in double precision: the reference that every fast path
// is measured against.
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
  std::vector<Vec3> normals;   // as asked for
  std::vector<Vec4> tangents;  // if the mesh has them and normals were asked for
};

// The rig must be valid and `bones` the states of its bones, in order; `shapes` are the pose's
// blend-shape weights, those left out count as 0. Throws UsageError where there is not one state
// per bone, there are more weights than shapes, or a setting of the method does not fit the rig;
// InputError for weights, endpoint weights or filters that do not fit the mesh and the bones.
// Normals and tangents go through the derivative of the whole map along the surface: the gradients
// of weights and endpoint weights are included, by differences along the surface that are exact to
// about 1e-8. Meshes without per-vertex normals get them from their triangles first.
Deformed deform_reference(const Rig& rig, std::span<const BoneState> bones,
                          std::span<const double> shapes, const Method& method,
                          bool with_normals = false);

}  // namespace sinew
