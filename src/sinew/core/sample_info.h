// SPDX-License-Identifier: Apache-2.0
// An entry in the list of built-in characters or pictures.
#pragma once

#include <string_view>

namespace sinew {

// What it is called, and a line about it.
struct SampleInfo {
  std::string_view name, description;
};

}  // namespace sinew
