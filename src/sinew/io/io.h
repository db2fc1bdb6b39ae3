// SPDX-License-Identifier: Apache-2.0
// Reads and writes files of any supported format, chosen by the extension (upper or lower case).
// All errors name the file; an unsupported extension is a UsageError that lists the supported ones.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/io/dmat.h"
#include "sinew/io/gltf.h"
#include "sinew/rig/rig.h"

namespace sinew {

// A mesh (.obj, .off, .ply, .mesh), a skeleton (.tgf), a skeleton and its motion (.bvh), or all of
// it (.glb, .gltf). The rig is named after the file if the format stores no name. Throws FileError
// or InputError.
Rig read_rig(const std::filesystem::path& path);
// The same, with the rest of a glTF file as source; the source is null for other formats.
Model read_model(const std::filesystem::path& path);

// The same from memory: `format` is an extension, with or without its dot. Names are those that the
// bytes have. Without a loader, a .gltf may not refer to other files.
Model parse_model(std::string_view bytes, std::string_view format, const UriLoader& loader = {});

// Writes the whole rig to .glb or .gltf, only the mesh to .obj, .off, .ply or .mesh, only the
// skeleton to .tgf, and the skeleton and the first clip to .bvh. Files are written completely or
// not at all. Throws FileError.
void write_rig(const std::filesystem::path& path, const Rig& rig);
// The same; .glb and .gltf keep the rest of the source.
void write_model(const std::filesystem::path& path, const Model& model);
// The bytes that it would write to a file of that extension, with or without its dot. All that a
// .gltf refers to is embedded.
std::string model_bytes(const Model& model, std::string_view format);
// Throws UsageError if a file of that extension cannot hold a mesh.
void check_mesh_output(const std::filesystem::path& path);

// .gltf and .glb.
bool is_gltf_file(const std::filesystem::path& path);

// True for .dmat.
bool is_matrix_file(const std::filesystem::path& path);
Matrix read_matrix(const std::filesystem::path& path);
void write_matrix(const std::filesystem::path& path, const Matrix& matrix,
                  DmatFormat format = DmatFormat::text);

}  // namespace sinew
