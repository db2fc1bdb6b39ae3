// SPDX-License-Identifier: Apache-2.0
// What must be done to a document's meshes before their vertices can be replaced.
#pragma once

#include "sinew/io/gltf/accessors.h"
#include "sinew/io/gltf/document.h"

namespace sinew::gltf {

// The number of the node's mesh; of a copy of it, which the node gets, where other nodes have it
// too.
std::size_t own_mesh(Json& json, std::size_t node);

// If the primitive is compressed with Draco: stores plainly what the extension holds. `stored` is
// the primitive in the source, which `accessors` read.
void decompress(Document& document, Json& primitive, const JsonRef& stored, Accessors& accessors);

// Takes Draco's extension off the lists of the document once no primitive has it.
void forget_unused_draco(Json& json);

}  // namespace sinew::gltf
