// SPDX-License-Identifier: Apache-2.0
#include "sinew/kernels/clip_frames.h"

#include <utility>

namespace sinew {
namespace {

StateOptions for_method(StateOptions states, const Method& method) {
  states.detail = method.traits().bones;
  return states;
}

}  // namespace

ClipFrames::ClipFrames(const Rig& rig, const Clip& clip, Method method,
                       const DeformerOptions& options, const StateOptions& states)
    : posed_(RigPlan(rig), for_method(states, method)),
      clip_(posed_.plan(), clip, posed_.detail()),
      deformer_(rig, std::move(method), options) {}

Deformed ClipFrames::at(double time) {
  posed_.play(clip_, time);
  Deformed deformed = deformer_.at(posed_.bones(), posed_.shapes());
  require_finite(deformed);
  return deformed;
}

}  // namespace sinew
