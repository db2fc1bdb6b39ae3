// SPDX-License-Identifier: Apache-2.0
// How thick the limb around a chain of bones is.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/internal/offset_curve/weights.h"
#include "sinew/mesh/mesh.h"

namespace sinew::offset_curve {

// For each chain the limb's radius at each of its joints: the mean distance from the chain of the
// skin that follows it, by area, what is nearest to the joint counting most. Half a bone's length
// away skin counts no more. Where there is none, the radius is 0.
std::vector<std::vector<double>> limb_radii(std::span<const Chain> chains,
                                            const CurveWeights& weights,
                                            std::span<const Vec3> positions,
                                            std::span<const Triangle> triangles,
                                            const SkinRows& rows);

}  // namespace sinew::offset_curve
