// SPDX-License-Identifier: Apache-2.0
// Lattices so small that solving for weights in them takes little time, with sanitizers too.
#pragma once

#include "sinew/weights/bbw.h"

namespace sinew {

inline constexpr BbwOptions small_bbw{.lattice_nodes = 1500};

}  // namespace sinew
