// SPDX-License-Identifier: Apache-2.0
// Nodes, rows and bones are numbered by ints; -1 means "none".
#pragma once

#include <cstddef>

namespace sinew::detail {

inline constexpr int none = -1;

inline std::size_t at(int number) { return static_cast<std::size_t>(number); }

}  // namespace sinew::detail
