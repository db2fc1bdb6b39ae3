// SPDX-License-Identifier: Apache-2.0
#include "sinew/image/detail/prefix_code.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sinew::images {
namespace {

// A symbol, or two of these together.
struct Coin {
  std::uint64_t worth = 0;
  int symbol = -1;
  int first = -1, second = -1;
};

void count_symbols(const std::vector<Coin>& coins, int coin, std::vector<std::uint8_t>& lengths) {
  if (coins[coin].symbol >= 0) {
    ++lengths[coins[coin].symbol];
    return;
  }
  count_symbols(coins, coins[coin].first, lengths);
  count_symbols(coins, coins[coin].second, lengths);
}

}  // namespace

PrefixCode code_of(std::vector<std::uint8_t> lengths) {
  PrefixCode code{std::move(lengths), {}};
  code.bits.resize(code.length.size());
  unsigned next = 0;
  for (unsigned length = 1; length < 16; ++length, next *= 2) {
    for (std::size_t symbol = 0; symbol < code.length.size(); ++symbol) {
      if (code.length[symbol] != length) continue;
      unsigned reversed = 0;
      for (unsigned i = 0; i < length; ++i) reversed |= (next >> i & 1) << (length - 1 - i);
      code.bits[symbol] = static_cast<std::uint16_t>(reversed);
      ++next;
    }
  }
  return code;
}

// The coin collector's problem (Larmore and Hirschberg 1990): a symbol of n bits is bought with n
// coins of one symbol's worth, from the smallest denomination up, in packages of two.
PrefixCode best_code(std::span<const std::uint32_t> counts, int longest) {
  std::vector<Coin> coins;
  for (std::size_t symbol = 0; symbol < counts.size(); ++symbol) {
    if (counts[symbol] > 0) coins.push_back({counts[symbol], static_cast<int>(symbol)});
  }
  for (int symbol = 0; coins.size() < 2; ++symbol) {
    if (counts[symbol] == 0) coins.push_back({1, symbol});
  }
  std::stable_sort(coins.begin(), coins.end(),
                   [](const Coin& a, const Coin& b) { return a.worth < b.worth; });
  const std::size_t symbols = coins.size();
  std::vector<int> list, packages;
  for (int level = 0; level < longest; ++level) {
    // Both are in order; of equal worth, symbols come first.
    std::vector<int> merged;
    std::size_t package = 0;
    for (std::size_t i = 0; i < symbols; ++i) {
      while (package < packages.size() && coins[packages[package]].worth < coins[i].worth) {
        merged.push_back(packages[package++]);
      }
      merged.push_back(static_cast<int>(i));
    }
    merged.insert(merged.end(), packages.begin() + static_cast<std::ptrdiff_t>(package),
                  packages.end());
    list = std::move(merged);
    packages.clear();
    for (std::size_t i = 0; i + 1 < list.size(); i += 2) {
      packages.push_back(static_cast<int>(coins.size()));
      coins.push_back({coins[list[i]].worth + coins[list[i + 1]].worth, -1, list[i], list[i + 1]});
    }
  }
  std::vector<std::uint8_t> lengths(counts.size());
  for (std::size_t i = 0; i < 2 * symbols - 2; ++i) count_symbols(coins, list[i], lengths);
  return code_of(std::move(lengths));
}

}  // namespace sinew::images
