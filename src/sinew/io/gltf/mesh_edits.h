// SPDX-License-Identifier: Apache-2.0
// Prepares a document's meshes so that their vertices can be replaced.
#pragma once

#include "sinew/io/gltf/accessors.h"
#include "sinew/io/gltf/document.h"

namespace sinew::gltf {

// The index of the node's mesh. If other nodes share the mesh, the node first gets its own copy.
std::size_t own_mesh(Json& json, std::size_t node);

// If the primitive is compressed with Draco, stores its data uncompressed. `stored` is the
// primitive in the source document, which `accessors` reads.
void decompress(Document& document, Json& primitive, const JsonRef& stored, Accessors& accessors);

// Removes Draco's extension from the document's lists if no primitive uses it any more.
void forget_unused_draco(Json& json);

}  // namespace sinew::gltf
