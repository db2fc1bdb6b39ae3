// SPDX-License-Identifier: Apache-2.0
// clang-format off: the targets must be set before Highway's headers are included.
#include "sinew/core/internal/vector_targets.h"
// clang-format on

#include <hwy/highway.h>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/kernels/targets.h"

namespace sinew {
namespace {

// The better an instruction set, the lower its bit.
std::vector<std::int64_t> supported() {
  std::vector<std::int64_t> targets;
  for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1) {
    targets.push_back(left & -left);
  }
  return targets;
}

}  // namespace

std::vector<std::string> kernel_targets() {
  std::vector<std::string> names;
  for (const std::int64_t target : supported()) names.emplace_back(hwy::TargetName(target));
  return names;
}

void use_kernel_target(std::string_view name) {
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  if (name.empty()) return;
  for (const std::int64_t target : supported()) {
    if (name != hwy::TargetName(target)) continue;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    return;
  }
  throw UsageError(
      formatted("the machine has no {}; it has {}", name, joined(kernel_targets(), ", ")));
}

}  // namespace sinew
