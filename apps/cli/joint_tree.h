// SPDX-License-Identifier: Apache-2.0
// The joints of a skeleton as text.
#pragma once

#include <string>

#include "sinew/skeleton/skeleton.h"

namespace sinew::cli {

// One line per joint, indented by its depth, with its number, the length of its bone and where it
// is at rest. Scene nodes are listed if a joint hangs from them or a bone ends there. Of many
// joints only the first hundreds are shown. Empty without joints.
std::string joint_tree(const Skeleton& skeleton);

}  // namespace sinew::cli
