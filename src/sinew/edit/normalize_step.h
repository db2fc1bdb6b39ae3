// SPDX-License-Identifier: Apache-2.0
// A step that scales weights to sum 1.
#pragma once

#include <string>

#include "sinew/edit/editing.h"
#include "sinew/edit/step_text.h"

namespace sinew {

// Scales the weights of each vertex that are not locked, so that all of them sum to 1; sums that
// are as near to 1 as floats are stay. Facts: "without_weights", vertices that have none.
struct NormalizeStep {
  std::string where{};  // see where.h; empty: everywhere

  // As each step has them: see edit.h.
  static StepForm form();
  static NormalizeStep parse(const StepText& text);
  std::string arguments() const;
  void apply(Editing& editing) const;
};

}  // namespace sinew
