// SPDX-License-Identifier: Apache-2.0
// Of the C interface's own functions, those that the runtime module needs of its part for files.
#include "bindings/c/src/rig.h"

namespace sinew::c {

// No file can be read, so there is none to forget.
void forget_source(Model&) {}

}  // namespace sinew::c
