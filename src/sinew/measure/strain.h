// SPDX-License-Identifier: Apache-2.0
// How much each triangle is stretched, compressed and sheared, and where that exceeds what the pose
// requires.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/mesh/mesh.h"
#include "sinew/skin/weights.h"

namespace sinew {

// The linear map from a triangle at rest to the deformed one; it takes a circle to an ellipse.
struct TriangleStrain {
  // At rest, in units of the squared bounding box diagonal. 0 if it has no area up to rounding; the
  // other members are then meaningless.
  double area = 0;
  double longest = 1;   // semi-axes of the image of the unit circle:
  double shortest = 1;  // the singular values of the map

  // The largest change of a right angle, in radians: from 0 (shape preserved, at any size) to a
  // quarter turn (collapsed to a line). Its sine is (longest^2 - shortest^2) / (longest^2 +
  // shortest^2).
  double shear() const;
};

// One per triangle. A triangle whose height is below 1e-6 of the shape's bounding box counts as
// having no area, since rounding would show up as strain.
//
// Throws UsageError if the numbers of positions differ, InputError for an index out of range or a
// coordinate that is not finite.
std::vector<TriangleStrain> triangle_strains(const std::vector<Triangle>& triangles,
                                             const std::vector<Vec3>& rest,
                                             const std::vector<Vec3>& deformed);

// Limits beyond which a triangle counts as distorted.
struct StrainBounds {
  double longest = 2;      // more: torn apart
  double shortest = 0.25;  // less: crushed. A bend must compress its inner side
};

// For each triangle, the bounds above, relative to what the pose requires: the largest and smallest
// factor by which it stretches, scales or swells any bone with at least a tenth of the weight at a
// corner.
//
// Throws UsageError where numbers of vertices, rows or bones differ.
std::vector<StrainBounds> strain_bounds(const std::vector<Triangle>& triangles,
                                        const Weights& weights, std::span<const BoneState> states);

// Of the whole surface.
struct Strain {
  double shear = 0;              // radians; a thousandth of the surface is sheared more than this
  double largest_shear = 0;      // of a triangle
  double distorted_area = 0;     // fraction of the rest surface in `distorted`
  std::vector<Index> distorted;  // triangles beyond their bounds, or displaced; ascending
  std::size_t triangles = 0;     // number measured
  std::size_t no_area = 0;       // number not measured
};

// `displaced` are triangles, ascending, that count as distorted regardless of their strain. Throws
// UsageError if there are not as many bounds as strains.
Strain summarize(std::span<const TriangleStrain> strains, std::span<const StrainBounds> bounds,
                 std::span<const Index> displaced = {});

}  // namespace sinew
