// SPDX-License-Identifier: Apache-2.0
// The radius of the limb around a chain of bones.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/internal/offset_curve/weights.h"
#include "sinew/mesh/mesh.h"

namespace sinew::offset_curve {

// For each chain, the limb's radius at each joint: the mean distance from the chain of the skin
// that follows it, weighted by area and by closeness to the joint, which falls to 0 half a bone's
// length away. The radius is 0 if there is no such skin.
std::vector<std::vector<double>> limb_radii(std::span<const Chain> chains,
                                            const CurveWeights& weights,
                                            std::span<const Vec3> positions,
                                            std::span<const Triangle> triangles,
                                            const SkinRows& rows);

}  // namespace sinew::offset_curve
