// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/internal/format.h"

#include <cmath>

namespace sinew {
namespace detail {

FormatArgument::FormatArgument(double number) : is_number_(true) {
  // Plain digits if they are few, an exponent if there would be many zeros.
  const double magnitude = std::fabs(number);
  const bool plain = magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16);
  const char* end = std::to_chars(digits_.data(), digits_.data() + digits_.size(), number,
                                  plain ? std::chars_format::fixed : std::chars_format::scientific)
                        .ptr;
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
  const char* end = std::to_chars(text.data(), text.data() + text.size(), number,
                                  std::chars_format::general, digits)
                        .ptr;
  text.resize(static_cast<std::size_t>(end - text.data()));
  return text;
}

}  // namespace sinew
