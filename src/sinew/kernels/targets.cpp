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
std::int64_t detected() {
  // Asked for once, before one is chosen: then Highway knows of that one alone.
  static const std::int64_t all = hwy::SupportedTargets() & HWY_TARGETS;
  return all;
}

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

// As people call them: Highway's AVX3 is avx512, and one number at a time is what SSE2 does, which
// every x86-64 processor has.
std::string name_of(std::int64_t target) {
  std::string name = hwy::TargetName(target);
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (name.starts_with("avx3")) name.replace(0, 4, "avx512");
#ifdef __x86_64__
  if (name == "scalar") name = "sse2";
#endif
  return name;
}

}  // namespace

std::vector<std::string> kernel_targets() {
  std::vector<std::string> names;
  for (const std::int64_t target : supported()) names.push_back(name_of(target));
  return names;
}

void use_kernel_target(std::string_view name) {
  choose(0);
  if (name.empty()) return;
  for (const std::int64_t target : supported()) {
    if (name != name_of(target)) continue;
    choose(target);
    return;
  }
  throw UsageError(
      formatted("the machine has no {}; it has {}", name, joined(kernel_targets(), ", ")));
}

}  // namespace sinew
