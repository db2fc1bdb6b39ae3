// SPDX-License-Identifier: Apache-2.0
// Which points lie on a bone.
#pragma once

#include <optional>
#include <vector>

#include "sinew/skeleton/skeleton.h"

namespace sinew::detail {

// Points no farther from a bone than this lie on it: 1e-6 of the extent of the skeleton or of the
// points, whichever is smaller. (With the larger one, a single stray vertex or huge bone would put
// every point on every bone.)
double on_bone_tolerance(const Skeleton& skeleton, const std::vector<Vec3>& points);

// The parameter in [0, 1] of a point on the bone; nothing if it does not lie on it.
std::optional<double> parameter_on(const Bone& bone, const Vec3& point, double tolerance);

}  // namespace sinew::detail
