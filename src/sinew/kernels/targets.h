// SPDX-License-Identifier: Apache-2.0
// The instruction sets of the kernels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// The instruction sets that the kernels were built for and this machine supports, best first.
std::vector<std::string> kernel_targets();

// Makes the kernels use the given instruction set ("": the best one), for tests and comparisons.
// Must not be called while deform() runs. Throws UsageError if the machine does not support it.
void use_kernel_target(std::string_view name);

}  // namespace sinew
