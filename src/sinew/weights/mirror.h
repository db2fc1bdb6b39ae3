// SPDX-License-Identifier: Apache-2.0
// Mirrors weights from one side of a shape to the other, or averages both sides.
#pragma once

#include <vector>

#include "sinew/core/plane.h"
#include "sinew/mesh/mesh.h"
#include "sinew/skeleton/mirror.h"
#include "sinew/skin/skin.h"

namespace sinew {

// Which side is right.
enum class MirrorFrom {
  positive,  // the side that the plane's normal points to is copied to the other
  negative,  // the other way round
  both,      // each side gets the mean of both
};

// What is mirrored where, and what counts as the same place.
struct MirrorOptions {
  Plane plane = {};  // in mesh space; by default x = 0
  MirrorFrom from = MirrorFrom::positive;
  double tolerance = 1e-4;        // for vertices, relative to the bounding box diagonal
  double bone_tolerance = 0.005;  // relative to the skeleton's extent; see mirror_bones
};

// The weights, and what had no mirror image.
struct Mirrored {
  Skin skin;
  std::vector<Index> unpaired_vertices;   // ascending
  std::vector<BoneIndex> unpaired_bones;  // see BoneMirror
};

// A vertex gets the row of the vertex at its mirror image, with bones replaced by their mirror
// partners. If no vertex lies within the tolerance of the mirror image, the row is interpolated at
// the nearest surface point that faces the same way (or, if none does, at the nearest surface
// point), and the vertex counts as unpaired. If the mesh has several connected parts, as gloves
// over hands, and the mirror image of a part lies along another or itself (as in transfer()), only
// that part is looked at. A vertex whose mirror image has no weights also counts as unpaired and
// keeps its own row. Vertices on the plane, within the tolerance, get the mean of their row and its
// mirror image. For a bone that crosses the plane and is its own partner reversed, an endpoint
// weight e becomes 1 - e. Computed rows sum to 1; filters and blend shares stay. Throws InputError
// for weights that do not fit and as mirror_bones(), UsageError for a plane without a normal and
// for negative or NaN tolerances.
Mirrored mirror(const Mesh& mesh, const Skeleton& skeleton, const Skin& skin,
                const MirrorOptions& options = {});

}  // namespace sinew
