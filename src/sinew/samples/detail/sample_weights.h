// SPDX-License-Identifier: Apache-2.0
// Computes bone weights of a sample from the primitives that it is made of.
#pragma once

#include "sinew/rig/rig.h"
#include "sinew/samples/internal/implicit.h"

namespace sinew::samples {

// Fills rig.skin.weights (at most six bones each, sums 1) and rig.skin.endpoints (the place along
// the bone, 0 at its head). A vertex follows the bones whose primitives claim it; weights fade over
// about a primitive's radius across each joint. Bones that are not close in the skeleton (adjacent
// fingers, the two legs) never share a vertex across a gap. `mirror_images` is empty, or has for
// each bone its counterpart under x -> -x: the weights are then symmetric too.
void weights_by_flesh(const Field& field, const std::vector<int>& mirror_images, Rig& rig);

}  // namespace sinew::samples
