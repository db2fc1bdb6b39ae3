// SPDX-License-Identifier: Apache-2.0
// Turns triangles the same way round, so that inside and outside mean something.
#pragma once

#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// The triangles turned, and how many were.
struct Oriented {
  std::vector<Triangle> triangles;  // in the old order
  std::size_t turned = 0;           // how many run the other way now
};

// Makes triangles that share an edge with no third run along it in opposite ways, as far as the
// surface allows (not on a Moebius strip), and each patch of such triangles anticlockwise seen from
// outside: so that the volume it bounds, seen from its centre, is not negative. Goes by indices:
// hand in a welded mesh. Throws InputError for an index out of range.
Oriented orient(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles);

}  // namespace sinew
