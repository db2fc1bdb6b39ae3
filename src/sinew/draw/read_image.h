// SPDX-License-Identifier: Apache-2.0
// Pictures from files: PNG and JPEG.
#pragma once

#include <filesystem>
#include <string_view>

#include "sinew/draw/image.h"

namespace sinew {

// Throws InputError for bytes that are no picture, or one of more than 2^26 pixels.
Image decode_image(std::string_view bytes);

// The same from a file; also throws FileError.
Image read_image(const std::filesystem::path& path);

}  // namespace sinew
