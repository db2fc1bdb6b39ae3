// SPDX-License-Identifier: Apache-2.0
// The bone that a vertex belongs to.
#pragma once

#include <optional>
#include <span>

#include "sinew/skin/weights.h"

namespace sinew::detail {

// The bone with at least nine tenths of the weight; nothing if the skin is blended.
std::optional<std::size_t> only_bone(std::span<const Influence> row);

}  // namespace sinew::detail
