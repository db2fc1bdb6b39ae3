// SPDX-License-Identifier: Apache-2.0
// A step that smooths weights along the surface.
#pragma once

#include <string>

#include "sinew/edit/editing.h"
#include "sinew/edit/step_text.h"

namespace sinew {

// Moves vertices halfway towards the mean of their neighbours, so many times: bone weights and
// endpoint weights (see weights/smooth.h). Where only some copies of a vertex along a seam may
// change, none does, so that no crack opens.
struct SmoothStep {
  int iterations = 1;
  std::string where{};  // see where.h; empty: everywhere

  // As each step has them: see edit.h.
  static StepForm form();
  static SmoothStep parse(const StepText& text);
  std::string arguments() const;
  void apply(Editing& editing) const;
};

}  // namespace sinew
