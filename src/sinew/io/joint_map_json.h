// SPDX-License-Identifier: Apache-2.0
// Mapping files, which say which joints of a motion move which joints of a rig.
#pragma once

#include <string>
#include <string_view>

#include "sinew/motion/retarget.h"
#include "sinew/rig/rig.h"

namespace sinew {

// {"source joint": "target joint", "another": ["two", "joints"], "a third": null}: a joint is
// called by its name or, if none has that name, by its number from 0 on; null or an empty list is a
// joint that moves nothing, as is one that is not mentioned. Throws InputError with a JSON pointer,
// suggesting similar names.
JointMap parse_joint_map(std::string_view json, const Skeleton& source, const Skeleton& target);

// Every source joint in its skeleton's order, those in no pair with null, so that it can be edited.
// A joint without a name, or with the name of an earlier one, is called by its number. Throws
// UsageError for a pair that does not exist.
std::string to_json(const JointMap& map, const Skeleton& source, const Skeleton& target);

// What became of a motion, as one object: "frames", "keys" (of all channels), "scale", "mapped" (a
// list of "source", "target" and "by"), "guessed" (how many of these), "unmapped_source",
// "unmapped_target", and "computed" (joints of the target that its generalized bones move, and no
// motion does). Joints by name. The pairs must exist.
std::string to_json(const Retargeted& result, const JointMap& map, const Skeleton& source,
                    const Rig& target);

}  // namespace sinew
