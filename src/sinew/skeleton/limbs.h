// SPDX-License-Identifier: Apache-2.0
// The limbs of a skeleton: an arm, a finger, the spine.
#pragma once

#include <vector>

#include "sinew/skeleton/skeleton.h"

namespace sinew {

// A bone's parents are the bones of the nearest joint above its own that has any. A limb is a
// longest chain of bones each of which is the only child of the one before. Two limbs are adjacent
// where the first bone of one is a child of a bone of the other; where bones have no parent, those
// of one joint are adjacent to each other. A bone without children that is shorter than a quarter
// of its parent, which does not point to it (a kneecap, an eyelid), belongs to the parent's limb
// and ends no chain.
struct Limbs {
  int count = 0;
  std::vector<int> of_bone;

  // Whether they are the same limb or adjacent ones; both must be below `count`.
  bool connected(int a, int b) const { return touches_[index(a, b)]; }

 private:
  friend Limbs find_limbs(const Skeleton& skeleton);
  std::size_t index(int a, int b) const {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(count) +
           static_cast<std::size_t>(b);
  }
  std::vector<bool> touches_;
};

// Throws InputError as evaluation_order() and require_joints_of_bones().
Limbs find_limbs(const Skeleton& skeleton);

}  // namespace sinew
