// SPDX-License-Identifier: Apache-2.0
// Studio lighting, fixed to the camera so that a model is well lit from every side.
#pragma once

#include "sinew/image/image.h"

namespace sinew::draw {

// Direction from the scene to the key light, in view space; it also casts the shadow on the ground.
inline constexpr Vec3 key_direction{-0.40, 0.70, 0.59};

// The light reflected by a surface of that colour. `normal` and `to_eye` are unit vectors in view
// space, with the normal facing the eye.
Rgb lit(const Rgb& color, const Vec3f& normal, const Vec3f& to_eye);

}  // namespace sinew::draw
