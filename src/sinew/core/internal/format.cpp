// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/internal/format.h"

#include <cmath>
#ifndef __cpp_lib_to_chars
#include <cstdio>
#include <cstdlib>
#endif

namespace sinew {
namespace {

enum class Digits { plain, with_exponent };

#ifdef __cpp_lib_to_chars
// Writes the fewest digits that read back as the same number, and returns where they end.
const char* write_shortest(std::span<char> out, double number, Digits form) {
  return std::to_chars(
             out.data(), out.data() + out.size(), number,
             form == Digits::plain ? std::chars_format::fixed : std::chars_format::scientific)
      .ptr;
}

const char* write_significant(std::span<char> out, double number, int digits) {
  return std::to_chars(out.data(), out.data() + out.size(), number, std::chars_format::general,
                       digits)
      .ptr;
}
#else
// A standard library that cannot write fractions by to_chars(), such as that of Emscripten.
const char* write_shortest(std::span<char> out, double number, Digits form) {
  int length = 0;
  // Digits after the point; numbers that have plain digits are above 1e-4.
  for (int digits = 0; digits <= 22; ++digits) {
    length = std::snprintf(out.data(), out.size(), form == Digits::plain ? "%.*f" : "%.*e", digits,
                           number);
    if (std::strtod(out.data(), nullptr) == number) break;
  }
  return out.data() + length;
}

const char* write_significant(std::span<char> out, double number, int digits) {
  return out.data() + std::snprintf(out.data(), out.size(), "%.*g", digits, number);
}
#endif

}  // namespace

namespace detail {

FormatArgument::FormatArgument(double number) : is_number_(true) {
  // Plain digits if they are few, an exponent if there would be many zeros.
  const double magnitude = std::fabs(number);
  const bool plain = magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16);
  const char* end = write_shortest(digits_, number, plain ? Digits::plain : Digits::with_exponent);
  size_ = static_cast<std::size_t>(end - digits_.data());
}

std::string fill(std::string_view pattern, std::span<const FormatArgument> arguments) {
  std::string result;
  for (const FormatArgument& argument : arguments) {
    const std::size_t place = pattern.find("{}");
    result += pattern.substr(0, place);
    result += argument.text();
    pattern.remove_prefix(place + 2);
  }
  return result += pattern;
}

}  // namespace detail

std::string significant(double number, int digits) {
  std::string text(32 + static_cast<std::size_t>(digits), '\0');
  const char* end = write_significant(text, number, digits);
  text.resize(static_cast<std::size_t>(end - text.data()));
  return text;
}

}  // namespace sinew
