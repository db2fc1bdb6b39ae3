// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/smooth_step.h"

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/edit/where.h"
#include "sinew/weights/smooth.h"

namespace sinew {

StepForm SmoothStep::form() {
  return {{"smooth", "N", "Smooth bone weights and endpoint weights along the surface, N times"},
          {where_word()}};
}

SmoothStep SmoothStep::parse(const StepText& text) {
  return {whole_argument(text, 1, 10000), text.modifier("where")};
}

std::string SmoothStep::arguments() const { return std::to_string(iterations) + where_text(where); }

void SmoothStep::apply(Editing& editing) const {
  if (iterations < 0) throw UsageError("weights cannot be smoothed a negative number of times");
  editing.require_weights();
  SmoothOptions options;
  options.iterations = iterations;
  options.endpoints = true;
  options.locks = editing.locks;
  options.where = selected_vertices(editing.rig, where);
  editing.set_rows(smooth(editing.rig.mesh, editing.rig.skin, options), options.where);
}

}  // namespace sinew
