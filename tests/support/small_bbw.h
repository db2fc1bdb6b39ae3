// SPDX-License-Identifier: Apache-2.0
// Lattices so small that solving for weights in them takes little time, with sanitizers too.
#pragma once

#include "sinew/weights/bbw.h"
#include "tests/support/sanitized.h"

namespace sinew {

inline constexpr BbwOptions small_bbw{.lattice_nodes = 1500};

// For tests of many meshes: what sanitizers look for is in the smallest lattices, too.
inline constexpr std::size_t few_nodes = sanitized ? 400 : 1500;

}  // namespace sinew
