// SPDX-License-Identifier: Apache-2.0
// The instruction sets to build the kernels for; to be included before any header of Highway.
#pragma once

// Vectors whose length is unknown to the compiler cannot be members of structs; those machines run
// the fixed-size instructions that they have as well.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

// What a kernel is made of becomes one function; but not where every access is checked, which would
// take compilers minutes.
#if defined(__has_feature)
#define SINEW_KERNEL_CHECKED __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define SINEW_KERNEL_CHECKED 1
#else
#define SINEW_KERNEL_CHECKED 0
#endif
#if SINEW_KERNEL_CHECKED
#define SINEW_KERNEL_INLINE inline
#else
#define SINEW_KERNEL_INLINE HWY_INLINE
#endif
