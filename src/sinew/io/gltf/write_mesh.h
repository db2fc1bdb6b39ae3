// SPDX-License-Identifier: Apache-2.0
// Writes a range of a mesh's vertices as the attributes and morph targets of a primitive.
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

// Which attributes are to be written.
struct MeshChanges {
  bool positions = false, normals = false, tangents = false, uvs = false, colors = false;
  bool any() const { return positions || normals || tangents || uvs || colors; }
};

// Adds the data of the chosen attributes and sets their entries in `attributes` (POSITION, NORMAL,
// TEXCOORD_0 with v downwards, TANGENT, COLOR_0); removes those that the mesh does not have.
// Normals and tangents are normalised. Tangents are left out if there are no normals.
void set_attributes(Document& document, Json& attributes, const Mesh& mesh,
                    const VertexRange& range, const MeshChanges& which);

// One morph target for each of the mesh's shapes from `first_shape` on, with displacements for the
// existing `attributes` of the range, stored as sparse accessors if few vertices move.
Json write_targets(Document& document, const Json& attributes, const Mesh& mesh,
                   const VertexRange& range, int first_shape, int shape_count);

// Sets the mesh's default weights and the names of its targets (extras.targetNames); omitted if all
// weights are 0 or all names are empty.
void set_target_names(Json& gltf_mesh, const Mesh& mesh, int first_shape, int shape_count);

// Vertex indices of the triangles, relative to the range's first vertex.
int write_indices(Document& document, const Mesh& mesh, const VertexRange& range,
                  Index first_triangle, Index triangle_count);

}  // namespace sinew::gltf
