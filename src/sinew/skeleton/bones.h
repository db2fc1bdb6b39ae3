// SPDX-License-Identifier: Apache-2.0
// Bones by name or number, and whether they have the joints that they name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/skeleton/skeleton.h"

namespace sinew {

// The bones of all joints of that name, or, where none has it, the bone of that number. Throws
// UsageError that names the nearest joints.
std::vector<BoneIndex> find_bones(const Skeleton& skeleton, std::string_view name_or_number);

// What find_bones() finds it by: the name of its joint, or its number where the joint has none. The
// bone must exist.
std::string bone_name(const Skeleton& skeleton, BoneIndex bone);

// Throws InputError naming the first bone whose joint, or the joint it points to, does not exist.
void require_joints_of_bones(const Skeleton& skeleton);

}  // namespace sinew
