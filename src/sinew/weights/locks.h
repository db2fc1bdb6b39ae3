// SPDX-License-Identifier: Apache-2.0
// Locked bones, whose weights must not change, and how to change weights around them.
#pragma once

#include <span>
#include <vector>

#include "sinew/skin/weights.h"

namespace sinew {

// A set of bones.
struct Locks {
  std::vector<bool> bones;  // bones beyond its end are not locked

  // Whether the bone is locked.
  bool has(BoneIndex bone) const {
    return bone >= 0 && static_cast<std::size_t>(bone) < bones.size() && bones[bone];
  }
  // Throws UsageError for a negative index.
  void set(BoneIndex bone, bool locked = true);
  bool any() const;
};

// The total weight available to the unlocked bones of a row: 1 minus the locked weights, at least
// 0.
double unlocked_budget(std::span<const Influence> row, const Locks& locks);

// Scales the unlocked weights of each row so that the row sums to 1. If the locked weights alone
// sum to 1 or more, the unlocked ones become 0; if the unlocked ones are all 0, the row does not
// change.
void normalize(Weights& weights, const Locks& locks);

// Assigns the weights in `values` (each bone at most once) and scales the other unlocked weights so
// that the row sums to 1. Locked bones keep their weight, even if listed in `values`. Values are
// clamped to [0, unlocked_budget], and scaled down together if their sum exceeds the budget. If no
// other bone can take the rest, because all others are locked, zero or missing, it goes back to the
// bones in `values`: in proportion, or equally if they are all 0. So a vertex with a single bone
// keeps it. Influences that end with weight 0 stay in the row; new ones are appended. Throws
// UsageError for a value that is not finite or a negative bone index.
void set_weights(std::vector<Influence>& row, std::span<const Influence> values,
                 const Locks& locks);

}  // namespace sinew
