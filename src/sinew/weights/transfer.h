// SPDX-License-Identifier: Apache-2.0
// Transfers weights from one mesh to another at the same position in space.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/core/quat.h"
#include "sinew/mesh/mesh.h"
#include "sinew/skin/skin.h"

namespace sinew {

// What counts as the same place on the other mesh.
struct TransferOptions {
  double max_distance = 0.05;      // relative to the diagonal of the source's bounding box
  double max_angle = radians(60);  // between the normals of a vertex and its match
};

// The weights, and how they were come by.
struct Transferred {
  Skin skin;
  std::size_t matched = 0;  // target vertices with a match
  // Target vertices without one, ascending: spread over the surface from matched vertices; and in
  // parts without any match, from the nearest point, facing any direction.
  std::vector<Index> filled;
  std::vector<Index> far;
  std::size_t paired_parts = 0;  // target parts with a corresponding source part
};

// Each vertex of the target gets weights and endpoint weights interpolated at the nearest point of
// the source that is within the distance and faces the same way. If the source has several
// connected parts (after welding), a part of the target with a corresponding part in the source
// (each lies along at least 80% of the other; paired one to one so that distances are small
// overall) takes weights from that part only, so that a shirt close to the skin does not pick up
// the skin's weights. Vertices without a match are filled by smoothing over the target's surface
// from those that have one (the idea of Abdrashitov et al. 2023). Every vertex is covered and rows
// sum to 1. Bones are those of the source's skeleton, by number, with their filters; blend shares
// are left out. Throws InputError for weights that
// do not fit the source or cover none of it, and for a mesh with an index out of range; UsageError
// for a negative or NaN distance or angle.
Transferred transfer(const Mesh& source, const Skin& skin, const Mesh& target,
                     const TransferOptions& options = {});

}  // namespace sinew
