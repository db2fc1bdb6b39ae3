// SPDX-License-Identifier: Apache-2.0
// How much the volume of a shape changes.
#pragma once

#include <optional>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// The volume before and after, of all parts together.
struct VolumeChange {
  double rest = 0;      // of the parts that count, cubic units
  double deformed = 0;  // of the same; what is turned inside out counts as negative
  std::size_t parts = 0;
  std::size_t open_parts = 0;  // of those, the ones that had to be closed
  std::size_t left_out = 0;

  // 0: as at rest; -0.1: a tenth is lost.
  double change() const { return deformed / rest - 1; }
};

// Vertices at the same place at rest are joined, and triangles turned the same way round, each
// connected part with a positive volume at rest. Parts with holes are closed by fans from the
// middle of each hole's rim. A part does not count, because it is a sheet and no solid, where the
// fans are more than half as large as itself or its volume is below 1e-9 of its area times the
// shape's extent. Nothing where no part counts (a flat shape). Nested parts add up.
//
// Throws UsageError if the numbers of positions differ, InputError for an index out of range or a
// coordinate that is not finite.
std::optional<VolumeChange> volume_change(const std::vector<Triangle>& triangles,
                                          const std::vector<Vec3>& rest,
                                          const std::vector<Vec3>& deformed);

}  // namespace sinew
