// SPDX-License-Identifier: Apache-2.0
// The bits of one type as another: std::bit_cast, which not every standard library has yet.
#pragma once

#include <cstring>
#include <type_traits>

namespace sinew {

// The two types have the same size.
template <class To, class From>
To bits_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  static_assert(std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>);
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace sinew
