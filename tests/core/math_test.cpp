// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/math.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/shapes.h"

namespace sinew {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

// The largest distance from the C library's in higher precision, in units of the last place.
double worst(double low, double high, const std::function<double(double)>& ours,
             const std::function<long double(long double)>& exact) {
  Random random(11);
  double most = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = low + (high - low) * (random.number() + 1) / 2;
    const long double expected = exact(x);
    const double size = std::fabs(static_cast<double>(expected));
    const double unit = std::nextafter(size, infinity) - size;
    most = std::max(most, static_cast<double>(std::fabs(ours(x) - expected)) / unit);
  }
  return most;
}

#define EXPECT_CLOSE(units, low, high, ours, exact)                                             \
  EXPECT_LT(worst(                                                                              \
                low, high, [](double x) { return ours; }, [](long double x) { return exact; }), \
            units)

TEST(Math, functions_are_right_to_three_units_in_the_last_place) {
  EXPECT_CLOSE(3, -20, 20, math::sin(x), std::sin(x));
  EXPECT_CLOSE(3, -20, 20, math::cos(x), std::cos(x));
  EXPECT_CLOSE(3, -5e5, 5e5, math::sin(x), std::sin(x));
  EXPECT_CLOSE(3, -1.5, 1.5, math::tan(x), std::tan(x));
  EXPECT_CLOSE(3, -1, 1, math::asin(x), std::asin(x));
  EXPECT_CLOSE(3, -1, 1, math::acos(x), std::acos(x));
  EXPECT_CLOSE(3, -3, 3, math::atan2(x, 0.75), std::atan2(x, 0.75L));
  EXPECT_CLOSE(3, -3, 3, math::atan2(x, -0.75), std::atan2(x, -0.75L));
  EXPECT_CLOSE(3, -3, 3, math::atan2(0.75, x), std::atan2(0.75L, x));
  EXPECT_CLOSE(3, -700, 700, math::exp(x), std::exp(x));
  EXPECT_CLOSE(3, -20, 20, math::exp2(x), std::exp2(x));
  EXPECT_CLOSE(3, 1e-6, 1e6, math::log(x), std::log(x));
  EXPECT_CLOSE(3, 0.5, 2, math::log(x), std::log(x));
  EXPECT_CLOSE(3, 1e-6, 1e6, math::log2(x), std::log2(x));
  EXPECT_CLOSE(3, 0, 1, math::pow(x, 2.5), std::pow(x, 2.5L));
  EXPECT_CLOSE(3, 0.01, 10, math::pow(x, -8.25), std::pow(x, -8.25L));
  EXPECT_CLOSE(3, -2, 2, math::pow(x, 3), std::pow(x, 3.0L));
  EXPECT_CLOSE(10, 0.01, 100, math::pow(x, 80.5), std::pow(x, 80.5L));
  EXPECT_CLOSE(3, -30, 30, math::cbrt(x), std::cbrt(x));
  EXPECT_CLOSE(3, -3, 3, math::hypot(x, 0.75), std::hypot(x, 0.75L));
  EXPECT_CLOSE(3, -3, 3, math::hypot(x, 0.5, 2), std::sqrt(x * x + 4.25L));
}

#undef EXPECT_CLOSE

TEST(Math, what_is_exact_is_exact) {
  for (int i = -40; i <= 40; ++i) {
    EXPECT_EQ(math::exp2(i), std::ldexp(1, i));
    EXPECT_EQ(math::log2(std::ldexp(1, i)), i);
    EXPECT_EQ(math::cbrt(std::ldexp(1, 3 * i)), std::ldexp(1, i));
    EXPECT_EQ(math::hypot(3 * i, 4 * i), std::abs(5 * i));
  }
  EXPECT_EQ(math::cos(0.0), 1);
  EXPECT_EQ(math::exp(0), 1);
  EXPECT_EQ(math::log(1), 0);
  EXPECT_EQ(math::pow(3, 2), 9);
  EXPECT_EQ(math::tanh(0), 0);
  EXPECT_EQ(math::acos(1.0), 0);
}

TEST(Math, ends_of_the_numbers_are_as_in_the_C_library) {
  const double numbers[] = {0.0,    -0.0,   1,     -1,     0.5,      -0.5,      2,        -3,
                            1e-310, 5e-324, 1e300, -1e300, infinity, -infinity, undefined};
  const auto same = [](double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return std::signbit(a) == std::signbit(b) &&
           (a == b || std::fabs(a - b) <= 1e-12 * std::fabs(b));
  };
  for (const double x : numbers) {
    EXPECT_PRED2(same, math::exp(x), std::exp(x)) << x;
    EXPECT_PRED2(same, math::exp2(x), std::exp2(x)) << x;
    EXPECT_PRED2(same, math::log(x), std::log(x)) << x;
    EXPECT_PRED2(same, math::log2(x), std::log2(x)) << x;
    EXPECT_PRED2(same, math::cbrt(x), std::cbrt(x)) << x;
    EXPECT_PRED2(same, math::asin(x), std::asin(x)) << x;
    EXPECT_PRED2(same, math::acos(x), std::acos(x)) << x;
    if (!(std::fabs(x) > 1e6)) {
      EXPECT_PRED2(same, math::sin(x), std::sin(x)) << x;
    }
    if (!(std::fabs(x) > 1e6)) {
      EXPECT_PRED2(same, math::tan(x), std::tan(x)) << x;
    }
    if (!(std::fabs(x) < 0.1)) {
      EXPECT_PRED2(same, math::tanh(x), std::tanh(x)) << x;
    }
    for (const double y : numbers) {
      EXPECT_PRED2(same, math::atan2(x, y), std::atan2(x, y)) << x << ", " << y;
      EXPECT_PRED2(same, math::hypot(x, y), std::hypot(x, y)) << x << ", " << y;
      EXPECT_PRED2(same, math::pow(x, y), std::pow(x, y)) << x << ", " << y;
    }
  }
  EXPECT_TRUE(std::isnan(math::sin(infinity)) && std::isnan(math::cos(-infinity)));
  EXPECT_LE(std::fabs(math::sin(1e300)), 1);
}

// Told here, so that a compiler which rounds in another way is noticed.
TEST(Math, bits_are_the_same_on_every_machine) {
  std::uint64_t sum = 0;
  const auto add = [&](double value) {
    sum = (sum ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3u;
  };
  for (int i = 1; i < 1000; ++i) {
    const double x = i / 250.0;
    for (const double value :
         {math::sin(x), math::cos(x), math::tan(x), math::asin(x / 4), math::acos(x / 4),
          math::atan2(x, 2 - x), math::exp(x), math::exp2(x), math::log(x), math::log2(x),
          math::pow(x, 1.3), math::tanh(x), math::cbrt(x), math::hypot(x, 1),
          math::hypot(x, 1, 2)}) {
      add(value);
    }
  }
  EXPECT_EQ(sum, 17134390924245597771u);
}

}  // namespace
}  // namespace sinew
