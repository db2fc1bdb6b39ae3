// SPDX-License-Identifier: Apache-2.0
// What weight methods ask of what they are given.
#pragma once

namespace sinew::detail {

// Throws UsageError unless it is in [0, 0.01]: a row always keeps its largest weight.
void require_smallest(double smallest);

}  // namespace sinew::detail
