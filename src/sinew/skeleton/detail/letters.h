// SPDX-License-Identifier: Apache-2.0
// ASCII letters in names, independent of the locale.
#pragma once

namespace sinew::detail {

inline bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
inline bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
inline bool is_letter(char c) { return is_upper(c) || is_lower(c); }

}  // namespace sinew::detail
