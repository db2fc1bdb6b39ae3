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
  std::string note{};  // small print at the bottom; lines end with \n
  View view{};
  int columns = 0;            // 0: chosen for a landscape sheet
  double panel_area = 1.6e5;  // pixels of each picture
  std::vector<Vec3> focus{};  // points that all pictures must show; empty: all surfaces
};

// One camera frames the focus of all panels, and determines the pictures' aspect ratio. Text that
// is too long is cut off. Throws UsageError if there are no panels or the sheet would exceed the
// largest image size, and as render() does.
Image draw_sheet(const std::vector<SheetPanel>& panels, const SheetOptions& options);

}  // namespace sinew
