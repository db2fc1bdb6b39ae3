// SPDX-License-Identifier: Apache-2.0
// One call of deform(), as the kernels see it.
#pragma once

#include <cstddef>

#include "sinew/kernels/detail/packed.h"
#include "sinew/kernels/detail/pose.h"
#include "sinew/kernels/output.h"

namespace sinew::kernels {

struct Job {
  const PackedRig* rig = nullptr;
  const PackedPlan* plan = nullptr;
  const PackedPose* pose = nullptr;
  Output output;
  bool streamed = false;  // non-temporal stores; only for tightly packed positions alone
};

// Each deforms the tiles [begin, end) with the best instruction set of the machine.
void deform_linear(const Job& job, std::size_t begin, std::size_t end) noexcept;
void deform_dual_quaternion(const Job& job, std::size_t begin, std::size_t end) noexcept;
void deform_mixed(const Job& job, std::size_t begin, std::size_t end) noexcept;
void deform_stretch_it(const Job& job, std::size_t begin, std::size_t end) noexcept;

}  // namespace sinew::kernels
