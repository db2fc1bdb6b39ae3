// SPDX-License-Identifier: Apache-2.0
// What a step of editing works on: the rig, the locks in force, and the report of the step.
#pragma once

#include <string_view>
#include <vector>

#include "sinew/edit/report.h"
#include "sinew/rig/rig.h"
#include "sinew/weights/locks.h"

namespace sinew {

// Smaller changes of a weight are none: they would be rounding, since files hold floats.
inline constexpr double least_change = 1e-6;

// Each step changes `rig` and adds to `facts`; edit() measures the change of the weights itself.
struct Editing {
  Rig& rig;
  Locks& locks;  // those set by the steps before
  std::vector<StepFact>& facts;

  // Throws InputError if the rig has no bone weights.
  void require_weights() const;

  // Replaces the bone weights and both kinds of endpoint weights by those of `skin`, at the
  // vertices that are marked in `where` (empty: everywhere). Locked bones keep their weights, and
  // the others are scaled to what these leave; a row where no other bone could take that stays.
  // Rows also stay, bit by bit, where they have the same bones and no number changes by more than
  // `least`. What else `skin` has is ignored. If `skin` has a kind of endpoint weights that
  // the rig does not have, rows that stay get it by projection. `skin` must fit the rig.
  void set_rows(const Skin& skin, const std::vector<bool>& where = {}, double least = least_change);
};

// Puts numbers back that changed by no more than least_change. If there was another count of
// them, all are new.
void keep_unchanged(const std::vector<double>& before, std::vector<double>& after);

// "forearm.L", "forearm.L,hand.L" or "3": the bones in a list with commas, ascending. Throws
// UsageError as find_bones().
std::vector<BoneIndex> bones_in_list(const Skeleton& skeleton, std::string_view list);

}  // namespace sinew
