// SPDX-License-Identifier: Apache-2.0
// Looks as materials.
#pragma once

#include "sinew/io/gltf/document.h"

namespace sinew::gltf {

// The material, whose picture is added to the document with the texture that shows it. Throws
// UsageError for a picture that is neither PNG nor JPEG.
Json material_of(Document& document, const PartLook& look);

}  // namespace sinew::gltf
