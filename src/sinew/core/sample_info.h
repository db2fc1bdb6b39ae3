// SPDX-License-Identifier: Apache-2.0
// A line of a list of built-in things, characters or pictures.
#pragma once

#include <string_view>

namespace sinew {

struct SampleInfo {
  std::string_view name, description;
};

}  // namespace sinew
