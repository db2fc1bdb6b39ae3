// SPDX-License-Identifier: Apache-2.0
// A step that mixes linear and dual quaternion blending.
#pragma once

#include <string>
#include <variant>

#include "sinew/edit/editing.h"
#include "sinew/edit/setting_text.h"
#include "sinew/edit/step_text.h"

namespace sinew {

// Removes the shares, so that nothing says how much.
struct NoBlendShares {};

// Sets the share of dual quaternions, one for all vertices or one for each (a matrix of one
// column). Where a step is for some vertices and the rig has no shares yet, the others get
// default_blend_share. Facts: "changed", how many vertices; "least", "most", the shares afterwards.
struct BlendShareStep {
  std::variant<NoBlendShares, double, MatrixFile> share{};
  std::string where{};  // see where.h; empty: everywhere

  // As each step has them: see edit.h.
  static StepForm form();
  static BlendShareStep parse(const StepText& text);
  std::string arguments() const;
  void apply(Editing& editing) const;
};

}  // namespace sinew
