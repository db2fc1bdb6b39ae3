// SPDX-License-Identifier: Apache-2.0
// Words, numbers and lines of text files, whatever the locale; and errors that name the line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sinew::text {

// The double nearest to a decimal number such as -1.5e3. Nothing if `word` is not all of one
// number, or is too large for a double; "nan" and "inf" are no numbers here.
std::optional<double> parse_number(std::string_view word);
std::optional<std::int64_t> parse_integer(std::string_view word);

// Equal but for the case of ASCII letters.
bool same_word(std::string_view a, std::string_view b);

// The bytes in quotes for a message: cut where long, unprintable bytes replaced.
std::string quoted(std::string_view bytes);

struct Syntax {
  char comment = '#';         // starts a comment where a word could start; 0: none does
  bool continuation = false;  // a backslash at the end of a line joins the next one to it
  char blank = ' ';           // one more character that separates words
};

// Goes through a text word by word. Lines end in LF, CR LF or CR; a UTF-8 byte order mark at the
// beginning is skipped.
class Reader {
 public:
  explicit Reader(std::string_view text, Syntax syntax = {});

  // The next word of this line; empty at its end.
  std::string_view word();
  // The next word of the text; empty at its end.
  std::string_view next_word();
  // What is left of this line without blanks around it, comments and all.
  std::string_view rest_of_line();
  // Goes to the next line that has a word, past what is left of a line of which something was read.
  // False at the end of the text.
  bool next_line();
  // Goes past the end of this line alone; false if there is a word before it.
  bool end_line();

  // The next word of the text as a number; `what` names it in the message if it is none.
  double number(std::string_view what);
  std::int64_t integer(std::string_view what);
  // A number of things of which each takes at least `bytes_each` bytes, the last may lack one; an
  // error if the text is too short to have that many.
  std::size_t count(std::string_view what, std::size_t bytes_each);

  std::size_t line() const { return line_; }
  std::string place() const;
  // Where the next word is looked for, in bytes from the beginning.
  std::size_t offset() const { return position_; }
  std::size_t remaining() const { return text_.size() - position_; }
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  std::size_t newline_at(std::size_t position) const;  // its length; 0: there is none
  bool blank_at(std::size_t position) const;
  void skip_blanks();
  void skip_line();
  void pass(std::size_t newline);

  std::string_view text_;
  Syntax syntax_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
  bool line_begun_ = false;
};

}  // namespace sinew::text
