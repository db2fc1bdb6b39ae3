// SPDX-License-Identifier: Apache-2.0
// The effect of one dab on the row of one vertex.
#pragma once

#include <optional>
#include <span>

#include "sinew/mesh/mesh.h"
#include "sinew/skeleton/mirror.h"
#include "sinew/weights/brush.h"
#include "sinew/weights/detail/row_mixer.h"

namespace sinew::detail {

// `amount` applies to the brush's bone, `mirrored` to its mirror partner; `around` are the vertex's
// neighbours, as row indices. The rows themselves are not changed.
class PaintRow {
 public:
  PaintRow(const Brush& brush, const BoneMirror& partners, const Locks& locks,
           const Skeleton& skeleton, std::span<const SkinRow> rows);

  void weights(Index vertex, std::span<const Index> around, const Vec3& position, double amount,
               double mirrored, SkinRow& result) const;
  // The weights of all unlocked bones sharpened; see WeightPainter.
  void sharpened(Index vertex, double amount, SkinRow& result) const;
  void endpoints(Index vertex, std::span<const Index> around, double amount, double mirrored,
                 SkinRow& result) const;

 private:
  double painted(double from, double amount, bool reversed, std::optional<double> mean) const;
  // The neighbours' mean endpoint weight of one kind, weighted by bone weight; nothing if no
  // neighbour follows the bone.
  std::optional<double> mean_around(std::span<const Index> around, int bone,
                                    double RowInfluence::*kind) const;

  const Brush& brush_;
  int partner_;
  bool reversed_;
  const Locks& locks_;
  const Skeleton& skeleton_;
  std::span<const SkinRow> rows_;
};

}  // namespace sinew::detail
