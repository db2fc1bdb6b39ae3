// SPDX-License-Identifier: Apache-2.0
// Weights of one side of a shape for the other, or the mean of both.
#pragma once

#include <cstddef>

#include "sinew/core/plane.h"
#include "sinew/mesh/mesh.h"
#include "sinew/skeleton/mirror.h"
#include "sinew/weights/skin_weights.h"

namespace sinew {

// Which side is right.
enum class MirrorFrom {
  positive,  // the side that the plane's normal points to is copied to the other
  negative,  // the other way round
  both,      // each side gets the mean of both
};

// What is mirrored where, and what counts as the same place.
struct MirrorOptions {
  Plane plane = {};  // in mesh space; x = 0 if nothing is said
  MirrorFrom from = MirrorFrom::positive;
  double tolerance = 1e-4;        // of the bounding box's diagonal: for vertices
  double bone_tolerance = 0.005;  // of the skeleton's extent: see mirror_bones
};

// The weights, and what had no mirror image.
struct Mirrored {
  SkinWeights skin;
  std::size_t unpaired_vertices = 0;
  std::size_t unpaired_bones = 0;  // see BoneMirror
};

// A vertex gets the row of the vertex at its mirror image on the surface, bones replaced by their
// partners. Where no vertex is within the tolerance of that place, the row is interpolated from the
// nearest point of the surface that faces the same way (or, if none does, the nearest at all), and
// the vertex is counted as unpaired. So is one whose image has no weights: it keeps its own.
// Vertices on the plane, to the tolerance, become the mean of their row and its mirror image. A
// bone across the plane that is its own partner turned round exchanges its endpoint weights e for 1
// - e. Rows that are computed sum to 1. Throws InputError for weights that do not fit and as
// mirror_bones(), UsageError for a plane without a normal and tolerances that are not numbers from
// 0 on.
Mirrored mirror(const Mesh& mesh, const Skeleton& skeleton, const SkinWeights& skin,
                const MirrorOptions& options = {});

}  // namespace sinew
