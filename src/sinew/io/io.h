// SPDX-License-Identifier: Apache-2.0
// Files of any supported format, told by their extension (in either case). All errors name the
// file; an extension that is not supported is a UsageError that lists those that are.
#pragma once

#include <filesystem>

#include "sinew/io/dmat.h"
#include "sinew/rig/rig.h"

namespace sinew {

// A mesh (.obj, .off, .ply, .mesh), a skeleton (.tgf), a skeleton and its motion (.bvh), or all of
// it (.glb, .gltf). The rig is named after the file where the format has no name for it. Throws
// FileError or InputError.
Rig read_rig(const std::filesystem::path& path);

// To .obj, .off, .ply or .mesh, whole or not at all. Throws FileError.
void write_mesh(const std::filesystem::path& path, const Mesh& mesh);

// .dmat alone.
Matrix read_matrix(const std::filesystem::path& path);
void write_matrix(const std::filesystem::path& path, const Matrix& matrix,
                  DmatFormat format = DmatFormat::text);

}  // namespace sinew
