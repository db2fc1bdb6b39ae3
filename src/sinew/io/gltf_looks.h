// SPDX-License-Identifier: Apache-2.0
// What the parts of a glTF model look like, as far as a plain picture can show it.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/io/gltf.h"

namespace sinew {

struct PartLook {
  Vec4 color{1, 1, 1, 1};     // linear, with alpha
  std::string picture;        // the bytes of the file (PNG, JPEG ...) for the UVs; empty: none
  std::string picture_place;  // where it is named, as a JSON pointer
  bool see_through = false;   // the picture's alpha counts
};

// Base colours and base textures (of the first UV set) of the materials, one look for each part of
// the model's mesh; none where the model has no source. Throws InputError with a JSON pointer, or
// FileError for a picture that is not there.
std::vector<PartLook> part_looks(const GltfModel& model);

}  // namespace sinew
