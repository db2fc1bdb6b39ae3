// SPDX-License-Identifier: Apache-2.0
// Reads images: PNG, JPEG and, if built with libwebp, WebP.
#pragma once

#include <filesystem>
#include <string_view>

#include "sinew/image/image.h"

namespace sinew {

// Gives the first frame of an animated PNG; 16 bits per channel are reduced to 8. Throws InputError
// for data that is not an image, is damaged or truncated, for animated WebP, and for images of more
// than 2^26 pixels.
Image decode_image(std::string_view bytes);

// The same from a file; also throws FileError.
Image read_image(const std::filesystem::path& path);

}  // namespace sinew
