// SPDX-License-Identifier: Apache-2.0
// Writes looks as glTF materials.
#pragma once

#include "sinew/io/gltf/document.h"

namespace sinew::gltf {

// Returns the material, and adds its picture and texture to the document. Throws UsageError for a
// picture that is neither PNG nor JPEG.
Json material_of(Document& document, const PartLook& look);

}  // namespace sinew::gltf
