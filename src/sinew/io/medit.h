// SPDX-License-Identifier: Apache-2.0
// MEDIT meshes (.mesh, text): surfaces and tetrahedra.
#pragma once

#include <string>
#include <string_view>

#include "sinew/mesh/mesh.h"

namespace sinew {

// Vertices, triangles, then quadrilaterals, and tetrahedra; reference numbers and all other
// sections are skipped. A file with tetrahedra but no faces gets their boundary triangles, facing
// outwards. Throws InputError naming the line.
Mesh read_medit(std::string_view text);

// Writes positions, faces (triangles first, then quads; larger faces are triangulated) and
// tetrahedra.
std::string write_medit(const Mesh& mesh);

// The triangles that belong to just one tetrahedron, in the order of the tetrahedra, facing away
// from it.
std::vector<Triangle> boundary_triangles(const std::vector<Vec3>& positions,
                                         const std::vector<Tetrahedron>& tetrahedra);

}  // namespace sinew
