// SPDX-License-Identifier: Apache-2.0
// Steps that filter the endpoint weights of bones.
#pragma once

#include <string>

#include "sinew/edit/editing.h"
#include "sinew/edit/step_text.h"
#include "sinew/skin/filter.h"

namespace sinew {

// Sets the filter of bones' endpoint weights, or removes it (a curve without points). Facts:
// "filtered", the bones; "before" and "after", the curves.
struct FilterStep {
  std::string bones{};  // names or numbers, with commas between them
  FilterCurve curve{};

  // As each step has them: see edit.h.
  static StepForm form();
  static FilterStep parse(const StepText& text);
  std::string arguments() const;
  void apply(Editing& editing) const;
};

// The same for the twist.
struct TwistFilterStep {
  std::string bones{};
  FilterCurve curve{};

  // As each step has them: see edit.h.
  static StepForm form();
  static TwistFilterStep parse(const StepText& text);
  std::string arguments() const;
  void apply(Editing& editing) const;
};

}  // namespace sinew
