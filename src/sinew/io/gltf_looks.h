// SPDX-License-Identifier: Apache-2.0
// The appearance of the parts of a glTF model.
#pragma once

#include <vector>

#include "sinew/io/gltf.h"

namespace sinew {

// Base colours and base textures (of the first UV set) of the materials, one look for each part of
// the model's mesh; empty if the model has no source. Throws InputError with a JSON pointer, or
// FileError for a missing picture.
std::vector<PartLook> part_looks(const Model& model);

}  // namespace sinew
