// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/internal/format.h"

#include <cmath>
#ifdef __EMSCRIPTEN__
#include <emscripten.h>

#include "sinew/core/internal/javascript_numbers.h"
#elif !defined(__cpp_lib_to_chars)
#include <cstdio>
#include <cstdlib>
#endif

#ifdef __EMSCRIPTEN__
// Here, as nothing else would make the linker take a file of their own.
// clang-format off

EM_JS(int, sinew_write_shortest, (char* out, double number, bool with_exponent), {
  const size = Math.abs(number);
  let text = String(size);
  if (with_exponent && Number.isFinite(number)) {
    const [digits, exponent] = size.toExponential().split("e");
    text = digits + "e" + exponent[0] + exponent.slice(1).padStart(2, "0");
  }
  if (!Number.isFinite(number)) text = Number.isNaN(number) ? "nan" : "inf";
  if (number < 0 || Object.is(number, -0)) text = "-" + text;
  for (let i = 0; i < text.length; ++i) HEAPU8[(out >>> 0) + i] = text.charCodeAt(i);
  return text.length;
});

EM_JS(int, sinew_write_significant, (char* out, double number, int most), {
  const count = Math.max(most, 1);
  const size = Math.abs(number);
  let text = Number.isNaN(number) ? "nan" : "inf";
  if (Number.isFinite(number)) {
    let [digits, exponent] = size.toExponential(count - 1).split("e");
    digits = digits.replace(".", "");
    // Half way between two, C takes the even one, JavaScript the larger.
    const [more, lower] = size.toExponential(count + 29).replace(".", "").split("e");
    if (more.slice(count) === "5".padEnd(30, "0") && more.charCodeAt(count - 1) % 2 === 0) {
      digits = more.slice(0, count);
      exponent = lower;
    }
    while (digits.length > 1 && digits.endsWith("0")) digits = digits.slice(0, -1);
    const power = Number(exponent);
    if (power < -4 || power >= count) {
      text = digits[0] + (digits.length > 1 ? "." + digits.slice(1) : "") + "e" + exponent[0] + exponent.slice(1).padStart(2, "0");
    } else if (power < 0) {
      text = "0." + "0".repeat(-power - 1) + digits;
    } else {
      const whole = digits.padEnd(power + 1, "0");
      text = whole.slice(0, power + 1) + (whole.length > power + 1 ? "." + whole.slice(power + 1) : "");
    }
  }
  if (number < 0 || Object.is(number, -0)) text = "-" + text;
  for (let i = 0; i < text.length; ++i) HEAPU8[(out >>> 0) + i] = text.charCodeAt(i);
  return text.length;
});

EM_JS(double, sinew_parse_decimal, (const char* text, int length), {
  let word = "";
  for (let i = 0; i < length; ++i) word += String.fromCharCode(HEAPU8[(text >>> 0) + i]);
  return Number(word);
});

// clang-format on
#endif

namespace sinew {
namespace {

enum class Digits { plain, with_exponent };

#ifdef __EMSCRIPTEN__
const char* write_shortest(std::span<char> out, double number, Digits form) {
  return out.data() + sinew_write_shortest(out.data(), number, form == Digits::with_exponent);
}

const char* write_significant(std::span<char> out, double number, int digits) {
  return out.data() + sinew_write_significant(out.data(), number, digits);
}
#elif defined(__cpp_lib_to_chars)
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
// A standard library that cannot write fractions by to_chars().
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
