// SPDX-License-Identifier: Apache-2.0
// Weights from one mesh to another that lies at the same place.
#pragma once

#include <cstddef>

#include "sinew/core/quat.h"
#include "sinew/mesh/mesh.h"
#include "sinew/weights/skin_weights.h"

namespace sinew {

// What counts as the same place on the other mesh.
struct TransferOptions {
  double max_distance = 0.05;      // of the source's bounding box's diagonal
  double max_angle = radians(60);  // between the normals of a vertex and its match
};

// The weights, and how they were come by.
struct Transferred {
  SkinWeights skin;
  std::size_t matched = 0;  // vertices of the target with a good match
  std::size_t filled = 0;   // without one: spread from matched ones over the surface
  std::size_t far = 0;      // in parts without any match: nearest point, whichever way it faces
  std::size_t paired_parts = 0;  // parts of the target that have their like in the source
};

// Each vertex of the target gets weights and endpoint weights interpolated at the nearest point of
// the source that is near enough and faces the same way; points that do not are passed over in
// favour of the next. Where the source has several parts (welded, connected), a part of the target
// that has its like there (each lies along at least 80% of the other; paired one to one so that
// distances are small overall) takes weights from that one alone, so that a shirt close to the skin
// is not mixed up with it. Vertices without a match are filled by smoothing over the target's
// surface from those that have one (the idea of Abdrashitov et al. 2023). Every vertex is covered
// and rows sum to 1. Bones are those of the source's skeleton, by number. Throws InputError for
// weights that do not fit the source or cover none of it, and for a mesh with an index out of
// range; UsageError for a distance or an angle that is not a number from 0 on.
Transferred transfer(const Mesh& source, const SkinWeights& skin, const Mesh& target,
                     const TransferOptions& options = {});

}  // namespace sinew
