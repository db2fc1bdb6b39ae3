// SPDX-License-Identifier: Apache-2.0
// Several pictures on one sheet, all seen by the same camera, with a caption under each.
#pragma once

#include <string>
#include <vector>

#include "sinew/draw/scene.h"

namespace sinew {

// A number of a caption.
struct SheetValue {
  std::string label, value;
  bool is_marked = false;  // in red
};

// One of the pictures.
struct SheetPanel {
  std::string title;
  Scene scene;
  std::vector<SheetValue> values;  // in two columns under the title
};

// What all pictures have in common.
struct SheetOptions {
  std::string title{};
  std::string note{};  // small, at the bottom; lines end with \n
  View view{};
  int columns = 0;            // 0: so that the sheet is about as wide as a page is high
  double panel_area = 1.6e5;  // pixels of each picture
  std::vector<Vec3> focus{};  // what the pictures must hold; empty: all surfaces
};

// One camera holds the focus in all panels; the pictures are as wide or high as it needs. Text
// that is too long for its place is cut. Throws UsageError without panels or where the sheet would
// be larger than an image can be, and as render() does.
Image draw_sheet(const std::vector<SheetPanel>& panels, const SheetOptions& options);

}  // namespace sinew
