// SPDX-License-Identifier: Apache-2.0
// A leg and a muscular arm, as anatomy books draw them, for figures that need nothing else.
#pragma once

#include <functional>
#include <memory>

#include "models.h"

namespace sinew::gallery {

// The leg's bones: it hangs down from the hip, its knee bends backwards, the foot points to +z.
inline constexpr Vec3 hip{0, 1, 0}, knee{0, 0.555, 0.022}, ankle{0, 0.105, -0.012};

// The arm's bones: along +x from the shoulder, palm down; the elbow bends towards +z.
inline constexpr Vec3 arm_shoulder{0, 0, 0}, arm_elbow{0.31, 0, -0.008}, arm_wrist{0.575, 0, 0.004};

// Without a skeleton, with places in limb_skin().
Mesh leg_mesh(const Detail& detail);
Mesh muscular_arm_mesh(const Detail& detail);

// Cloth over what is beyond a hem, by so many metres: cut-off ends read as parts of a body that
// goes on. What has the colours of skin and nails gets its places in limb_skin().
Mesh dressed(Mesh mesh, const std::function<double(const Vec3& place)>& beyond);

// A picture of nails, skin and cloth side by side, with sharp borders.
std::shared_ptr<const Image> limb_skin();

}  // namespace sinew::gallery
