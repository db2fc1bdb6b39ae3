// SPDX-License-Identifier: Apache-2.0
// What the parts of a glTF model look like.
#pragma once

#include <vector>

#include "sinew/io/gltf.h"

namespace sinew {

// Base colours and base textures (of the first UV set) of the materials, one look for each part of
// the model's mesh; none where the model has no source. Throws InputError with a JSON pointer, or
// FileError for a picture that is not there.
std::vector<PartLook> part_looks(const Model& model);

}  // namespace sinew
