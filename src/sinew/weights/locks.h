// SPDX-License-Identifier: Apache-2.0
// Bones whose weights are not to change, and changing weights around them.
#pragma once

#include <span>
#include <vector>

#include "sinew/skin/weights.h"

namespace sinew {

// A set of bones.
struct Locks {
  std::vector<bool> bones;  // shorter than the bone list, or empty: the rest is not locked

  // Whether the bone is locked.
  bool has(int bone) const {
    return bone >= 0 && static_cast<std::size_t>(bone) < bones.size() && bones[bone];
  }
  // Throws UsageError for a number below 0.
  void set(int bone, bool locked = true);
  bool any() const;
};

// What the unlocked bones of a row share: 1 less the locked weights, not below 0.
double unlocked_budget(std::span<const Influence> row, const Locks& locks);

// Scales the unlocked weights of each row so that the row sums to 1. Where the locked ones alone
// sum to 1 or more, the others become 0; where the others are all 0, the row stays as it is.
void normalize(Weights& weights, const Locks& locks);

// Gives the bones in `values` (each of them once) those weights and scales the other unlocked ones
// so that the row sums to 1. Locked bones keep their weight, also those in `values`. The values are
// clamped to [0, what the locked ones leave], and scaled down together if their sum is more than
// that. What nobody else can take, as all others are locked, zero or missing, goes back to the
// bones in `values`: in proportion, or equally if they are all 0; so a vertex with a single bone
// keeps it. Influences may end with weight 0, and stay in the row; new ones are appended. Throws
// UsageError for a value that is not finite, or of a bone below 0.
void set_weights(std::vector<Influence>& row, std::span<const Influence> values,
                 const Locks& locks);

}  // namespace sinew
