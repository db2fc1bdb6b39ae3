// SPDX-License-Identifier: Apache-2.0
// A step that makes endpoint weights of weights that belong to joints.
#pragma once

#include <string>

#include "sinew/edit/editing.h"
#include "sinew/edit/setting_text.h"
#include "sinew/edit/step_text.h"

namespace sinew {

// Endpoint weights from weights per joint (weights/joint_endpoints.h), vertices x joints: a column
// for each joint that a bone starts or ends at, in the skeleton's order. Fact:
// "without_tail_joint", the bones that end at no joint and keep their endpoint weights, or get
// those of projection.
struct JointWeightsStep {
  MatrixFile file{};

  // As each step has them: see edit.h.
  static StepForm form();
  static JointWeightsStep parse(const StepText& text);
  std::string arguments() const;
  void apply(Editing& editing) const;
};

}  // namespace sinew
