// SPDX-License-Identifier: Apache-2.0
// A step that gives bones a muscle.
#pragma once

#include <optional>
#include <string>

#include "sinew/core/plane.h"
#include "sinew/edit/editing.h"
#include "sinew/edit/step_text.h"
#include "sinew/skin/muscle.h"

namespace sinew {

// Sets the muscle of bones, or removes it (one that nothing drives). Facts: "muscles", the bones;
// "before" and "after", what they had and have.
struct MuscleStep {
  std::string bones{};  // names or numbers, with commas between them
  Muscle muscle{};      // the joint of its angle is that of `joint`
  std::string joint{};  // name or number of the joint that it follows; empty: none

  // As each step has them: see edit.h.
  static StepForm form();
  static MuscleStep parse(const StepText& text);
  std::string arguments() const;
  void apply(Editing& editing) const;
};

// Gives bones on one side of the plane the mirrored muscles of their partners on the other; from:
// 1 the side that the normal points to, -1 the other, 0 whichever has one where its partner has
// none. Returns the bones whose muscles changed. The rig must be valid.
std::vector<BoneIndex> mirror_muscles(Rig& rig, const Plane& plane, int from);

}  // namespace sinew
