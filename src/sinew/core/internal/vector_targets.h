// SPDX-License-Identifier: Apache-2.0
// The instruction sets that kernels are built for. Include it before any header of Highway.
#pragma once

// Vectors whose length the compiler does not know cannot be members of structs. Machines that have
// them use their fixed-size instructions instead. SSSE3 would serve processors made before 2008
// alone, and cost every build a fifth of the time for kernels.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3)

// All parts of a kernel are inlined into one function; but not with the address sanitizer, where
// that would take the compiler minutes.
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
// The larger parts. WebAssembly is downloaded: there, methods share one copy of each.
#ifdef __EMSCRIPTEN__
#define SINEW_KERNEL_PART inline HWY_NOINLINE
#else
#define SINEW_KERNEL_PART SINEW_KERNEL_INLINE
#endif
