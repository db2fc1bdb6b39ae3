// SPDX-License-Identifier: Apache-2.0
// The progress callback of every call: JavaScript's, by the number that it was given.
#include <emscripten.h>

#include "bindings/c/sinew.h"

// clang-format off
EM_JS(int, sinew_wasm_call_progress, (void* user, const char* stage, double fraction), {
  return Module["sinewProgress"](user >>> 0, stage >>> 0, fraction);
});
// clang-format on

// What to pass to functions that take a sinew_progress.
extern "C" sinew_progress sinew_wasm_progress() { return sinew_wasm_call_progress; }
