// SPDX-License-Identifier: Apache-2.0
// PNG files, still and animated.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "sinew/draw/image.h"

namespace sinew {

// The bytes of a file; without an alpha channel where all pixels are opaque.
std::string encode_png(const Image& image);

// An animated PNG that repeats for ever, `seconds` a frame; viewers that know nothing of animation
// show the first frame. Throws UsageError without frames, or where their sizes differ.
std::string encode_apng(std::span<const Image> frames, double seconds);

// Whole or not at all. Throws FileError.
void write_png(const std::filesystem::path& path, const Image& image);

}  // namespace sinew
