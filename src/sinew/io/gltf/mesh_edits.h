// SPDX-License-Identifier: Apache-2.0
// Prepares a document's meshes so that their vertices can be replaced.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/io/gltf/accessors.h"
#include "sinew/io/gltf/document.h"

namespace sinew::gltf {

// How many nodes have each mesh.
class MeshUsers {
 public:
  explicit MeshUsers(const Json& json);

  // The index of the node's mesh. If other nodes share the mesh, the node first gets its own copy.
  std::size_t own_mesh(Json& json, std::size_t node);

 private:
  std::vector<std::size_t> users_;
};

// If the primitive is compressed with Draco, stores its data uncompressed. `stored` is the
// primitive in the source document, which `accessors` reads.
void decompress(Document& document, Json& primitive, const JsonRef& stored, Accessors& accessors);

// Removes Draco's extension from the document's lists if no primitive uses it any more.
void forget_unused_draco(Json& json);

}  // namespace sinew::gltf
