// SPDX-License-Identifier: Apache-2.0
#include "sinew/kernels/clip_frames.h"

#include <utility>

namespace sinew {

ClipFrames::ClipFrames(const Rig& rig, const Clip& clip, Method method,
                       const DeformerOptions& options, const StateOptions& states)
    : rig_(rig),
      clip_(clip),
      states_(rig, clip, states),
      deformer_(rig, std::move(method), options) {}

Deformed ClipFrames::at(double time) {
  Deformed deformed = deformer_.at(states_.at(time), pose_at(rig_, clip_, time).shapes);
  require_finite(deformed);
  return deformed;
}

}  // namespace sinew
