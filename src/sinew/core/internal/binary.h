// SPDX-License-Identifier: Apache-2.0
// Numbers as bytes in a given byte order, independent of the machine's.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "sinew/core/internal/bits.h"

namespace sinew {

enum class ByteOrder { little, big };

inline bool is_native(ByteOrder order) {
  return (order == ByteOrder::little) == (std::endian::native == std::endian::little);
}

// The number in the sizeof(T) bytes at `bytes`, which need not be aligned.
template <class T>
T load(const char* bytes, ByteOrder order) {
  std::array<char, sizeof(T)> copy;
  std::memcpy(copy.data(), bytes, sizeof(T));
  if (!is_native(order)) std::reverse(copy.begin(), copy.end());
  return bits_as<T>(copy);
}

template <class T>
void store(std::string& out, T value, ByteOrder order) {
  auto bytes = bits_as<std::array<char, sizeof(T)>>(value);
  if (!is_native(order)) std::reverse(bytes.begin(), bytes.end());
  out.append(bytes.data(), bytes.size());
}

}  // namespace sinew
