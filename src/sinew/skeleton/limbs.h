// SPDX-License-Identifier: Apache-2.0
// The limbs of a skeleton: an arm, a finger, the spine.
#pragma once

#include <vector>

#include "sinew/skeleton/skeleton.h"

namespace sinew {

// A bone's parents are the bones of its nearest ancestor joint that has any. A limb is a maximal
// chain of bones in which each is the only child of the one before. Two limbs are adjacent if the
// first bone of one is a child of a bone of the other; limbs that start with root bones of the same
// joint are adjacent, too. A leaf bone shorter than a quarter of its parent, which points elsewhere
// (a kneecap, an eyelid), belongs to the parent's limb and does not end a chain.
struct Limbs {
  int count = 0;
  std::vector<int> of_bone;

  // Whether a and b are the same limb or adjacent ones; both must be below `count`.
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
