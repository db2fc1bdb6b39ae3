// SPDX-License-Identifier: Apache-2.0
// Point caches, which store every vertex position in every frame: PC2 (little-endian, evenly spaced
// frames) and MDD (big-endian, times in seconds).
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "sinew/core/vec.h"

namespace sinew {

// `positions` holds the vertices of the first frame, then those of the second, and so on; there are
// as many frames as `times` (at least one), all with the same number of vertices.
std::string to_pc2(std::span<const double> times, std::span<const Vec3f> positions);
std::string to_mdd(std::span<const double> times, std::span<const Vec3f> positions);

// The extension decides: .pc2 or .mdd, upper or lower case. Written completely or not at all.
// Throws UsageError for another extension.
bool is_point_cache_file(const std::filesystem::path& path);
void write_point_cache(const std::filesystem::path& path, std::span<const double> times,
                       std::span<const Vec3f> positions);

}  // namespace sinew
