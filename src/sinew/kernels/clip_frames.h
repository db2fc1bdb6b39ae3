// SPDX-License-Identifier: Apache-2.0
// Plays a clip with any method: the deformed mesh at any time.
#pragma once

#include "sinew/deform/posed_rig.h"
#include "sinew/kernels/deformer.h"

namespace sinew {

// Owns the plans, the pose and the deformer: the shortest way to play a clip.
class ClipFrames {
 public:
  // The rig must be valid and outlive this. Throws as RigPlan, ClipPlan and Deformer.
  ClipFrames(const Rig& rig, const Clip& clip, Method method, const DeformerOptions& options = {},
             const StateOptions& states = {});

  // In world space. Random access: every time costs the same. Throws InputError as
  // require_finite(), UsageError if the time is NaN.
  Deformed at(double time);

 private:
  PosedRig posed_;
  ClipPlan clip_;
  Deformer deformer_;
};

}  // namespace sinew
