// SPDX-License-Identifier: Apache-2.0
// A step that mirrors weights from one side of a character to the other.
#pragma once

#include <string>

#include "sinew/edit/editing.h"
#include "sinew/edit/step_text.h"

namespace sinew {

// Vertices and bones are paired by place, bones also by name, parts with parts (see
// weights/mirror.h). Left and right are the character's, as the names of its bones say (arm.L,
// LeftArm); where bones with such names do not lie apart along the axis, left is the side where it
// is positive. The plane is half way between bones that are pairs by name; at 0 if that is near, or
// without pairs. Without `where`, muscles are mirrored, too. Facts: "plane", "sides",
// "unpaired_vertices", "unpaired_bones" and, if there are any, "mirrored_muscles".
struct MirrorStep {
  enum class From { left, right, both };  // both: each side gets the mean of the two

  int axis = 0;  // x, y, z of mesh space: 0, 1, 2
  From from = From::left;
  std::string where{};  // see where.h; empty: everywhere

  // As each step has them: see edit.h.
  static StepForm form();
  static MirrorStep parse(const StepText& text);
  std::string arguments() const;
  void apply(Editing& editing) const;
};

}  // namespace sinew
