// SPDX-License-Identifier: Apache-2.0
#include "sinew/picture/detail/islands.h"

#include <algorithm>

#include "sinew/picture/detail/simple_point.h"

namespace sinew::detail {
namespace {

// Calls visit(index) once for every pixel of the island of (x, y), all of which must be set in
// `unseen`, and clears them there.
template <class Visit>
void flood(Mask& unseen, int x, int y, std::vector<std::uint32_t>& stack, Visit&& visit) {
  const auto push = [&](int i, int j) {
    const std::size_t index = unseen.index(i, j);
    unseen.inside[index] = 0;
    stack.push_back(static_cast<std::uint32_t>(index));
  };
  push(x, y);
  while (!stack.empty()) {
    const std::uint32_t index = stack.back();
    stack.pop_back();
    visit(index);
    const int i = static_cast<int>(index % static_cast<std::uint32_t>(unseen.width));
    const int j = static_cast<int>(index / static_cast<std::uint32_t>(unseen.width));
    for (std::size_t k = 0; k < 8; ++k) {
      if (unseen.at(i + ring_x[k], j + ring_y[k])) push(i + ring_x[k], j + ring_y[k]);
    }
  }
}

template <class Start, class Visit>
void for_each_island(const Mask& mask, Start&& start, Visit&& visit) {
  Mask unseen = mask;
  std::vector<std::uint32_t> stack;
  for (int y = 0; y < unseen.height; ++y) {
    for (int x = 0; x < unseen.width; ++x) {
      if (!unseen.inside[unseen.index(x, y)]) continue;
      start();
      flood(unseen, x, y, stack, visit);
    }
  }
}

}  // namespace

Islands find_islands(const Mask& mask) {
  Islands islands;
  islands.label.assign(mask.inside.size(), 0);
  for_each_island(
      mask, [&] { islands.size.push_back(0); },
      [&](std::uint32_t i) {
        islands.label[i] = static_cast<std::uint32_t>(islands.size.size());
        ++islands.size.back();
      });
  return islands;
}

Dropped drop_specks(Mask& mask, int smallest) {
  std::vector<std::size_t> size;
  for_each_island(
      mask, [&] { size.push_back(0); }, [&](std::uint32_t) { ++size.back(); });
  if (size.empty()) return {};
  const std::size_t largest = std::max_element(size.begin(), size.end()) - size.begin();
  const auto keep = [&](std::size_t island) {
    return island == largest || size[island] >= static_cast<std::size_t>(std::max(0, smallest));
  };
  Dropped dropped;
  for (std::size_t i = 0; i < size.size(); ++i) {
    if (keep(i)) continue;
    ++dropped.islands;
    dropped.pixels += size[i];
  }
  if (dropped.islands > 0) {
    std::size_t started = 0;
    for_each_island(
        mask, [&] { ++started; },
        [&](std::uint32_t i) { mask.inside[i] = keep(started - 1) ? 1 : 0; });
  }
  return dropped;
}

}  // namespace sinew::detail
