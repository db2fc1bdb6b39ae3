// SPDX-License-Identifier: Apache-2.0
// What the parts of a mesh look like, as far as files say it and pictures show it.
#pragma once

#include <string>

#include "sinew/core/vec.h"

namespace sinew {

// The basic appearance of a part of a mesh.
struct PartLook {
  Vec4 color{1, 1, 1, 1};       // linear, with alpha
  std::string picture{};        // texture: bytes of an image file (PNG, JPEG, ...); may be empty
  std::string picture_place{};  // where the file refers to it: a JSON pointer
  bool see_through = false;     // use the picture's alpha
  bool unlit = false;           // drawn without lighting
};

}  // namespace sinew
