// SPDX-License-Identifier: Apache-2.0
// What files would hold, for programs that write several of them together (see StagedFiles).
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "sinew/io/gltf.h"

namespace sinew {

// The bytes that write_model() (io.h) would write to this path: the extension decides, and a .gltf
// refers to the pictures that lie in the same folder. Throws UsageError for another extension.
std::string model_file_bytes(const std::filesystem::path& path, const Model& model);

// The same for write_gltf() (gltf.h).
std::string gltf_file_bytes(const std::filesystem::path& path, const Model& model,
                            const GltfOptions& options = {});

// The same for write_point_cache() (point_cache.h).
std::string point_cache_bytes(const std::filesystem::path& path, std::span<const double> times,
                              std::span<const Vec3f> positions);

}  // namespace sinew
