// SPDX-License-Identifier: Apache-2.0
// The tracks that move the helpers in each clip.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/bake/detail/split.h"
#include "sinew/deform/bone_state.h"
#include "sinew/deform/muscles.h"
#include "sinew/deform/rig_plan.h"
#include "sinew/rig/rig.h"

namespace sinew::baking {

struct TrackOptions {
  double move_tolerance = 0;             // tolerance of keys, a length in world space
  std::span<const double> limb_reach;    // per bone: how far its skin extends from its axis
  std::span<const BulgeShape> bulges{};  // the last blend shapes of the baked rig, from muscles
  StateOptions states{};
};

// A small set of keys (Douglas-Peucker) whose linear interpolation stays within the tolerance (a
// length, radians, or a weight) of the values at all `times`. A single key if nothing changes.
Curve<Vec3> fit_keys(std::span<const double> times, std::span<const Vec3> values, double tolerance);
Curve<Quat> fit_keys(std::span<const double> times, std::span<const Quat> values, double tolerance);
Curve<double> fit_keys(std::span<const double> times, std::span<const double> values,
                       double tolerance);

// The clip of `rig`, which `plan` is of, for the skeleton of `baked`: its channels, and tracks for
// the helpers. With `without_scale`, scale is removed from the joints of split bones and their
// ancestors. These joints, and all that inherited the scale, get new tracks that preserve the
// position and orientation of every bone's head. Driven joints and driven blend shapes always get
// tracks.
Clip bake_clip(const Rig& rig, const RigPlan& plan, const Clip& clip, const Rig& baked,
               std::span<const SplitBone> splits, bool without_scale, const TrackOptions& options);

}  // namespace sinew::baking
