// SPDX-License-Identifier: Apache-2.0
// Strokes of a brush as values and as JSON (docs/files.md), so that painting can be replayed.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sinew/geometry/bvh.h"
#include "sinew/weights/brush.h"

namespace sinew {

// A point of a triangle of the mesh.
struct DabPoint {
  Index triangle = 0;
  Vec3 barycentric{1, 0, 0};  // sums to 1

  friend bool operator==(const DabPoint&, const DabPoint&) = default;
};

// Where a dab goes: to a point of a triangle, to the surface's point nearest to a place in mesh
// space, or where a ray first meets the surface.
using PaintDab = std::variant<DabPoint, Vec3, Ray>;

// One stroke: dabs of the same brush, in order.
struct PaintStroke {
  Brush brush{};       // its `bone` does not count
  std::string bone{};  // name or number, as find_bones() has it; may be empty if none is painted
  std::vector<PaintDab> dabs{};
};

// What a file of strokes has.
struct PaintStrokes {
  Plane mirror_plane{};  // of strokes that are mirrored
  std::vector<PaintStroke> strokes{};
};

// By the names that files have: "bone-weights", "subtract", "linear". Throw UsageError listing
// them.
PaintTarget paint_target_from_name(std::string_view name);
PaintMode paint_mode_from_name(std::string_view name);
Falloff falloff_from_name(std::string_view name);

// Throws UsageError for barycentric coordinates that are not those of a point of a triangle.
void require_in_triangle(const Vec3& barycentric);

// Throws InputError with a JSON pointer for anything that is missing, not known or out of range.
PaintStrokes parse_strokes(std::string_view json);

// Reading it back gives the same bits. Throws UsageError for a number that is not finite.
std::string strokes_to_json(const PaintStrokes& strokes);

}  // namespace sinew
