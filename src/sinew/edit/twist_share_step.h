// SPDX-License-Identifier: Apache-2.0
// A step that says who takes up a joint's twist.
#pragma once

#include <optional>
#include <string>

#include "sinew/edit/editing.h"
#include "sinew/edit/step_text.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew {

// Sets a joint's twist shares, or leaves them to plan_twists() again. Facts: "before", "after".
struct TwistShareStep {
  std::string joint{};                  // its name or, if there is none of that name, its number
  std::optional<TwistShares> shares{};  // empty: chosen automatically

  // As each step has them: see edit.h.
  static StepForm form();
  static TwistShareStep parse(const StepText& text);
  std::string arguments() const;
  void apply(Editing& editing) const;
};

}  // namespace sinew
