// SPDX-License-Identifier: Apache-2.0
// Files of any supported format, told by their extension (in either case). All errors name the
// file; an extension that is not supported is a UsageError that lists those that are.
#pragma once

#include <filesystem>

#include "sinew/io/dmat.h"
#include "sinew/io/gltf.h"
#include "sinew/rig/rig.h"

namespace sinew {

// A mesh (.obj, .off, .ply, .mesh), a skeleton (.tgf), a skeleton and its motion (.bvh), or all of
// it (.glb, .gltf). The rig is named after the file where the format has no name for it. Throws
// FileError or InputError.
Rig read_rig(const std::filesystem::path& path);
// The same with what else a glTF file has; of other formats the source is null.
GltfModel read_model(const std::filesystem::path& path);

// All of it to .glb or .gltf; the mesh alone to .obj, .off, .ply or .mesh; the skeleton alone to
// .tgf. Whole or not at all. Throws FileError.
void write_rig(const std::filesystem::path& path, const Rig& rig);
// The same; to .glb and .gltf with what else the source has.
void write_model(const std::filesystem::path& path, const GltfModel& model);
// Throws UsageError if a file of that extension cannot hold a mesh.
void check_mesh_output(const std::filesystem::path& path);

// .gltf and .glb.
bool is_gltf_file(const std::filesystem::path& path);

// .dmat alone.
bool is_matrix_file(const std::filesystem::path& path);
Matrix read_matrix(const std::filesystem::path& path);
void write_matrix(const std::filesystem::path& path, const Matrix& matrix,
                  DmatFormat format = DmatFormat::text);

}  // namespace sinew
