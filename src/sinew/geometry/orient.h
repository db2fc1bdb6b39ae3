// SPDX-License-Identifier: Apache-2.0
// Makes the winding order of triangles consistent, so that inside and outside are defined.
#pragma once

#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// The triangles turned, and how many were.
struct Oriented {
  std::vector<Triangle> triangles;  // in the same order
  std::size_t turned = 0;           // how many were flipped
};

// Triangles that share an edge with exactly one other are made to traverse it in opposite
// directions, as far as the surface allows (a Moebius strip does not). Then each connected patch is
// made counter-clockwise seen from outside: its signed volume about its own centre is not negative.
// Compares indices only: weld first. Throws InputError for an index out of range.
Oriented orient(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles);

}  // namespace sinew
