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

// How many earlier places are tried for a match; a quarter of them once there is a good one. With
// the first, streams are about as small as zlib's own at its best; with the second those of
// pictures are a tenth larger, and made in a third of the time.
inline constexpr int thorough_tries = 1024, quick_tries = 64;

// The bytes as a zlib stream (RFC 1950 and 1951).
std::string deflated(std::span<const std::uint8_t> bytes, int most_tries = thorough_tries);

}  // namespace sinew::images
