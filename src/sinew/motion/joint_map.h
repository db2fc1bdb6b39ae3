// SPDX-License-Identifier: Apache-2.0
// Which joints of one skeleton move which joints of another.
#pragma once

#include <string>
#include <vector>

#include "sinew/skeleton/skeleton.h"

namespace sinew {

// How a pair was found.
enum class PairedBy {
  hand,   // somebody said so
  name,   // both have the same name; of other joints than a body's, whatever its prefix, case and
          // punctuation
  part,   // both names mean the same part of the body
  guess,  // the same part, but of one of them only by the joints around it (HumanJoint::guessed)
};

// One joint that moves another.
struct JointPair {
  JointIndex source, target;
  PairedBy by = PairedBy::hand;

  friend bool operator==(const JointPair&, const JointPair&) = default;
};

// Pairs in any order. A joint may be in several of them: joints that hang together by pairs are
// rows that move each other as a whole, as three joints of a spine move two (see retarget()).
struct JointMap {
  std::vector<JointPair> pairs;

  friend bool operator==(const JointMap&, const JointMap&) = default;
};

// Pairs the joints of two human bodies by their parts (see human_joints()), and what else has the
// same name on both sides, once. Frames are never paired. Of a part with several joints:
// - spine and neck are laid over each other from end to end;
// - elsewhere the first is paired with the first, and so on; sources left over move the last
//   target, targets left over follow their parents.
// An empty map if nothing fits. Throws InputError as evaluation_order().
JointMap map_joints(const Skeleton& source, const Skeleton& target);

// The joints, without frames, that are in no pair.
std::vector<JointIndex> unmapped_sources(const JointMap& map, const Skeleton& source);
std::vector<JointIndex> unmapped_targets(const JointMap& map, const Skeleton& target);

// "file", "name", "part" or "guess".
const char* name_of(PairedBy by);

}  // namespace sinew
