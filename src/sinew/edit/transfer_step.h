// SPDX-License-Identifier: Apache-2.0
// A step that takes weights from another rig.
#pragma once

#include <memory>
#include <string>

#include "sinew/edit/editing.h"
#include "sinew/edit/step_text.h"
#include "sinew/weights/transfer.h"

namespace sinew {

// Takes weights and endpoint weights from the closest surface of another rig that faces the same
// way, and fills what has no match from its neighbours (see weights/transfer.h). Both lie at the
// same place. Bones are matched by the names of their joints (match_bones.h). Endpoint weights that
// only the rig has stay for the bones that a vertex keeps, and are those of projection for others.
// Facts: "matched", how many vertices have a match; "filled" and "far", the vertices that have
// none; "rejected_parts", how many of these each part has; "bones_without_partner", and which bone
// stands in for each.
struct TransferStep {
  std::shared_ptr<const Rig> source;  // with weights; throws UsageError in apply() if null
  std::string name{};                 // of the source, for the report
  TransferOptions options{};
  std::string where{};  // see where.h; empty: everywhere

  // As each step has them: see edit.h.
  static StepForm form();
  static TransferStep parse(const StepText& text);
  std::string arguments() const;
  void apply(Editing& editing) const;
};

}  // namespace sinew
