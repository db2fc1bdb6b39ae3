// SPDX-License-Identifier: Apache-2.0
// Object file format (OFF) meshes.
#pragma once

#include <string>
#include <string_view>

#include "sinew/mesh/mesh.h"

namespace sinew {

// Text OFF, with or without its first word, and with normals (N), vertex colors (C) and texture
// coordinates (ST) in front of it. Colors of faces are ignored. Throws InputError naming the line.
Mesh read_off(std::string_view text);

// Writes positions, faces, and those of normals, colors and texture coordinates that are per
// vertex; reading it again gives the same, bit for bit.
std::string write_off(const Mesh& mesh);

}  // namespace sinew
