// SPDX-License-Identifier: Apache-2.0
// The picture of a comparison: one panel for each method, with its numbers.
#pragma once

#include <string>
#include <vector>

#include "sinew/deform/deform.h"
#include "sinew/draw/sheet.h"
#include "sinew/measure/measure.h"

namespace sinew::cli {

struct ComparisonSheet {
  std::string title;
  std::string view;  // empty: the front of flat shapes, three quarters of others
  double panel_area = 1.6e5;
  bool stripes = false;      // along the bones, which show how the surface turns about them
  std::vector<Index> focus;  // vertices that fill the pictures; empty: all
};

// `shapes` are the deformed shapes in the order of the results. What goes through itself, and did
// not at rest, is red, and so is what is distorted. A number is red where it lies nearer to the
// worst of all methods than to the best, and these are clearly apart, or where it is bad anyway.
Image draw_comparison(const Rig& rig, const Comparison& comparison,
                      const std::vector<Deformed>& shapes, const ComparisonSheet& options);

}  // namespace sinew::cli
