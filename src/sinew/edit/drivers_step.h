// SPDX-License-Identifier: Apache-2.0
// A step that replaces the generalized bones of a rig.
#pragma once

#include <optional>
#include <string>

#include "sinew/edit/editing.h"
#include "sinew/edit/step_text.h"

namespace sinew {

// Sets controls and drivers (io/settings_json.h), or removes all of them. Channels of clips follow
// their control by its name; those of a control that is gone are removed. Facts: "controls",
// "drivers", the joints that are driven; "removed_channels", if there are any.
struct DriversStep {
  std::string file{};                 // its name, for the report and for errors
  std::optional<std::string> json{};  // what is in it; missing: none

  // As each step has them: see edit.h.
  static StepForm form();
  static DriversStep parse(const StepText& text);
  std::string arguments() const;
  void apply(Editing& editing) const;
};

}  // namespace sinew
