// SPDX-License-Identifier: Apache-2.0
// How each triangle is stretched, squeezed and sheared, and where that is more than the pose asks.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/mesh/mesh.h"
#include "sinew/skin/weights.h"

namespace sinew {

// The map from a triangle at rest to the deformed one is linear; a circle becomes an ellipse.
struct TriangleStrain {
  // At rest, in squares of the bounding box's diagonal; 0: it has none to rounding, and the rest of
  // this says nothing.
  double area = 0;
  double longest = 1;   // half axes of the ellipse that the unit circle becomes:
  double shortest = 1;  // the singular values of the map

  // How far right angles open or close at most, in radians from 0 (the shape is kept, whatever its
  // size) to a quarter turn (it has collapsed to a line): sin = (longest^2 - shortest^2) /
  // (longest^2 + shortest^2).
  double shear() const;
};

// One per triangle. A triangle that is less high than 1e-6 of the shape's bounding box has no area:
// what rounding does to it would count as strain.
//
// Throws UsageError if the numbers of positions differ, InputError for an index out of range or a
// coordinate that is not finite.
std::vector<TriangleStrain> triangle_strains(const std::vector<Triangle>& triangles,
                                             const std::vector<Vec3>& rest,
                                             const std::vector<Vec3>& deformed);

// What a triangle may do before it counts as distorted.
struct StrainBounds {
  double longest = 2;      // more: torn apart
  double shortest = 0.25;  // less: crushed. A bend has to squeeze what lies inside it
};

// For each triangle, the bounds above, counted from what the pose asks for: the most and the least
// that it stretches, scales or squeezes one of the bones that have a tenth of the weight at a
// corner.
//
// Throws UsageError where numbers of vertices, rows or bones differ.
std::vector<StrainBounds> strain_bounds(const std::vector<Triangle>& triangles,
                                        const Weights& weights, std::span<const BoneState> states);

// Of the whole surface.
struct Strain {
  double shear = 0;              // a thousandth of the surface is sheared more; radians
  double largest_shear = 0;      // of a triangle
  double distorted_area = 0;     // of the surface at rest: the share of these triangles:
  std::vector<Index> distorted;  // beyond their bounds, or out of place; ascending
  std::size_t triangles = 0;     // that were measured
  std::size_t no_area = 0;       // that were not
};

// `displaced` are triangles that count as distorted whatever their strain, ascending. Throws
// UsageError if there are not as many bounds as strains.
Strain summarize(std::span<const TriangleStrain> strains, std::span<const StrainBounds> bounds,
                 std::span<const Index> displaced = {});

}  // namespace sinew
