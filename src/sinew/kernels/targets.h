// SPDX-License-Identifier: Apache-2.0
// The instruction sets that the kernels were built for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// Those that this machine has, best first.
std::vector<std::string> kernel_targets();

// Makes the kernels use that one ("": the best again), for tests and comparisons; not while
// deform() runs. Throws UsageError if the machine has it not.
void use_kernel_target(std::string_view name);

}  // namespace sinew
