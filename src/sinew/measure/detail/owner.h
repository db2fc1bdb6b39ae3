// SPDX-License-Identifier: Apache-2.0
// Whose skin a vertex is.
#pragma once

#include <optional>
#include <span>

#include "sinew/skin/weights.h"

namespace sinew::detail {

// The bone that has at least nine tenths of the weight; none where the skin is blended.
std::optional<std::size_t> only_bone(std::span<const Influence> row);

}  // namespace sinew::detail
