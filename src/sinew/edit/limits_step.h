// SPDX-License-Identifier: Apache-2.0
// A step that sets how far joints turn.
#pragma once

#include <optional>
#include <string>

#include "sinew/edit/editing.h"
#include "sinew/edit/step_text.h"

namespace sinew {

// Sets all limits of joints (io/settings_json.h), or removes them. Fact: "limits", the joints that
// have one.
struct LimitsStep {
  std::string file{};                 // its name, for the report and for errors
  std::optional<std::string> json{};  // what is in it; missing: none

  // As each step has them: see edit.h.
  static StepForm form();
  static LimitsStep parse(const StepText& text);
  std::string arguments() const;
  void apply(Editing& editing) const;
};

}  // namespace sinew
