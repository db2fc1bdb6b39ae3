// SPDX-License-Identifier: Apache-2.0
// Which points of offset curves share a tile.
#include <algorithm>
#include <numeric>

#include "sinew/kernels/detail/curves.h"

namespace sinew::kernels {
namespace {

// The different sets of items of a block's vertices.
struct ItemSets {
  Rows<std::uint32_t> sets;
  std::vector<std::size_t> counts;    // vertices that have each
  std::vector<std::uint32_t> set_of;  // per vertex
};

ItemSets item_sets(const Rows<std::uint32_t>& items, std::size_t begin, std::size_t end) {
  ItemSets to;
  to.set_of.resize(end - begin);
  std::vector<std::size_t> sorted(end - begin);
  std::iota(sorted.begin(), sorted.end(), begin);
  std::sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
    const auto x = items[a], y = items[b];
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  });
  for (const std::size_t v : sorted) {
    const auto own = items[v];
    const auto is_own = [&](std::span<const std::uint32_t> set) {
      return std::equal(set.begin(), set.end(), own.begin(), own.end());
    };
    if (to.sets.size() == 0 || !is_own(to.sets[to.sets.size() - 1])) {
      to.sets.push(own);
      to.counts.push_back(0);
    }
    to.set_of[v - begin] = static_cast<std::uint32_t>(to.sets.size() - 1);
    ++to.counts.back();
  }
  return to;
}

// The place of each set: each is followed by the one that adds the fewest items to the tile that is
// being filled.
std::vector<std::uint32_t> chained(const ItemSets& of) {
  std::vector<std::uint32_t> left(of.sets.size()), places(of.sets.size());
  std::iota(left.begin(), left.end(), 0u);
  std::vector<std::uint32_t> open;  // items of that tile
  std::size_t filled = 0;           // its vertices
  for (std::uint32_t place = 0; place < places.size(); ++place) {
    const auto cost = [&](std::uint32_t set) {
      const auto items = of.sets[set];
      const auto added = std::count_if(items.begin(), items.end(), [&](std::uint32_t item) {
        return std::find(open.begin(), open.end(), item) == open.end();
      });
      // Of those that add as many, the one that shares the most.
      return open.empty() ? 0 : (added << 16) - static_cast<std::ptrdiff_t>(items.size());
    };
    const auto best =
        std::min_element(left.begin(), left.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return cost(a) < cost(b); });
    const auto items = of.sets[*best];
    places[*best] = place;
    filled += of.counts[*best];
    if (filled >= tile_size) open.clear();
    filled %= tile_size;
    if (filled > 0) open.insert(open.end(), items.begin(), items.end());
    left.erase(best);
  }
  return places;
}

}  // namespace

std::vector<std::uint32_t> order_curves(const Rows<std::uint32_t>& items,
                                        std::span<const double> places, std::size_t begin,
                                        std::size_t end) {
  const ItemSets sets = item_sets(items, begin, end);
  const std::vector<std::uint32_t> rank = chained(sets);
  std::vector<std::uint32_t> order(end - begin);
  std::iota(order.begin(), order.end(), static_cast<std::uint32_t>(begin));
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t x = rank[sets.set_of[a - begin]], y = rank[sets.set_of[b - begin]];
    if (x != y) return x < y;
    return places[a] != places[b] ? places[a] < places[b] : a < b;
  });
  while (order.size() % tile_size != 0) order.push_back(order.back());
  return order;
}

}  // namespace sinew::kernels
