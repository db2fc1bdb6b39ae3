// SPDX-License-Identifier: Apache-2.0
// Input checks shared by the weight methods.
#pragma once

namespace sinew::detail {

// Throws UsageError unless `smallest` is in [0, 0.01], so that a row always keeps its largest
// weight.
void require_smallest(double smallest);

}  // namespace sinew::detail
