// SPDX-License-Identifier: Apache-2.0
// The node tree of a glTF document, checked.
#pragma once

#include <vector>

#include "sinew/core/affine.h"
#include "sinew/io/gltf/document.h"
#include "sinew/io/internal/checked_json.h"

namespace sinew::gltf {

// One entry for each node, in document order.
struct Scene {
  std::vector<int> parent;       // -1: a root
  std::vector<Transform> local;  // matrices are decomposed
  std::vector<Affine> global;    // world space at rest
};

// Throws InputError for children that do not exist, two parents, cycles, transforms that are not
// finite, and matrices that are no translation, rotation and scale.
Scene read_scene(const Document& document);

// Converts a column-major 4x4 matrix. Throws InputError at `place` if its last row is not 0 0 0 1.
Affine affine_from(const double* columns, const std::string& place);

// Whether the map cannot be inverted; independent of scale.
bool is_singular(const Affine& map);

// The size of a top-level list such as "nodes"; 0 if it is missing.
std::size_t list_size(const Document& document, std::string_view list);
// The element `list`/`index`, which must exist.
JsonRef list_item(const Document& document, std::string_view list, int index);
// The "name" of an object; empty if it has none.
std::string name_of(const JsonRef& object);

}  // namespace sinew::gltf
