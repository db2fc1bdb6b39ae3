// SPDX-License-Identifier: Apache-2.0
// PLY meshes, text and binary.
#pragma once

#include <string>
#include <string_view>

#include "sinew/mesh/mesh.h"

namespace sinew {

// The elements `vertex` (x, y, z; nx, ny, nz; s, t or u, v or texture_u, texture_v; red, green,
// blue, alpha) and `face` (a list vertex_indices or vertex_index), in any order and of any number
// types; other elements and properties are skipped. Integer colors are fractions of their type's
// largest value. Throws InputError naming the line, or the byte in binary data.
Mesh read_ply(std::string_view bytes);

// All three are read.
enum class PlyFormat { text, little_endian, big_endian };

// Writes positions, faces, and those of normals, texture coordinates and colors (as bytes if that
// is lossless) that are per vertex. Reading it again gives the same, bit for bit.
std::string write_ply(const Mesh& mesh, PlyFormat format = PlyFormat::little_endian);

}  // namespace sinew
