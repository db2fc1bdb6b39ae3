// SPDX-License-Identifier: Apache-2.0
// The members that objects of a glTF file have, by a table: their types, ranges and references.
#pragma once

#include <functional>
#include <string>

#include "sinew/io/gltf/document.h"

namespace sinew::gltf {

// Called for each problem with the JSON pointer of its place.
using Say = std::function<void(const std::string& place, const std::string& problem)>;

// Says what is wrong in the document's objects, those of known extensions included. Members and
// extensions that the table does not have are left alone. Anything may have any type.
void check_schema(const Json& document, const Say& say);

// The document's own lists (nodes, meshes, ...) and what refers into them have the right types,
// so that it can be changed. Throws InputError with the JSON pointer of the first that has not.
void require_schema(const Json& document);

}  // namespace sinew::gltf
