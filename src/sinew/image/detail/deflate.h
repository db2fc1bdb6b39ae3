// SPDX-License-Identifier: Apache-2.0
// What PNG files are compressed with: of our own, so that every build writes the same bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sinew::images {

// The checksum of a chunk of a PNG file.
std::uint32_t crc32(std::string_view bytes);

// The bytes as a zlib stream (RFC 1950 and 1951), about as small as zlib's own at its best.
std::string deflated(std::span<const std::uint8_t> bytes);

}  // namespace sinew::images
