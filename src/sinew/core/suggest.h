// SPDX-License-Identifier: Apache-2.0
// Which of the names that there are somebody may have meant by one that there is not.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// The names nearest to `wanted`, best first, each once, at most `most`: those a few letters away
// (one for every three of `wanted`, at least one; swapped neighbours count as one), and those that
// hold it or are held by it. Upper and lower case are the same, and so are dots, dashes,
// underscores, colons and blanks. Empty names are nobody's.
std::vector<std::string> nearest_names(std::string_view wanted, std::span<const std::string> names,
                                       std::size_t most = 3);

// " (did you mean 'forearm.L' or 'forearm.R'?)", for the middle of a message; empty if no name is
// near.
std::string did_you_mean(std::string_view wanted, std::span<const std::string> names);

}  // namespace sinew
