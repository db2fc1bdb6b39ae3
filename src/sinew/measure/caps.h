// SPDX-License-Identifier: Apache-2.0
// What lies beyond the free ends of bones (fingertips, a head on a neck) and should move rigidly
// when a bone is stretched or twisted (Jacobson and Sorkine 2011, fig. 2).
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/mesh/mesh.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/weights.h"

namespace sinew {

// How far a cap is from moving rigidly with its bone.
struct CapError {
  BoneIndex bone = 0;
  bool at_tail = true;
  std::size_t vertices = 0;
  double size = 0;     // RMS distance of its vertices from their centroid, at rest
  double rms = 0;      // RMS distance from the best-fitting rigid motion, relative to size
  double largest = 0;  // the largest such distance
  // The distance by which that rigid motion misses the posed end of the bone, relative to the
  // bone's length in the pose or at rest, whichever is larger: how badly the cap follows the bone.
  double missed = 0;
  // Its extent along and across the bone (standard deviations of its vertices), relative to rest; 1
  // if it has no extent at rest.
  double length = 1, width = 1;
};

// One for each free end with at least three vertices beyond it that are not collinear (rotation
// about their line would be undetermined). A bone's tail is free if the bone has no child bones and
// no other bone has an end there. Its head is free if it has no parent bone, no other bone has an
// end there, and its child bones start nearer to its tail. The vertices beyond an end are those
// that project onto the bone's line outside that end and have at least nine tenths of their weight
// on this bone. (Skin blended with other bones bends with them and need not be rigid.)
//
// Throws UsageError where numbers of positions, rows or bones differ, InputError for a coordinate
// that is not finite.
std::vector<CapError> cap_errors(const Skeleton& skeleton, const Weights& weights,
                                 std::span<const BoneState> states, const std::vector<Vec3>& rest,
                                 const std::vector<Vec3>& deformed);

}  // namespace sinew
