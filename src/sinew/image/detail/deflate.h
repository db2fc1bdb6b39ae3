// SPDX-License-Identifier: Apache-2.0
// What PNG files are compressed with.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sinew::images {

// The checksum of a chunk of a PNG file.
std::uint32_t crc32(std::string_view bytes);

// The bytes as a zlib stream. By zlib where the build has it; by stb, in half as much again, where
// not (SINEW_WITH_ZLIB=OFF).
std::string deflated(std::span<const std::uint8_t> bytes);

}  // namespace sinew::images
