// SPDX-License-Identifier: Apache-2.0
// The instruction sets to build the kernels for; to be included before any header of Highway.
#pragma once

// Vectors whose length is unknown to the compiler cannot be members of structs; those machines run
// the fixed-size instructions that they have as well.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
