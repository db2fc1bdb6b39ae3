// SPDX-License-Identifier: Apache-2.0
// A stretch of a mesh's vertices as the attributes and morph targets of a primitive.
#pragma once

#include <vector>

#include "sinew/core/affine.h"
#include "sinew/io/gltf/document.h"
#include "sinew/mesh/mesh.h"

namespace sinew::gltf {

struct VertexRange {
  Index first = 0, count = 0;
  Affine to_primitive;  // from the rig's mesh space to the space of the primitive; invertible
};

// Which attributes of the range differ between two meshes with as many vertices, or are in one
// alone. Layers must be per vertex.
struct MeshChanges {
  bool positions = false, normals = false, tangents = false, uvs = false, colors = false;
  bool any() const { return positions || normals || tangents || uvs || colors; }
};
MeshChanges compare(const Mesh& a, const Mesh& b, const VertexRange& range);

// Adds the data of the chosen attributes and names it in `attributes` (POSITION, NORMAL,
// TEXCOORD_0 with v downwards, TANGENT, COLOR_0); takes out those that the mesh does not have.
// Normals and tangents are made unit. Tangents are left out where there are no normals.
void set_attributes(Document& document, Json& attributes, const Mesh& mesh,
                    const VertexRange& range, const MeshChanges& which);

// One morph target for each of the mesh's shapes from `first_shape` on: what it does to those of
// the range's `attributes` that there are, stored sparsely where few vertices move.
Json write_targets(Document& document, const Json& attributes, const Mesh& mesh,
                   const VertexRange& range, int first_shape, int shape_count);

// Sets the mesh's default weights and the names of its targets (extras.targetNames); default
// weights of 0 and empty names are left out where all are such.
void set_target_names(Json& gltf_mesh, const Mesh& mesh, int first_shape, int shape_count);

// The triangles' corners, counted from the range's first vertex.
int write_indices(Document& document, const Mesh& mesh, const VertexRange& range,
                  Index first_triangle, Index triangle_count);

}  // namespace sinew::gltf
