// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/math.h"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <utility>

#include "sinew/core/internal/series.h"

namespace sinew::math {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
// Each with what double precision leaves out of it.
constexpr double pi = 0x1.921fb54442d18p+1, more_pi = 0x1.1a62633145c07p-53;
// Products of the first with exponents of two are exact.
constexpr double log_2 = 0x1.62e42fefap-1, more_log_2 = 0x1.cf79abc9e3b3ap-40;
constexpr double per_log_2 = 0x1.71547652b82fep+0;

// With the coefficients from the lowest power up.
template <std::size_t count>
double polynomial(double x, const double (&coefficients)[count]) {
  double sum = coefficients[count - 1];
  for (std::size_t i = count - 1; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

// A number as the sum of two, the second of which is below the last place of the first.
struct Pair {
  double high = 0, low = 0;
};

// Dekker's: exact, without fused multiply-add.
Pair product(double a, double b) {
  constexpr double splitter = 0x1p27 + 1;
  const double a_shifted = splitter * a, b_shifted = splitter * b;
  const double a_high = a_shifted - (a_shifted - a), a_low = a - a_high;
  const double b_high = b_shifted - (b_shifted - b), b_low = b - b_high;
  const double high = a * b;
  return {high, ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

// Exact where a is the larger one.
Pair sum_of(double a, double b) {
  const double high = a + b;
  return {high, b - (high - a)};
}

// A number of [sqrt(1/2), sqrt(2)) and a power of two.
struct Scaled {
  double part = 1;
  int power = 0;
};

Scaled scaled(double x) {
  Scaled result;
  result.part = std::frexp(x, &result.power);
  if (result.part < 0x1.6a09e667f3bcdp-1) {
    result.part *= 2;
    --result.power;
  }
  return result;
}

// The logarithm of what scaled() gives, by the series of 2 atanh(s) for s = (part - 1) / (part +
// 1).
Pair log_of_part(double part) {
  const double more = part - 1;
  if (more == 0) return {};
  const Pair by = sum_of(2, more);
  const double s = more / by.high;
  const Pair back = product(s, by.high);
  const double s_low = (((more - back.high) - back.low) - s * by.low) / by.high;
  constexpr double terms[] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11, 2.0 / 13,
                              2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23};
  const double square = s * s;
  return sum_of(2 * s, s * (square * polynomial(square, terms)) + 2 * s_low);
}

Pair log_pair(double x) {
  const Scaled m = scaled(x);
  const Pair part = log_of_part(m.part);
  if (m.power == 0) return part;
  const Pair sum = sum_of(m.power * log_2, part.high);
  return sum_of(sum.high, sum.low + (part.low + m.power * more_log_2));
}

// Of high + low, where low is small beside 1.
double exp_of(double high, double low) {
  if (std::isnan(high)) return high;
  if (high > 710) return infinity;
  if (high < -746) return 0;
  const double power = (high * per_log_2 + series::to_whole) - series::to_whole;
  const double r = (high - power * log_2) - (power * more_log_2 - low);
  constexpr double terms[] = {1.0 / 2,       1.0 / 6,        1.0 / 24,          1.0 / 120,
                              1.0 / 720,     1.0 / 5040,     1.0 / 40320,       1.0 / 362880,
                              1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600.0, 1.0 / 6227020800.0};
  return std::ldexp(1 + (r + r * r * polynomial(r, terms)), static_cast<int>(power));
}

}  // namespace

SineCosine sine_cosine(double angle) {
  if (!(std::fabs(angle) <= 0x1p19 * (pi / 2))) angle = std::fmod(angle, 2 * pi);
  const double shifted = angle * (2 / pi) + series::to_whole;
  const double quarters = shifted - series::to_whole;
  const auto& part = series::quarter_turn;
  const double r = ((angle - quarters * part[0]) - quarters * part[1]) - quarters * part[2];
  const double square = r * r;
  const double s = r + r * (square * polynomial(square, series::sine));
  const double c = 1 + square * polynomial(square, series::cosine);
  unsigned long long whole = 0;
  std::memcpy(&whole, &shifted, sizeof whole);
  const double sine = (whole & 1) != 0 ? c : s, cosine = (whole & 1) != 0 ? s : c;
  return {(whole & 2) != 0 ? -sine : sine, ((whole + 1) & 2) != 0 ? -cosine : cosine};
}

double sin(double angle) { return angle == 0 ? angle : sine_cosine(angle).sine; }

double cos(double angle) { return sine_cosine(angle).cosine; }

double tan(double angle) {
  const SineCosine at = sine_cosine(angle);
  return angle == 0 ? angle : at.sine / at.cosine;
}

double asin(double sine) { return atan2(sine, std::sqrt((1 - sine) * (1 + sine))); }

double acos(double cosine) { return 2 * atan2(std::sqrt(1 - cosine), std::sqrt(1 + cosine)); }

double atan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return undefined;
  double q = std::fabs(y), p = std::fabs(x);
  if (std::isinf(q) || std::isinf(p)) {
    q = std::isinf(q) ? 1 : 0;
    p = std::isinf(p) ? 1 : 0;
  }
  double angle = 0;
  if (q > 0 || p > 0) {
    // Beside the nearest eighth of a turn no more than tan(pi / 8) is left.
    const bool large = q > p * series::cot_eighth, middle = q > p * series::tan_eighth;
    const double left = large ? -p : middle ? q - p : q;
    const double by = large ? q : middle ? q + p : p;
    const double base = large ? pi / 2 : middle ? pi / 4 : 0;
    const double more = large ? more_pi / 2 : middle ? more_pi / 4 : 0;
    const double t = left / by;
    angle = base + (t * polynomial(t * t, series::arc_tangent) + more);
  }
  if (std::signbit(x)) angle = pi - (angle - more_pi);
  return std::copysign(angle, y);
}

double exp(double x) { return exp_of(x, 0); }

double exp2(double x) {
  if (!(std::fabs(x) < 1100)) return exp_of(x, 0);
  const double power = (x + series::to_whole) - series::to_whole;
  return std::ldexp(exp_of((x - power) / per_log_2, 0), static_cast<int>(power));
}

double log(double x) {
  if (!(x > 0)) return x == 0 ? -infinity : undefined;
  return std::isinf(x) ? x : log_pair(x).high;
}

double log2(double x) {
  if (!(x > 0)) return x == 0 ? -infinity : undefined;
  if (std::isinf(x)) return x;
  const Scaled m = scaled(x);
  return m.power + log_of_part(m.part).high * per_log_2;
}

double pow(double base, double exponent) {
  if (exponent == 0 || base == 1) return 1;
  if (std::isnan(base) || std::isnan(exponent)) return undefined;
  if (exponent == 1) return base;
  if (exponent == 2) return base * base;
  const bool is_whole = std::isinf(exponent) || exponent == std::floor(exponent);
  const bool is_odd = is_whole && std::fabs(std::fmod(exponent, 2)) == 1;
  const double size = std::fabs(base);
  if (base < 0 && !is_whole) return std::isinf(base) ? pow(size, exponent) : undefined;
  double result = 0;
  if (size == 0 || std::isinf(size) || std::isinf(exponent)) {
    result = size == 1 ? 1 : (size > 1) == (exponent > 0) ? infinity : 0;
  } else {
    const Pair log = log_pair(size);
    const Pair high = product(log.high, exponent);
    result = std::fabs(high.high) < 1e3 ? exp_of(high.high, high.low + log.low * exponent)
                                        : exp_of(high.high, 0);
  }
  return is_odd && std::signbit(base) ? -result : result;
}

double tanh(double x) {
  const double down = exp(-2 * std::fabs(x));
  return std::copysign((1 - down) / (1 + down), x);
}

double cbrt(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  int power = 0;
  double m = std::frexp(std::fabs(x), &power);
  // Up to 4 instead of 1, so that what is left of the exponent has a third.
  const int rest = ((power % 3) + 3) % 3;
  m = std::ldexp(m, rest);
  double root = 0.72 + 0.225 * m;
  for (int i = 0; i < 3; ++i) {  // Halley's: from a twelfth to the last place
    const double cube = root * root * root;
    root *= (cube + 2 * m) / (2 * cube + m);
  }
  root -= (root * root * root - m) / (3 * root * root);
  return std::copysign(std::ldexp(root, (power - rest) / 3), x);
}

double hypot(double x, double y) { return hypot(x, y, 0); }

double hypot(double x, double y, double z) {
  if (std::isinf(x) || std::isinf(y) || std::isinf(z)) return infinity;
  const double sum = x * x + y * y + z * z;
  if (sum > 0x1p-900 && sum < infinity) return std::sqrt(sum);
  if (!(sum < infinity) || x != 0 || y != 0 || z != 0) {
    // By a power of two, which rounds nothing.
    const double up = sum < 1 ? 0x1p600 : 0x1p-600;
    return std::sqrt((x * up) * (x * up) + (y * up) * (y * up) + (z * up) * (z * up)) / up;
  }
  return 0;
}

}  // namespace sinew::math
