// SPDX-License-Identifier: Apache-2.0
// Checks that readers reject malformed input with a clear error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/support/refusals.h"

// Like bad_input(), for errors that must name a place.
template <class Function>
std::string input_error(Function&& function) {
  return bad_input([&] {
    try {
      function();
    } catch (const sinew::InputError& error) {
      EXPECT_FALSE(error.place().empty()) << error.what();
      EXPECT_FALSE(error.problem().empty()) << error.what();
      throw;
    }
  });
}

// "" if the call succeeds.
template <class Function>
std::string place_of_error(Function&& function) {
  try {
    function();
  } catch (const sinew::InputError& error) {
    return error.place();
  }
  return {};
}

// How many of the broken files below a reader legitimately accepts, by kind of damage: cut off in
// white space or before something optional, one digit replaced by another, a changed name. Also
// whether data after the end is allowed.
struct Harmless {
  int cuts = 0, bytes = 0, numbers = 0;
  bool after_the_end = false;
};

// Reads `valid` cut off at every length, with each byte replaced by several others, and with each
// number replaced by an invalid one; then garbage, and a large amount of it. All of these must be
// InputErrors with a place, except exactly as many as `harmless` says.
template <class Read>
void expect_malformed_are_refused(const std::string& valid, const Harmless& harmless, Read&& read) {
  ASSERT_EQ(input_error([&] { read(valid); }), "");
  std::string taken;  // the inputs of the current kind that were accepted
  const auto count_if_read = [&](std::string_view bytes, const std::string& what) {
    if (!input_error([&] { read(bytes); }).empty()) return 0;
    taken += what + "; ";
    return 1;
  };
  Harmless found;
  for (std::size_t length = 0; length < valid.size(); ++length) {
    found.cuts += count_if_read(valid.substr(0, length), "cut off at " + std::to_string(length));
  }
  EXPECT_EQ(found.cuts, harmless.cuts) << taken;
  taken.clear();
  for (std::size_t i = 0; i < valid.size(); ++i) {
    for (const char replacement : {'\0', '\n', ' ', '-', '9', '/', '#', '\xff', '{'}) {
      if (valid[i] == replacement) continue;
      std::string changed = valid;
      changed[i] = replacement;
      found.bytes +=
          count_if_read(changed, "byte " + std::to_string(i) + " is " +
                                     std::to_string(static_cast<unsigned char>(replacement)));
    }
  }
  EXPECT_EQ(found.bytes, harmless.bytes) << taken;
  taken.clear();
  for (const char* word : {"nan", "inf", "-inf", "1e999", "4294967296", "99999999999999999999"}) {
    for (std::size_t at = 0; (at = valid.find_first_of("0123456789", at)) != std::string::npos;) {
      const std::size_t end = valid.find_first_not_of("0123456789.e+-", at);
      const std::size_t size = (end == std::string::npos ? valid.size() : end) - at;
      std::string changed = valid;
      changed.replace(at, size, word);
      found.numbers += count_if_read(changed, word + (" at " + std::to_string(at)));
      at += size;
    }
  }
  EXPECT_EQ(found.numbers, harmless.numbers) << taken;
  std::uint32_t state = 1;
  std::string garbage;
  for (int i = 0; i < 4096; ++i) {
    state = state * 1664525u + 1013904223u;
    garbage += static_cast<char>(state >> 24);
    if (i % 64 == 0) {
      EXPECT_NE(input_error([&] { read(garbage); }), "") << i;
    }
  }
  EXPECT_NE(input_error([&] { read(std::string(1 << 20, 'x')); }), "");
  EXPECT_EQ(input_error([&] { read(valid + std::string(1 << 20, '\\')); }).empty(),
            harmless.after_the_end);
}
