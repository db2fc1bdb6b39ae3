// SPDX-License-Identifier: Apache-2.0
// A step that removes a blend shape.
#pragma once

#include <string>

#include "sinew/edit/editing.h"
#include "sinew/edit/step_text.h"

namespace sinew {

// Removes the blend shapes of that name or, if there are none, the one with that number; and with
// them what drives them: channels of clips, drivers, examples of pose spaces. Shapes behind them
// move up. Fact: "removed_shapes".
struct RemoveShapeStep {
  std::string shape{};

  // As each step has them: see edit.h.
  static StepForm form();
  static RemoveShapeStep parse(const StepText& text);
  std::string arguments() const;
  void apply(Editing& editing) const;
};

}  // namespace sinew
