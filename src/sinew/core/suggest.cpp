// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/suggest.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace sinew {
namespace {

// Names in files may have any length; only this many characters are compared.
constexpr std::size_t longest = 64;

std::string plain(std::string_view name) {
  std::string result;
  for (const char c : name.substr(0, longest)) {
    const bool separates = std::string_view("._-: ").find(c) != std::string_view::npos;
    result += separates ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

// The edit distance: insertions, deletions, replacements and swaps of neighbouring letters.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view wanted, std::span<const std::string> names,
                                       std::size_t most) {
  const std::string asked = plain(wanted);
  const std::size_t farthest = std::max<std::size_t>(asked.size() / 3, 1);
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& name : names) {
    const std::string known = plain(name);
    if (known.empty() || asked.empty()) continue;
    std::size_t distance = edit_distance(asked, known);
    const bool holds = known.find(asked) != std::string::npos ||
                       (known.size() > 2 && asked.find(known) != std::string::npos);
    if (holds) distance = std::min(distance, farthest);
    const bool is_new = std::none_of(near.begin(), near.end(),
                                     [&](const auto& other) { return other.second == name; });
    if (distance <= farthest && is_new) near.emplace_back(distance, name);
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> result;
  for (std::size_t i = 0; i < std::min(most, near.size()); ++i) result.push_back(near[i].second);
  return result;
}

std::string did_you_mean(std::string_view wanted, std::span<const std::string> names) {
  const std::vector<std::string> near = nearest_names(wanted, names);
  std::string text;
  for (std::size_t i = 0; i < near.size(); ++i) {
    text += i == 0 ? " (did you mean " : i + 1 < near.size() ? ", " : " or ";
    text += "'" + near[i] + "'";
  }
  return text.empty() ? text : text + "?)";
}

}  // namespace sinew
