// SPDX-License-Identifier: Apache-2.0
// Notes for users, with repeated ones merged.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace sinew {

// The notes in order. Notes that differ only in numbers and 'quoted' names are merged into the
// first of them, with " (x 37)" appended.
std::vector<std::string> grouped_notes(std::span<const std::string> notes);

}  // namespace sinew
