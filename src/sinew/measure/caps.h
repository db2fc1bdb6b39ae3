// SPDX-License-Identifier: Apache-2.0
// What lies beyond the free ends of bones (fingertips, a head on a neck) and should move rigidly
// when a bone is stretched or twisted (seed 000 fig. 2).
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
  int bone = 0;
  bool at_tail = true;
  std::size_t vertices = 0;
  double size = 0;     // root mean square distance of its vertices from their middle, at rest
  double rms = 0;      // of the distances from the rigid motion that fits best, relative to size
  double largest = 0;  // of them
  // How far that motion takes the end of the bone from where the pose has it, relative to the
  // bone's length in the pose or at rest, whichever is larger: what does not follow the bone.
  double missed = 0;
  // How much it reaches along the bone and across it (standard deviations of its vertices),
  // relative to rest; 1 where it has no such extent at rest.
  double length = 1, width = 1;
};

// One for each free end with at least three vertices beyond it that do not all lie on one line
// (what is turned about that line would be left open). A bone's tail is free where no bone hangs on
// it and none has an end there; its head where it hangs on none, no other has an end there, and
// those that hang on it start nearer to its tail. Beyond an end are the vertices that project onto
// the bone's line outside of it, at that end, and that follow this bone: with nine tenths of their
// weight at least. (What is blended with other bones bends with them, and need not be rigid.)
//
// Throws UsageError where numbers of positions, rows or bones differ, InputError for a coordinate
// that is not finite.
std::vector<CapError> cap_errors(const Skeleton& skeleton, const Weights& weights,
                                 std::span<const BoneState> states, const std::vector<Vec3>& rest,
                                 const std::vector<Vec3>& deformed);

}  // namespace sinew
