// SPDX-License-Identifier: Apache-2.0
// In the module of the runtime alone, which reads no files, no rig comes from one.
#include "bindings/c/src/rig.h"

namespace sinew::c {

void forget_source(Model&) {}

}  // namespace sinew::c
