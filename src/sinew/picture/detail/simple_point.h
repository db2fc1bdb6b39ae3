// SPDX-License-Identifier: Apache-2.0
// Simple points: pixels that can be switched between inside and outside without changing the
// topology, with 8-connectivity inside and 4-connectivity outside.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sinew::detail {

// The eight neighbours in turn: E, SE, S, SW, W, NW, N, NE. Even ones share a side.
inline constexpr std::array<int, 8> ring_x{1, 1, 0, -1, -1, -1, 0, 1};
inline constexpr std::array<int, 8> ring_y{0, 1, 1, 1, 0, -1, -1, -1};

// Whether a pixel is simple, given a bit for each neighbour that is inside: exactly one run of
// outside pixels around it includes a pixel that shares a side with it.
constexpr bool is_simple(unsigned neighbours) {
  int runs = 0;
  for (unsigned i = 0; i < 8; i += 2) {
    const auto inside = [&](unsigned k) { return (neighbours >> (k % 8) & 1u) != 0; };
    // This run of outside pixels ends before the next neighbour that shares a side.
    if (!inside(i) && (inside(i + 1) || inside(i + 2))) ++runs;
  }
  return runs == 1;
}

inline constexpr std::array<bool, 256> simple_points = [] {
  std::array<bool, 256> table{};
  for (unsigned i = 0; i < 256; ++i) table[i] = is_simple(i);
  return table;
}();

// The bits of the neighbours of the pixel at `p` in rows of `stride` bytes, bit 0 of each byte
// being 1 inside.
inline unsigned neighbours_at(const std::uint8_t* p, std::ptrdiff_t stride) {
  return (p[1] & 1u) | (p[stride + 1] & 1u) << 1 | (p[stride] & 1u) << 2 |
         (p[stride - 1] & 1u) << 3 | (p[-1] & 1u) << 4 | (p[-stride - 1] & 1u) << 5 |
         (p[-stride] & 1u) << 6 | (p[-stride + 1] & 1u) << 7;
}

}  // namespace sinew::detail
