// SPDX-License-Identifier: Apache-2.0
// The settings of offset curve deformation that a rig keeps. Plain data: it is read and written by
// builds without the method, too (see deform/offset_curve.h).
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/skeleton/indices.h"
#include "sinew/skin/filter.h"

namespace sinew {

// Artist controls of one influence curve. The defaults change nothing; the first four also change
// the shape at rest.
struct CurveControls {
  double along = 0;     // moves the offset curves along the twist axis, in mesh units
  double outward = 0;   // moves them away from the axis, in mesh units; never past the axis
  double rescale = 1;   // scales the bind parameter about the curve's middle
  double slide = 0;     // then shifts it, in fractions of the curve's length
  FilterCurve twist{};  // blend of a bone's two end twists along it
  FilterCurve scale{};  // blend of scale from the middle of each bone to the middle of the next

  friend bool operator==(const CurveControls&, const CurveControls&) = default;
};

// A chain of bones whose offset curves carry the skin. If one bone's tail is not the next one's
// head, the chain passes through their midpoint.
struct InfluenceCurve {
  std::vector<BoneIndex> bones;
  // The parent bone of the chain, or -1. If the two meet at an angle of less than 60 degrees at
  // bind, the curve starts with the parent bone. Otherwise it starts with a piece that extends the
  // first bone straight backwards and moves rigidly with the parent bone (a thigh in a pelvis).
  BoneIndex lead_in = no_bone;
  CurveControls controls{};

  friend bool operator==(const InfluenceCurve&, const InfluenceCurve&) = default;
};

// Which curves there are, and how they lie beside the bones.
struct OffsetCurves {
  // Arcs: the radius of the arc inside a bend, as a fraction of the point's distance from the bone
  // (times the cosine of half the bend angle); 0 makes a sharp crease.
  double roundness = 0.5;
  // Splines: control points lie at the joints and at this distance from them, in radii of the limb
  // there, but at most half a bone away. Must be positive. Bends do not fold on the inside up to an
  // angle of 2 atan(placement), by default 131 degrees.
  double placement = 2.2;
  std::vector<InfluenceCurve> curves{};  // empty: along all bones, see deform/default_curves.h
  // The weight of each of `curves` at each vertex, vertices x curves; rows are scaled to sum 1.
  // Empty, and where a row is 0: from the rig's bone weights or, if it has none, from the distance
  // to the curves.
  std::vector<double> painted_weights{};

  friend bool operator==(const OffsetCurves&, const OffsetCurves&) = default;
};

// Throws InputError naming the setting, curve or vertex that breaks a rule: a roundness below 0, a
// placement that is not positive, a curve without bones, with a bone that does not exist or is in
// it twice, controls that are not finite, painted weights that are not vertices x curves, finite
// and from 0 on.
void validate(const OffsetCurves& settings, std::size_t vertex_count, std::size_t bone_count);

}  // namespace sinew
