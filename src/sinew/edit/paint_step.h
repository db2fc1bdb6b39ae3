// SPDX-License-Identifier: Apache-2.0
// A step that replays strokes of a brush.
#pragma once

#include <string>

#include "sinew/edit/editing.h"
#include "sinew/edit/step_text.h"
#include "sinew/edit/strokes.h"

namespace sinew {

// Paints as WeightPainter does, with the locks in force: the same strokes on the same rig give the
// same bits. Facts: "strokes", "dabs", and "missed_dabs", rays that meet no surface. Errors name
// the place in the file of strokes, as InputError.
struct PaintStep {
  PaintStrokes strokes{};
  std::string name{};  // of the file, for the report and for errors

  // As each step has them: see edit.h.
  static StepForm form();
  static PaintStep parse(const StepText& text);
  std::string arguments() const;
  void apply(Editing& editing) const;
};

}  // namespace sinew
