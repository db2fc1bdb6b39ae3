// SPDX-License-Identifier: Apache-2.0
// What all fuzz programs share. Of a reader's outcomes only InputError with a place is acceptable;
// what it read must be valid and come back from its writer as it was.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "sinew/core/error.h"

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

// Gives check(read(bytes)); nothing that `check` throws is acceptable.
template <class Read, class Check>
int fuzz(const std::uint8_t* data, std::size_t size, Read&& read, Check&& check) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  using Value = decltype(read(bytes));
  Value value;
  try {
    value = read(bytes);
  } catch (const sinew::InputError& error) {
    require(!error.place().empty(), "an error names its place");
    return 0;
  }
  check(value);
  return 0;
}
