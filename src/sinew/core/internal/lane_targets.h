// SPDX-License-Identifier: Apache-2.0
// The instruction sets that lanes-inl.h is built for. Include it before any header of Highway.
#pragma once

#include "sinew/core/internal/vector_targets.h"

// Its vectors are the compiler's own, for which these two are no better than what every x86-64 has.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | HWY_SSE4)
