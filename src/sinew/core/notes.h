// SPDX-License-Identifier: Apache-2.0
// Notes for people: what is said of many things alike is said once.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace sinew {

// The notes in their order, those that differ in numbers and in 'quoted' names alone taken
// together: the first of them, with " (x 37)" behind it.
std::vector<std::string> grouped_notes(std::span<const std::string> notes);

}  // namespace sinew
