// SPDX-License-Identifier: Apache-2.0
// Decodes primitives compressed with KHR_draco_mesh_compression.
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

// The sizes given by the primitive's accessors.
struct DracoSize {
  std::size_t vertices = 0, indices = 0;
};

// `charge` is called with the number of bytes before they are allocated; it may throw. Throws
// InputError at the place of `extension` if the data is damaged or does not have the `expected`
// size, or if this build has no Draco support.
DracoMesh decode_draco(std::string_view bytes, const DracoSize& expected, const JsonRef& extension,
                       const std::function<void(std::size_t)>& charge);

// The values of the attribute with the given id, decoded as its accessor describes.
std::vector<double> draco_values(const DracoMesh& mesh, const JsonRef& id,
                                 const AccessorInfo& info);

}  // namespace sinew::gltf
