// SPDX-License-Identifier: Apache-2.0
// Prefix codes as deflate has them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sinew::images {

// A code for each symbol: none where `length` is 0. The bits are reversed, as deflate sends them.
struct PrefixCode {
  std::vector<std::uint8_t> length;
  std::vector<std::uint16_t> bits;
};

// The best code of at most `longest` bits for symbols that occur so often. At least two symbols
// get one, which decoders rely on.
PrefixCode best_code(std::span<const std::uint32_t> counts, int longest);

// The code that has these lengths.
PrefixCode code_of(std::vector<std::uint8_t> lengths);

}  // namespace sinew::images
