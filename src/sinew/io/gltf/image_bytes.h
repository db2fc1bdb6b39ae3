// SPDX-License-Identifier: Apache-2.0
// What the bytes of an image say about themselves, without decoding its pixels.
#pragma once

#include <string>
#include <string_view>

namespace sinew::gltf {

// By the first bytes: image/png, image/jpeg, image/webp or image/ktx2; empty for anything else.
std::string image_type(std::string_view bytes);

// What is wrong with the parts that such an image is made of: PNG's chunks up to its last one, a
// JPEG's segments up to its size, the length of a WebP; empty if nothing is, or for other types.
std::string image_problem(std::string_view bytes);

}  // namespace sinew::gltf
