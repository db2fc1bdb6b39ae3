// SPDX-License-Identifier: Apache-2.0
// In place of std::__throw_system_error(), which locks call where they cannot be had. With one
// thread that does not happen, and saying in words why would be 5 KB of the runtime module,
// printf() among them.
#include <cstdlib>

extern "C" [[noreturn]] void __wrap__ZNSt3__220__throw_system_errorEiPKc(int, const char*) {
  std::abort();
}
