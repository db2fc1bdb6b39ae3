// SPDX-License-Identifier: Apache-2.0
// A clip played by any method: the mesh at one moment after another.
#pragma once

#include "sinew/kernels/deformer.h"

namespace sinew {

class ClipFrames {
 public:
  // The rig, which must be valid, and the clip must outlive this.
  ClipFrames(const Rig& rig, const Clip& clip, Method method, const DeformerOptions& options = {},
             const StateOptions& states = {});

  // In world space. Going forward is cheaper than going back. Throws InputError as
  // require_finite(), UsageError for a time that is no number.
  Deformed at(double time);

 private:
  const Rig& rig_;
  const Clip& clip_;
  ClipStates states_;
  Deformer deformer_;
};

}  // namespace sinew
