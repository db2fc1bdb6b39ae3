// SPDX-License-Identifier: Apache-2.0
// A step that locks bones.
#pragma once

#include <string>

#include "sinew/edit/editing.h"
#include "sinew/edit/step_text.h"

namespace sinew {

// The steps after it leave these bones' weights as they are. Fact: "locked", all that are.
struct LockStep {
  std::string bones{};  // names or numbers, with commas between them

  // As each step has them: see edit.h.
  static StepForm form();
  static LockStep parse(const StepText& text);
  std::string arguments() const;
  void apply(Editing& editing) const;
};

}  // namespace sinew
