// SPDX-License-Identifier: Apache-2.0
// Measures how much the volume of a shape changes.
#pragma once

#include <optional>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// The volume before and after, of all parts together.
struct VolumeChange {
  double rest = 0;      // of the parts measured, cubic units
  double deformed = 0;  // of the same parts; regions turned inside out count as negative
  std::size_t parts = 0;
  std::size_t open_parts = 0;  // parts whose holes were closed
  std::size_t left_out = 0;

  // 0: as at rest; -0.1: a tenth is lost.
  double change() const { return deformed / rest - 1; }
};

// Vertices at the same position at rest are merged, and triangles are oriented consistently so that
// each connected part has a positive volume at rest. Holes are closed by fans from the centroid of
// their rim. A part is ignored as a sheet rather than a solid if the area of the fans is more than
// half its own or its volume is below 1e-9 of its area times the shape's extent. Nothing if no part
// is left (a flat shape). Volumes of nested parts add up.
//
// Throws UsageError if the numbers of positions differ, InputError for an index out of range or a
// coordinate that is not finite.
std::optional<VolumeChange> volume_change(const std::vector<Triangle>& triangles,
                                          const std::vector<Vec3>& rest,
                                          const std::vector<Vec3>& deformed);

}  // namespace sinew
