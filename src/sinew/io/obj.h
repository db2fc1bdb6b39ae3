// SPDX-License-Identifier: Apache-2.0
// Wavefront OBJ meshes.
#pragma once

#include <string>
#include <string_view>

#include "sinew/mesh/mesh.h"

namespace sinew {

// Vertices (with colors after the coordinates), normals, texture coordinates, faces of any number
// of corners, and parts: a face belongs to the latest `g` or `o` name and `usemtl` material.
// Normals and texture coordinates are per vertex if each vertex has only one. If only some face
// corners have them, the others get the vertex normal and (0, 0). Everything else is skipped.
// Throws InputError naming the line.
Mesh read_obj(std::string_view text);

// Writes everything that read_obj reads; reading it again gives the same mesh, bit for bit (except
// that consecutive parts with the same name and material are merged). Line breaks in names are
// written as spaces.
std::string write_obj(const Mesh& mesh);

}  // namespace sinew
