// SPDX-License-Identifier: Apache-2.0
// Formatting of messages. The runtime needs a formatting library for nothing else, and an engine
// that links the runtime should not have to bring one.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace sinew {
namespace detail {

// Excludes char, which would be printed as its code, and bool.
template <class T>
concept FormattedInteger = std::integral<T> && !std::same_as<T, char> && !std::same_as<T, bool>;

// A string, or the digits of a number. Must not outlive the string.
class FormatArgument {
 public:
  FormatArgument(std::string_view text) : text_(text) {}
  FormatArgument(double number);
  FormatArgument(FormattedInteger auto number) : is_number_(true) {
    const char* end = std::to_chars(digits_.data(), digits_.data() + digits_.size(), number).ptr;
    size_ = static_cast<std::size_t>(end - digits_.data());
  }

  std::string_view text() const {
    return is_number_ ? std::string_view(digits_.data(), size_) : text_;
  }

 private:
  std::string_view text_;
  bool is_number_ = false;
  std::size_t size_ = 0;
  std::array<char, 32> digits_{};
};

std::string fill(std::string_view pattern, std::span<const FormatArgument> arguments);

// Not constexpr, so that the compiler rejects a pattern whose number of "{}" differs from the
// number of arguments.
void pattern_does_not_fit_its_arguments();

// A string literal with one "{}" per argument.
template <class... Arguments>
struct Pattern {
  template <std::size_t n>
  consteval Pattern(const char (&literal)[n]) : text(literal, n - 1) {
    std::size_t places = 0;
    for (std::size_t i = 0; i + 1 < text.size(); ++i)
      places += text[i] == '{' && text[i + 1] == '}';
    if (places != sizeof...(Arguments)) pattern_does_not_fit_its_arguments();
  }
  std::string_view text;
};

}  // namespace detail

// The pattern with each "{}" replaced by the next argument: a string, an integer, or a
// double with the fewest digits that read back as the same number.
template <class... Arguments>
std::string formatted(detail::Pattern<std::type_identity_t<Arguments>...> pattern,
                      const Arguments&... arguments) {
  const std::array<detail::FormatArgument, sizeof...(Arguments)> list{
      detail::FormatArgument(arguments)...};
  return detail::fill(pattern.text, list);
}

// The number with at most `digits` significant digits, as %g prints it.
std::string significant(double number, int digits);

// The names in order, with `separator` between them.
template <class Names>
std::string joined(const Names& names, std::string_view separator) {
  std::string result;
  for (const auto& name : names) {
    if (!result.empty()) result += separator;
    result += name;
  }
  return result;
}

}  // namespace sinew
