// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/notes.h"

#include <cctype>
#include <cstddef>
#include <map>

namespace sinew {
namespace {

// The note without digits and quoted names: equal for notes that can be merged.
std::string kind_of(const std::string& note) {
  std::string kind;
  for (std::size_t i = 0; i < note.size(); ++i) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(note[i])) != 0;
    if (is_digit && !kind.empty() && kind.back() == '0') continue;
    kind += is_digit ? '0' : note[i];
    const std::size_t end = note[i] == '\'' ? note.find('\'', i + 1) : std::string::npos;
    if (end != std::string::npos) i = end;
  }
  return kind;
}

}  // namespace

std::vector<std::string> grouped_notes(std::span<const std::string> notes) {
  std::vector<std::string> grouped;
  std::vector<std::size_t> counts;
  std::map<std::string, std::size_t> places;
  for (const std::string& note : notes) {
    const auto [place, is_new] = places.try_emplace(kind_of(note), grouped.size());
    if (is_new) {
      grouped.push_back(note);
      counts.push_back(0);
    }
    ++counts[place->second];
  }
  for (std::size_t i = 0; i < grouped.size(); ++i) {
    if (counts[i] > 1) grouped[i] += " (x " + std::to_string(counts[i]) + ")";
  }
  return grouped;
}

}  // namespace sinew
