// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/internal/text.h"

#include <array>
#include <bit>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <limits>

#ifdef __EMSCRIPTEN__
#include "sinew/core/internal/javascript_numbers.h"
#else
#include <locale.h>
#if __has_include(<xlocale.h>)
#include <xlocale.h>
#endif
#endif

#include "sinew/core/error.h"
#include "sinew/core/internal/bits.h"
#include "sinew/core/internal/format.h"

namespace sinew::text {
namespace {

// What a byte can be; joins_lines only right before the end of a line.
enum Kind : std::uint8_t { blank = 1, line_end = 2, comment = 4, joins_lines = 8 };

bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Exactly representable, as are all integers below 2^53: one operation on two such numbers rounds
// once, so its result is the nearest double.
constexpr std::array<double, 23> powers_of_ten = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

#ifdef __EMSCRIPTEN__
double parse_slowly(std::string_view word) {
  return sinew_parse_decimal(word.data(), static_cast<int>(word.size()));
}
#else
double parse_slowly(std::string_view word) {
#if __cpp_lib_to_chars >= 201611L
  if (word[0] == '+') word.remove_prefix(1);
  double value = 0;
  if (std::from_chars(word.data(), word.data() + word.size(), value).ec == std::errc{}) {
    return value;
  }
  // Out of range, which it does not say to which side.
#endif
  static const locale_t c_locale = ::newlocale(LC_ALL_MASK, "C", nullptr);
  std::array<char, 64> short_copy;
  if (word.size() < short_copy.size()) {
    word.copy(short_copy.data(), word.size());
    short_copy[word.size()] = '\0';
    return ::strtod_l(short_copy.data(), nullptr, c_locale);
  }
  return ::strtod_l(std::string(word).c_str(), nullptr, c_locale);
}
#endif

#if defined(__SIZEOF_INT128__) && !defined(__EMSCRIPTEN__)
__extension__ using Wide = unsigned __int128;
#define SINEW_DIVIDES_DECIMALS
constexpr int most_places = 19;  // 10 to that power has 64 bits

constexpr std::array<std::uint64_t, most_places + 1> integer_powers = [] {
  std::array<std::uint64_t, most_places + 1> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

// The double nearest to mantissa / 10^places: a quotient of at least 63 bits and whether anything
// is left say how to round. The mantissa is not 0.
double divided(std::uint64_t mantissa, int places) {
  const std::uint64_t power = integer_powers[static_cast<std::size_t>(places)];
  const int up = std::countl_zero(mantissa), power_up = std::countl_zero(power);
  const std::uint64_t divisor = power << power_up;
  const Wide dividend = static_cast<Wide>(mantissa << up) << 63;
  auto quotient = static_cast<std::uint64_t>(dividend / divisor);
  const bool rest = static_cast<Wide>(quotient) * divisor != dividend;
  const int dropped = 11 - std::countl_zero(quotient);  // 53 bits stay
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  const std::uint64_t below = quotient & (2 * half - 1);
  quotient >>= dropped;
  if (below > half || (below == half && (rest || (quotient & 1) != 0))) ++quotient;
  const int exponent = dropped + power_up - up - 63;
  const auto scale = bits_as<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
  return static_cast<double>(quotient) * scale;
}
#endif

}  // namespace

std::optional<double> parse_number(std::string_view word) {
  constexpr std::uint64_t exact_limit = std::uint64_t{1} << 53;
  constexpr std::uint64_t mantissa_limit = std::numeric_limits<std::uint64_t>::max();
  std::size_t i = 0;
  const bool negative = !word.empty() && word[0] == '-';
  if (negative || (!word.empty() && word[0] == '+')) ++i;
  std::uint64_t mantissa = 0;
  std::int64_t exponent = 0;
  bool any_digit = false;
  bool whole = true;  // all digits are in the mantissa
  bool fraction = false;
  for (; i < word.size() && (is_digit(word[i]) || (word[i] == '.' && !fraction)); ++i) {
    if (word[i] == '.') {
      fraction = true;
      continue;
    }
    any_digit = true;
    if (mantissa < mantissa_limit / 10) {  // one more digit fits
      mantissa = mantissa * 10 + static_cast<std::uint64_t>(word[i] - '0');
      if (fraction) --exponent;
    } else {
      whole = false;
    }
  }
  if (!any_digit) return std::nullopt;
  if (i < word.size() && (word[i] == 'e' || word[i] == 'E')) {
    ++i;
    const bool down = i < word.size() && word[i] == '-';
    if (down || (i < word.size() && word[i] == '+')) ++i;
    if (i == word.size()) return std::nullopt;
    std::int64_t power = 0;
    for (; i < word.size() && is_digit(word[i]); ++i) {
      if (power < 100000) power = power * 10 + (word[i] - '0');
    }
    exponent += down ? -power : power;
  }
  if (i != word.size()) return std::nullopt;
  double value = 0;
  if (whole && mantissa < exact_limit && exponent >= -22 && exponent <= 22) {
    const double scale = powers_of_ten[static_cast<std::size_t>(std::abs(exponent))];
    value = static_cast<double>(mantissa);
    value = exponent < 0 ? value / scale : value * scale;
    if (negative) value = -value;
#ifdef SINEW_DIVIDES_DECIMALS
  } else if (whole && mantissa != 0 && exponent <= 0 && -exponent <= most_places) {
    value = divided(mantissa, static_cast<int>(-exponent));
    if (negative) value = -value;
#endif
  } else {
    value = parse_slowly(word);
  }
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_integer(std::string_view word) {
  constexpr std::int64_t limit = std::int64_t{1} << 56;
  std::size_t i = 0;
  const bool negative = !word.empty() && word[0] == '-';
  if (negative || (!word.empty() && word[0] == '+')) ++i;
  if (i == word.size()) return std::nullopt;
  std::int64_t value = 0;
  for (; i < word.size(); ++i) {
    if (!is_digit(word[i]) || value > limit) return std::nullopt;
    value = value * 10 + (word[i] - '0');
  }
  return negative ? -value : value;
}

bool same_word(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

std::string quoted(std::string_view bytes) {
  constexpr std::size_t longest = 40;
  std::string result = "'";
  for (const char c : bytes.substr(0, longest)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (bytes.size() > longest ? "...'" : "'");
}

Reader::Reader(std::string_view text, Syntax syntax) : text_(text) {
  const auto mark = [&](char c, std::uint8_t kind) {
    std::uint8_t& kinds = kinds_[static_cast<unsigned char>(c)];
    kinds = static_cast<std::uint8_t>(kinds | kind);
  };
  for (const char c : {' ', '\t', '\v', '\f', syntax.blank}) mark(c, blank);
  for (const char c : {'\n', '\r'}) mark(c, line_end);
  if (syntax.comment != '\0') mark(syntax.comment, comment);
  if (syntax.continuation) mark('\\', joins_lines);
  if (text_.substr(0, 3) == "\xef\xbb\xbf") position_ = 3;
}

std::size_t Reader::newline_at(std::size_t position) const {
  if (position >= text_.size()) return 0;
  if (text_[position] == '\n') return 1;
  if (text_[position] != '\r') return 0;
  return position + 1 < text_.size() && text_[position + 1] == '\n' ? 2 : 1;
}

void Reader::pass(std::size_t newline) {
  position_ += newline;
  ++line_;
}

// Skips blanks, line continuations and a comment.
void Reader::skip_blanks() {
  while (position_ < text_.size()) {
    if (is_at(position_, blank)) {
      ++position_;
    } else if (is_at(position_, joins_lines) && newline_at(position_ + 1) > 0) {
      pass(1 + newline_at(position_ + 1));
    } else if (is_at(position_, comment)) {
      while (position_ < text_.size() && !is_at(position_, line_end)) ++position_;
    } else {
      return;
    }
  }
}

void Reader::skip_line() {
  while (!word().empty()) {
  }
  if (position_ < text_.size()) pass(newline_at(position_));
  line_begun_ = false;
}

std::string_view Reader::word() {
  skip_blanks();
  const std::size_t start = position_;
  while (true) {
    while (position_ < text_.size() && !is_at(position_, blank | line_end | joins_lines)) {
      ++position_;
    }
    const bool is_backslash = position_ < text_.size() && is_at(position_, joins_lines);
    if (!is_backslash || newline_at(position_ + 1) > 0) break;
    ++position_;
  }
  line_begun_ = true;
  return text_.substr(start, position_ - start);
}

std::string_view Reader::next_word() {
  while (true) {
    const std::string_view found = word();
    if (!found.empty() || position_ >= text_.size()) return found;
    pass(newline_at(position_));
  }
}

std::string_view Reader::rest_of_line() {
  while (position_ < text_.size() && is_at(position_, blank)) ++position_;
  const std::size_t start = position_;
  while (position_ < text_.size() && !is_at(position_, line_end)) ++position_;
  std::size_t end = position_;
  while (end > start && is_at(end - 1, blank)) --end;
  line_begun_ = true;
  return text_.substr(start, end - start);
}

bool Reader::next_line() {
  if (line_begun_ && position_ < text_.size()) skip_line();
  while (true) {
    skip_blanks();
    if (position_ >= text_.size()) return false;
    const std::size_t newline = newline_at(position_);
    if (newline == 0) return true;
    pass(newline);
  }
}

bool Reader::end_line() {
  skip_blanks();
  const std::size_t newline = newline_at(position_);
  if (newline == 0) return position_ >= text_.size();
  pass(newline);
  line_begun_ = false;
  return true;
}

double Reader::number(std::string_view what) {
  const std::string_view found = next_word();
  if (const auto value = parse_number(found)) return *value;
  if (found.empty()) fail(formatted("the file ends where {} should be", what));
  fail(formatted("{} should be a finite number, not {}", what, quoted(found)));
}

std::int64_t Reader::integer(std::string_view what) {
  const std::string_view found = next_word();
  if (const auto value = parse_integer(found)) return *value;
  if (found.empty()) fail(formatted("the file ends where {} should be", what));
  fail(formatted("{} should be an integer, not {}", what, quoted(found)));
}

std::size_t Reader::count(std::string_view what, std::size_t bytes_each) {
  const std::int64_t value = integer(what);
  if (value < 0) fail(formatted("{} is negative: {}", what, value));
  // Also where 32 bits are an index, and a count may have more.
  const std::size_t most =
      bytes_each > 0 ? (remaining() + 1) / bytes_each : std::numeric_limits<std::size_t>::max();
  if (static_cast<std::uint64_t>(value) > most) {
    fail(formatted("{} is {}, but the file is too short for that: is it cut off?", what, value));
  }
  return static_cast<std::size_t>(value);
}

std::string Reader::place() const { return formatted("line {}", line_); }

void Reader::fail(const std::string& problem) const { throw InputError(place(), problem); }

}  // namespace sinew::text
