// SPDX-License-Identifier: Apache-2.0
// What weight methods ask of what they are given.
#pragma once

#include <cstddef>

#include "sinew/weights/weights.h"

namespace sinew::detail {

// Throws InputError unless there is one row per vertex with bones that exist.
void require_rows(const Weights& weights, std::size_t vertex_count, std::size_t bone_count);

// Throws UsageError unless it is in [0, 0.01]: a row always keeps its largest weight.
void require_smallest(double smallest);

}  // namespace sinew::detail
