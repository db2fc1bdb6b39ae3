// SPDX-License-Identifier: Apache-2.0
// Whether the tests run under the address or the thread sanitizer, which make them ten times
// slower.
#pragma once

namespace sinew {

#if defined(__has_feature)
#define SINEW_TESTS_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SINEW_TESTS_SANITIZED 1
#else
#define SINEW_TESTS_SANITIZED 0
#endif
inline constexpr bool sanitized = SINEW_TESTS_SANITIZED;
#undef SINEW_TESTS_SANITIZED

}  // namespace sinew
