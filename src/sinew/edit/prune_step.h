// SPDX-License-Identifier: Apache-2.0
// A step that limits the number of bones per vertex.
#pragma once

#include <string>

#include "sinew/edit/editing.h"
#include "sinew/edit/step_text.h"

namespace sinew {

// Keeps the largest weights of each vertex, and all locked ones (see weights/prune.h). Fact:
// "beyond_limit", the vertices that locked bones leave with more than that.
struct PruneStep {
  int influences = 4;
  std::string where{};  // see where.h; empty: everywhere

  // As each step has them: see edit.h.
  static StepForm form();
  static PruneStep parse(const StepText& text);
  std::string arguments() const;
  void apply(Editing& editing) const;
};

}  // namespace sinew
