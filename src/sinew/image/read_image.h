// SPDX-License-Identifier: Apache-2.0
// Pictures from files: PNG, JPEG and, where the build has libwebp, WebP.
#pragma once

#include <filesystem>
#include <string_view>

#include "sinew/image/image.h"

namespace sinew {

// Of an animated PNG the first frame; 16 bits a channel are cut to 8. Throws InputError for bytes
// that are no picture, are damaged or end too early, for animated WebP, and for pictures of more
// than 2^26 pixels.
Image decode_image(std::string_view bytes);

// The same from a file; also throws FileError.
Image read_image(const std::filesystem::path& path);

}  // namespace sinew
