// SPDX-License-Identifier: Apache-2.0
// A step that gives the twist endpoint weights of its own.
#pragma once

#include <string>
#include <variant>

#include "sinew/edit/editing.h"
#include "sinew/edit/setting_text.h"
#include "sinew/edit/step_text.h"
#include "sinew/weights/compute_weights.h"

namespace sinew {

// Nothing of its own: the twist uses the endpoint weights of the stretch.
struct NoTwistEndpoints {};

// Computes the endpoint weights of the twist for the present bone weights, reads them from a matrix
// of vertices x bones, or removes them. Facts: those of the solver that deserve attention,
// "repairs".
struct TwistEndpointsStep {
  std::string source{"none"};  // the method's name or the file's
  std::variant<NoTwistEndpoints, EndpointMethod, MatrixFile> values{};

  // As each step has them: see edit.h.
  static StepForm form();
  static TwistEndpointsStep parse(const StepText& text);
  std::string arguments() const;
  void apply(Editing& editing) const;
};

}  // namespace sinew
