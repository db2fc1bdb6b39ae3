// SPDX-License-Identifier: Apache-2.0
// A heavy creature: a belly, hardly a neck, thick arms; all of it far from its bones.
#pragma once

#include "models.h"

namespace sinew::gallery {

// Without weights. It stands, its arms hanging off to the sides, and looks to +z.
Rig make_ogre(const Detail& detail);

}  // namespace sinew::gallery
