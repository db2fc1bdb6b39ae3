// SPDX-License-Identifier: Apache-2.0
#include "figure.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew::gallery {

bool Number::holds() const {
  if (!std::isfinite(value)) return false;
  return (!at_least || value >= *at_least) && (!at_most || value <= *at_most);
}

bool Figure::holds() const {
  return std::all_of(numbers.begin(), numbers.end(), [](const Number& n) { return n.holds(); });
}

std::string Figure::text(std::string_view of, std::string_view what) const {
  for (const Number& number : numbers) {
    if (number.of == of && number.what == what) return to_text(number.value, number.unit);
  }
  throw UsageError(fmt::format("{}: there is no number for {}, {}", id, of, what));
}

std::string to_text(double value, Unit unit) {
  // Never a negative zero, and no digits that nobody reads.
  const auto digits = [](double v, int places) {
    const double unit_in_last_place = std::pow(10.0, -places);
    return fmt::format("{:.{}f}", std::fabs(v) < 0.5 * unit_in_last_place ? 0.0 : v, places);
  };
  switch (unit) {
    case Unit::percent: {
      const double percent = 100 * value;
      return digits(percent, std::fabs(percent) < 9.95 ? 1 : 0) + " %";
    }
    case Unit::degrees:
      return digits(value, std::fabs(value) < 9.95 ? 1 : 0) + "\u00b0";
    case Unit::times:
      return "\u00d7 " + digits(value, 2);
    case Unit::count:
      return digits(value, 0);
    case Unit::milliseconds:
      return fmt::format("{:.2g} ms", value);
    case Unit::none:
      break;
  }
  return fmt::format("{:.3g}", value);
}

}  // namespace sinew::gallery
