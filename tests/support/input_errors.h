// SPDX-License-Identifier: Apache-2.0
// What every reader owes to bytes that are not a file of its kind.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "sinew/core/error.h"

// The error's message if it is an InputError that names a place, "" if the call succeeds; any other
// outcome fails the test.
template <class Function>
std::string input_error(Function&& function) {
  try {
    function();
  } catch (const sinew::InputError& error) {
    EXPECT_FALSE(error.place().empty()) << error.what();
    EXPECT_FALSE(error.problem().empty());
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "not an InputError: " << error.what();
  }
  return "";
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

// Reads `valid` cut off at every length and with each byte replaced by several others: each either
// is read or is an InputError with a place.
template <class Read>
void expect_malformed_are_refused(const std::string& valid, Read&& read) {
  ASSERT_EQ(input_error([&] { read(valid); }), "");
  for (std::size_t length = 0; length < valid.size(); ++length) {
    input_error([&] { read(std::string_view(valid).substr(0, length)); });
  }
  for (std::size_t i = 0; i < valid.size(); ++i) {
    for (const char replacement : {'\0', '\n', ' ', '-', '9', '/', '#', '\xff', '{'}) {
      std::string changed = valid;
      changed[i] = replacement;
      input_error([&] { read(changed); });
    }
  }
  std::uint32_t state = 1;
  std::string garbage;
  for (int i = 0; i < 4096; ++i) {
    state = state * 1664525u + 1013904223u;
    garbage += static_cast<char>(state >> 24);
    if (i % 64 == 0) input_error([&] { read(garbage); });
  }
  for (const char* word : {"nan", "inf", "-inf", "1e999", "4294967296", "99999999999999999999"}) {
    std::string changed = valid;
    for (std::size_t at = 0; (at = changed.find_first_of("0123456789", at)) != std::string::npos;) {
      const std::size_t end = changed.find_first_not_of("0123456789.e+-", at);
      const std::size_t size = (end == std::string::npos ? changed.size() : end) - at;
      std::string one = changed;
      one.replace(at, size, word);
      input_error([&] { read(one); });
      at += size;
    }
  }
  input_error([&] { read(std::string(1 << 20, 'x')); });
  input_error([&] { read(valid + std::string(1 << 20, '\\')); });
}
