// SPDX-License-Identifier: Apache-2.0
// Reads words, numbers and lines of text files, independent of the locale, with errors that name
// the line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sinew::text {

// The double nearest to a decimal number such as -1.5e3. Nothing if `word` as a whole is not a
// number, or too large for a double. "nan" and "inf" are rejected.
std::optional<double> parse_number(std::string_view word);
std::optional<std::int64_t> parse_integer(std::string_view word);

// Equal, ignoring the case of ASCII letters.
bool same_word(std::string_view a, std::string_view b);

// The bytes in quotes, for a message: shortened if long, with unprintable bytes replaced.
std::string quoted(std::string_view bytes);

struct Syntax {
  char comment = '#';         // starts a comment where a word could start; 0: no comments
  bool continuation = false;  // a backslash at the end of a line joins the next one to it
  char blank = ' ';           // one more character that separates words
};

// Reads a text word by word. Lines end in LF, CR LF or CR; a UTF-8 byte order mark at the beginning
// is skipped.
class Reader {
 public:
  explicit Reader(std::string_view text, Syntax syntax = {});

  // The next word of this line; empty at the end of the line.
  std::string_view word();
  // The next word of the text, on any line; empty at the end of the text.
  std::string_view next_word();
  // The rest of this line, including comments, with blanks trimmed.
  std::string_view rest_of_line();
  // Moves to the next line that has a word, skipping the rest of a line that was read in part.
  // False at the end of the text.
  bool next_line();
  // Moves past the end of this line, and no further; false if a word is left on it.
  bool end_line();

  // The next word of the text as a number; `what` names the quantity in the error message.
  double number(std::string_view what);
  std::int64_t integer(std::string_view what);
  // A count of items that take at least `bytes_each` bytes each (the last may be one byte shorter).
  // An error if the rest of the text is too short for that many.
  std::size_t count(std::string_view what, std::size_t bytes_each);

  std::size_t line() const { return line_; }
  std::string place() const;
  // Where the search for the next word starts, in bytes from the beginning.
  std::size_t offset() const { return position_; }
  std::size_t remaining() const { return text_.size() - position_; }
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  std::size_t newline_at(std::size_t position) const;  // length of the line break there; 0: none
  // Here, so that the compiler sees it in loops over characters.
  bool is_at(std::size_t position, std::uint8_t kinds) const {
    return (kinds_[static_cast<unsigned char>(text_[position])] & kinds) != 0;
  }
  void skip_blanks();
  void skip_line();
  void pass(std::size_t newline);

  std::string_view text_;
  std::array<std::uint8_t, 256> kinds_{};  // what each byte can be
  std::size_t position_ = 0;
  std::size_t line_ = 1;
  bool line_begun_ = false;
};

}  // namespace sinew::text
