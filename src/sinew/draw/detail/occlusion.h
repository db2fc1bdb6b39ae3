// SPDX-License-Identifier: Apache-2.0
// Screen-space ambient occlusion.
#pragma once

#include "sinew/draw/detail/canvas.h"
#include "sinew/draw/detail/surfaces.h"

namespace sinew::draw {

// Darkens the canvas where nearby geometry rises above the surface, within `radius` in world units,
// with the estimator of McGuire et al. 2012 (Scalable Ambient Obscurance). `strength` 1 is natural,
// 0 leaves everything as it is.
void darken_folds(Canvas& canvas, const Rays& rays, float radius, float strength);

}  // namespace sinew::draw
