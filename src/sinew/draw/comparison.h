// SPDX-License-Identifier: Apache-2.0
// The picture of a comparison: one panel for each method, with its numbers.
#pragma once

#include <string>
#include <vector>

#include "sinew/deform/deform.h"
#include "sinew/draw/sheet.h"
#include "sinew/measure/measure.h"
#include "sinew/rig/rig.h"

namespace sinew {

// How a comparison is drawn.
struct ComparisonSheet {
  std::string title;
  std::string view;  // empty: the front of flat shapes, three quarters of others
  double panel_area = 1.6e5;
  bool stripes = false;      // stripes along the bones, which show how the surface twists
  std::vector<Index> focus;  // vertices to frame; empty: all
};

// `shapes` are the deformed shapes in the order of the results. Triangles that intersect but did
// not at rest are red, and so are distorted ones. A number is red if it is closer to the worst of
// all methods than to the best and these differ clearly, or if it is bad in absolute terms. Throws
// UsageError for a view that does not exist, and as draw_sheet().
Image draw_comparison(const Rig& rig, const Comparison& comparison,
                      const std::vector<Deformed>& shapes, const ComparisonSheet& options);

}  // namespace sinew
