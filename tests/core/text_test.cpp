// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/internal/text.h"

#include <bit>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/input_errors.h"

namespace sinew::text {
namespace {

TEST(Text, numbers_are_the_nearest_doubles) {
  for (const char* word :
       {"0", "-0", "1", "+1", ".5", "5.", "0.1", "1e22", "1e23", "123456789012345678", "4.9e-324",
        "9007199254740993", "1.7976931348623157e308", "2.2250738585072011e-308", "1e-400",
        "0.000000000000000000000000000000000000001", "8.5e-00022",
        "179769313486231570000000000000"}) {
    const auto value = parse_number(word);
    ASSERT_TRUE(value) << word;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*value),
              std::bit_cast<std::uint64_t>(std::strtod(word, nullptr)))
        << word;
  }
}

TEST(Text, printed_doubles_come_back_bit_for_bit) {
  std::uint64_t state = 88172645463325252u;
  for (int i = 0; i < 20000; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    const double value = std::bit_cast<double>(state);
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(parse_number(fmt::format("{}", value)), value);
    const double plain = double(static_cast<std::int64_t>(state) >> 40) / 1000;
    EXPECT_EQ(parse_number(fmt::format("{}", plain)), plain);
  }
}

// With as many digits as 64 bits hold, some of them halfway between two doubles.
TEST(Text, long_decimals_are_the_nearest_doubles) {
  std::vector<std::string> words = {"4503599627370496.5",   "4503599627370497.5",
                                    "9007199254740993.0",   "0.9999999999999999999",
                                    "1844674407370955161",  "18446744073709551615",
                                    "1.844674407370955162", "0.5000000000000000001",
                                    "900719925474099.35",   "0.0000000000000000001"};
  std::uint64_t state = 88172645463325252u;
  for (int i = 0; i < 40000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::string word = fmt::format("{}", state >> (i % 30));
    word.insert(i % (word.size() + 1), word.size() > 1 && i % 3 == 0 ? "" : ".");
    if (word != ".") words.push_back(i % 2 == 0 ? "-" + word : word);
  }
  for (const std::string& word : words) {
    const auto value = parse_number(word);
    ASSERT_TRUE(value) << word;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*value),
              std::bit_cast<std::uint64_t>(std::strtod(word.c_str(), nullptr)))
        << word;
  }
}

TEST(Text, what_is_not_all_of_one_finite_number_is_none) {
  for (const char* word : {"", "-", ".", "e5", "1e", "1e+", "1.2.3", "1,5", "0x10", "nan", "inf",
                           "1e999", "1f", "--1", "1-", " 1"}) {
    EXPECT_FALSE(parse_number(word)) << word;
  }
}

TEST(Text, integers_too_large_to_hold_are_none) {
  EXPECT_EQ(parse_integer("-4294967297"), -4294967297);
  for (const char* word : {"", "-", "1.0", "99999999999999999999999", "1e3"}) {
    EXPECT_FALSE(parse_integer(word)) << word;
  }
}

TEST(Text, all_line_ends_count_as_one_line_each) {
  Reader in("\xef\xbb\xbf one\r\n\ttwo\rthree\n\n# comment\nfour");
  const std::pair<const char*, std::size_t> expected[] = {
      {"one", 1}, {"two", 2}, {"three", 3}, {"four", 6}};
  for (const auto& [word, line] : expected) {
    ASSERT_TRUE(in.next_line());
    EXPECT_EQ(in.word(), word);
    EXPECT_EQ(in.line(), line);
    EXPECT_EQ(in.word(), "");
  }
  EXPECT_FALSE(in.next_line());
}

TEST(Text, joined_lines_are_one_line_and_counted_as_two) {
  Reader in("a \\\r\n b\\\nc\nd", {.continuation = true});
  ASSERT_TRUE(in.next_line());
  EXPECT_EQ(in.word(), "a");
  EXPECT_EQ(in.word(), "b");
  EXPECT_EQ(in.word(), "c");
  EXPECT_EQ(in.word(), "");
  ASSERT_TRUE(in.next_line());
  EXPECT_EQ(in.word(), "d");
  EXPECT_EQ(in.line(), 4u);
}

TEST(Text, errors_name_the_line_of_the_word) {
  Reader in("1\n2\n\nthree");
  in.number("a number");
  in.number("a number");
  EXPECT_EQ(input_error([&] { in.number("a number"); }),
            "line 4: a number should be a finite number, not 'three'");
}

}  // namespace
}  // namespace sinew::text
