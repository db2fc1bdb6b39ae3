// SPDX-License-Identifier: Apache-2.0
// The light of the studio: fixed to the camera, so that a model looks well from every side.
#pragma once

#include "sinew/image/image.h"

namespace sinew::draw {

// From the scene to the key light, in view space; the shadow on the ground follows it, too.
inline constexpr Vec3 key_direction{-0.40, 0.70, 0.59};

// What comes back from a surface of that colour. `normal` and `to_eye` are unit vectors in view
// space, the normal on the eye's side.
Rgb lit(const Rgb& color, const Vec3f& normal, const Vec3f& to_eye);

}  // namespace sinew::draw
