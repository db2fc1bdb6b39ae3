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

#if HWY_TARGETS == HWY_STATIC_TARGET
// Built for one instruction set: there is nothing to detect, nor to choose from.
std::int64_t detected() { return HWY_STATIC_TARGET; }
void choose(std::int64_t) {}
#else
std::int64_t detected() { return hwy::SupportedTargets() & HWY_TARGETS; }

// 0: the best.
void choose(std::int64_t target) {
  hwy::SetSupportedTargetsForTest(target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}
#endif

// The better an instruction set, the lower its bit.
std::vector<std::int64_t> supported() {
  std::vector<std::int64_t> targets;
  for (std::int64_t left = detected(); left != 0; left &= left - 1) {
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
  choose(0);
  if (name.empty()) return;
  for (const std::int64_t target : supported()) {
    if (name != hwy::TargetName(target)) continue;
    choose(target);
    return;
  }
  throw UsageError(
      formatted("the machine has no {}; it has {}", name, joined(kernel_targets(), ", ")));
}

}  // namespace sinew
