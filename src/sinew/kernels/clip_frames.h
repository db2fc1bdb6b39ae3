// SPDX-License-Identifier: Apache-2.0
// A clip played by any method: the mesh at any moment.
#pragma once

#include "sinew/deform/posed_rig.h"
#include "sinew/kernels/deformer.h"

namespace sinew {

// Owns the plans, the pose and the deformer: the shortest way to play a clip.
class ClipFrames {
 public:
  // The rig, which must be valid, must outlive this. Throws as RigPlan, ClipPlan and Deformer.
  ClipFrames(const Rig& rig, const Clip& clip, Method method, const DeformerOptions& options = {},
             const StateOptions& states = {});

  // In world space; any time takes as long as any other. Throws InputError as require_finite(),
  // UsageError for a time that is no number.
  Deformed at(double time);

 private:
  PosedRig posed_;
  ClipPlan clip_;
  Deformer deformer_;
};

}  // namespace sinew
