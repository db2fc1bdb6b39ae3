// SPDX-License-Identifier: Apache-2.0
// A step that changes the settings of offset curves.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sinew/edit/editing.h"
#include "sinew/edit/step_text.h"

namespace sinew {

// Changes what the file says (io/settings_json.h), or goes back to the defaults. Painted weights in
// a file of their own are read from `folder`. Facts: "roundness", "placement", "curves" (how many;
// none: the default ones), "painted_vertices".
struct OffsetCurvesStep {
  std::string file{};                             // its name, for the report and for errors
  std::optional<std::string> json{};              // what is in it; missing: none
  std::optional<std::filesystem::path> folder{};  // missing: it may not name files

  // As each step has them: see edit.h.
  static StepForm form();
  static OffsetCurvesStep parse(const StepText& text);
  std::string arguments() const;
  void apply(Editing& editing) const;
};

}  // namespace sinew
