// SPDX-License-Identifier: Apache-2.0
// What is wrong in a file besides what we read from it.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/gltf/document.h"
#include "sinew/io/gltf/schema.h"

namespace sinew::gltf {

// One line for each problem, with its JSON pointer: members of the wrong type or out of range (see
// schema.h), attributes of unequal count, accessors and buffer views that reach beyond their ends,
// missing bounds, formats that are not allowed, nodes that are in no tree. Numbers in buffers are
// not looked at: see data_problems(). Of a file with very many, the first hundred. Anything may
// have any type.
std::vector<std::string> problems_in(const Document& document);

// The part of it about meshes: attributes, targets, indices and what their materials need.
void check_meshes(const Json& json, const Say& say);

}  // namespace sinew::gltf
