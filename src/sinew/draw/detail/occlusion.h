// SPDX-License-Identifier: Apache-2.0
// Ambient occlusion in screen space: how much of the sky the surroundings of a pixel hide.
#pragma once

#include "sinew/draw/detail/canvas.h"
#include "sinew/draw/detail/surfaces.h"

namespace sinew::draw {

// Darkens the canvas where what is seen nearby rises above the surface, within `radius` in world
// units, by the estimator of McGuire et al. 2012. `strength` 1 is natural, 0 leaves everything as
// it is.
void darken_folds(Canvas& canvas, const Rays& rays, float radius, float strength);

}  // namespace sinew::draw
