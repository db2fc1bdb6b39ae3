// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/detail/owner.h"

#include <algorithm>

namespace sinew::detail {

std::optional<std::size_t> only_bone(std::span<const Influence> row) {
  constexpr double least_share = 0.9;
  double sum = 0, largest = 0;
  for (const Influence& influence : row) {
    sum += influence.weight;
    largest = std::max(largest, influence.weight);
  }
  const int dominant = dominant_bone(row);
  if (dominant < 0 || largest < least_share * sum) return std::nullopt;
  return static_cast<std::size_t>(dominant);
}

}  // namespace sinew::detail
