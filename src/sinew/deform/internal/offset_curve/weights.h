// SPDX-License-Identifier: Apache-2.0
// How much each influence curve counts at a point.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/internal/offset_curve/chain.h"
#include "sinew/deform/skin_rows.h"

namespace sinew::offset_curve {

// Painted: the vertex's row, scaled to sum 1 (all 0 where the row is).
// Else, where the point has bone weights: each curve gets the weights of its own bones. What the
// bone that a curve grows out of has there goes over to the curve, as much as the curve has of its
// own: a knuckle half on the hand and half on a finger follows the finger's curve alone.
// Else by distance, with the fourth power; at distance 0 the curves there share equally.
class CurveWeights {
 public:
  // Throws UsageError if `painted` is neither empty nor vertices x curves, or has values that are
  // negative or not finite.
  CurveWeights(std::span<const Chain> chains, std::span<const double> painted,
               std::size_t vertex_count, std::size_t bone_count);

  // `out` has one place per curve.
  void at(std::size_t vertex, const Vec3& p, std::span<const SkinInfluence> row,
          std::span<double> out) const;

 private:
  void from_bones(std::span<const SkinInfluence> row, std::span<double> out) const;

  std::span<const Chain> chains_;
  std::span<const double> painted_;
  std::vector<std::vector<int>> curves_of_bone_;  // the curves that have the bone as their own
  std::vector<std::vector<int>> curves_from_;     // the curves that grow out of the bone
};

}  // namespace sinew::offset_curve
