// SPDX-License-Identifier: Apache-2.0
// Decodes buffer views compressed with EXT_meshopt_compression.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sinew/io/internal/checked_json.h"

namespace sinew::gltf {

struct MeshoptView {
  enum class Mode { attributes, triangles, indices };
  enum class Filter { none, octahedral, quaternion, exponential };
  std::size_t byte_length = 0;  // compressed
  std::size_t byte_stride = 0, count = 0;
  Mode mode = Mode::attributes;
  Filter filter = Filter::none;
};

// The extension object of a buffer view, with sizes, mode and filter checked against each other.
// Throws InputError, also if this build has no meshopt support.
MeshoptView read_meshopt_view(const JsonRef& extension);

// Throws InputError if the decompressed size is impossible for the compressed size.
void check_meshopt_size(const MeshoptView& view, const JsonRef& extension);

// count * byte_stride bytes.
std::string decompress(const MeshoptView& view, std::string_view compressed,
                       const JsonRef& extension);

}  // namespace sinew::gltf
