// SPDX-License-Identifier: Apache-2.0
// The inverse of a deformation: which shape, before skinning, a method takes to a given one.
#pragma once

#include <span>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/deform/bone_state.h"
#include "sinew/deform/method.h"
#include "sinew/rig/rig.h"

namespace sinew {

// A direction in which the method flattens the surroundings of a vertex to less than this, against
// what is usual over the mesh, is left as it is: undoing it would move the vertex by more than
// twenty times as much as asked for.
inline constexpr double least_flattening = 0.05;

// The result of undeform(), with one entry for each vertex.
struct Undeformed {
  std::vector<Vec3> positions;  // in mesh space, blend shapes included
  std::vector<double> off;      // how far the method's result is from the target, in world space
  std::vector<bool> singular;   // whether the method flattens a direction there
};

// The positions that `method` takes to `targets` (world space, one for each vertex), in double
// precision. Starts from the rest shape with the blend shapes; a vertex that is at its target, to
// within a millionth of the mesh's size, stays there, unless the method moves vertices with their
// neighbours. Where no position will do, the best that was found. The arguments are those of
// deform_reference(), and so are its errors; throws UsageError also for another number of targets,
// InputError for one that is not finite.
Undeformed undeform(const Rig& rig, std::span<const BoneState> bones,
                    std::span<const double> shapes, const Method& method,
                    std::span<const Vec3> targets, const Progress& progress = {});

}  // namespace sinew
