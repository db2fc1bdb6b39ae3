// SPDX-License-Identifier: Apache-2.0
// Numbers of nodes, rows and bones, which are ints: no such one is -1.
#pragma once

#include <cstddef>

namespace sinew::detail {

inline constexpr int none = -1;

inline std::size_t at(int number) { return static_cast<std::size_t>(number); }

}  // namespace sinew::detail
