// SPDX-License-Identifier: Apache-2.0
// "Did you mean": suggestions for a name that does not exist.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// The names most similar to `wanted`, best first, without duplicates, at most `most`: names within
// a small edit distance (one edit per three letters of `wanted`, at least one; swapping two
// neighbouring letters is one edit), and names that contain it or are contained in it. Case is
// ignored; dots, dashes, underscores, colons and blanks are equivalent. Empty names never match.
std::vector<std::string> nearest_names(std::string_view wanted, std::span<const std::string> names,
                                       std::size_t most = 3);

// " (did you mean 'forearm.L' or 'forearm.R'?)", to be appended to part of a message; empty if no
// name is similar.
std::string did_you_mean(std::string_view wanted, std::span<const std::string> names);

}  // namespace sinew
