// SPDX-License-Identifier: Apache-2.0
// Lattices small enough that computing weights is fast even with sanitizers.
#pragma once

#include "sinew/weights/bbw.h"

namespace sinew {

inline constexpr BbwOptions small_bbw{.lattice_nodes = 1500};

}  // namespace sinew
