// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/internal/format.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(Format, arguments_take_the_places_in_their_order) {
  const std::string name = "elbow";
  EXPECT_EQ(formatted("{} of {}: {}{}", 3, std::size_t{7}, name, std::string_view("!")),
            "3 of 7: elbow!");
  EXPECT_EQ(formatted("nothing"), "nothing");
  EXPECT_EQ(formatted("{}", "{} is kept"), "{} is kept");
  EXPECT_EQ(formatted("{} {}", std::numeric_limits<std::int64_t>::min(),
                      std::numeric_limits<std::uint64_t>::max()),
            "-9223372036854775808 18446744073709551615");
}

// The rest of the program prints with fmt: numbers must look the same in all messages.
TEST(Format, numbers_look_as_fmt_prints_them) {
  const auto compare = [](double x) {
    EXPECT_EQ(formatted("{}", x), fmt::format("{}", x));
    EXPECT_EQ(significant(x, 4), fmt::format("{:.4g}", x));
  };
  for (const double x :
       {0.0, -0.0, 1.0, 0.1, -2.5, 1e5, 123456789.0, 1e15, 1e16, 1.5e17, 1e-4, 9.9e-5, 1e-300,
        1e300, 5e-324, std::numeric_limits<double>::max(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    compare(x);
  }
  // Every exponent, with bits from a linear congruential generator.
  std::uint64_t bits = 1;
  for (int i = 0; i < 20000; ++i) {
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    const double x = std::bit_cast<double>(bits);
    if (!std::isfinite(x)) continue;
    EXPECT_EQ(formatted("{}", x), fmt::format("{}", x));
    EXPECT_EQ(std::strtod(formatted("{}", x).c_str(), nullptr), x);
  }
}

TEST(Format, names_are_joined) {
  EXPECT_EQ(joined(std::vector<std::string>{"a", "b", "c"}, ", "), "a, b, c");
  EXPECT_EQ(joined(std::vector<std::string_view>{}, ", "), "");
}

}  // namespace
}  // namespace sinew
