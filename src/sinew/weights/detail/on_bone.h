// SPDX-License-Identifier: Apache-2.0
// Which points lie on a bone.
#pragma once

#include <optional>
#include <vector>

#include "sinew/skeleton/skeleton.h"

namespace sinew::detail {

// What is no farther from a bone than this lies on it: 1e-6 of the extent of the skeleton or of the
// points, whichever is smaller. (One stray vertex or one endless bone would otherwise put every
// point on every bone.)
double on_bone_tolerance(const Skeleton& skeleton, const std::vector<Vec3>& points);

// The parameter in [0, 1] of a point that lies on the bone.
std::optional<double> parameter_on(const Bone& bone, const Vec3& point, double tolerance);

}  // namespace sinew::detail
