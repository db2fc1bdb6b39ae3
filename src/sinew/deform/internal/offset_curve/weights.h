// SPDX-License-Identifier: Apache-2.0
// The weights of the influence curves at a point.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/internal/offset_curve/chain.h"
#include "sinew/deform/skin_rows.h"

namespace sinew::offset_curve {

// If painted: the vertex's row, scaled to sum 1. Where nothing is painted (a row of 0 counts as
// that), and the point has bone weights: each curve gets the weights of its own bones, and takes
// over the weight of its lead-in bone, up to as much as it has itself: a knuckle half on the hand
// and half on a finger follows the finger's curve alone. Else by the inverse fourth power of the
// distance; curves at distance 0 share equally.
class CurveWeights {
 public:
  // `painted` is empty or vertices x curves, valid as OffsetCurves has it.
  CurveWeights(std::span<const Chain> chains, std::span<const double> painted,
               std::size_t bone_count);

  // `out` has one entry per curve.
  void at(std::size_t vertex, const Vec3& p, std::span<const SkinInfluence> row,
          std::span<double> out) const;

 private:
  void from_bones(std::span<const SkinInfluence> row, std::span<double> out) const;

  std::span<const Chain> chains_;
  std::span<const double> painted_;
  std::vector<std::vector<int>> curves_of_bone_;  // the curves whose own bones include this one
  std::vector<std::vector<int>> curves_from_;     // the curves whose lead-in is this bone
};

}  // namespace sinew::offset_curve
