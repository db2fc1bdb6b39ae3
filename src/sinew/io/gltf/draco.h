// SPDX-License-Identifier: Apache-2.0
// KHR_draco_mesh_compression: primitives that have to be decompressed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "sinew/io/gltf/accessors.h"

namespace draco {
class Mesh;
}

namespace sinew::gltf {

struct DracoMesh {
  std::vector<std::uint32_t> indices;
  std::shared_ptr<const draco::Mesh> mesh;
};

// What the primitive's accessors say.
struct DracoSize {
  std::size_t vertices = 0, indices = 0;
};

// `charge` is called with the bytes that will be allocated, before they are; it may throw. Throws
// InputError at the place of `extension` if the data is damaged or not as large as `expected`, and
// where this build cannot decompress.
DracoMesh decode_draco(std::string_view bytes, const DracoSize& expected, const JsonRef& extension,
                       const std::function<void(std::size_t)>& charge);

// The attribute whose id `id` holds, as its accessor describes it.
std::vector<double> draco_values(const DracoMesh& mesh, const JsonRef& id,
                                 const AccessorInfo& info);

}  // namespace sinew::gltf
