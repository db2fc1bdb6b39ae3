// SPDX-License-Identifier: Apache-2.0
// Finds bones and joints by name or number, and checks joint indices.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sinew/skeleton/skeleton.h"

namespace sinew {

// Finds the bones of a skeleton for many names. It refers to the skeleton.
class BonesByName {
 public:
  // Throws InputError as require_joints_of_bones().
  explicit BonesByName(const Skeleton& skeleton);

  // The bones of all joints with this name or, if there are none, the bone with this number. Throws
  // UsageError suggesting similar joint names.
  std::vector<BoneIndex> find(std::string_view name_or_number) const;

 private:
  const Skeleton& skeleton_;
  std::unordered_map<std::string_view, std::vector<BoneIndex>> bones_;
};

// The same for one name.
std::vector<BoneIndex> find_bones(const Skeleton& skeleton, std::string_view name_or_number);

// The first joint with this name or, if there is none, the joint with this number. Throws
// UsageError suggesting similar names.
JointIndex joint_from_name(const Skeleton& skeleton, std::string_view name_or_number);

// A name that find_bones() finds the bone by: that of its joint or, if it has none, the bone's
// number. The bone must exist.
std::string bone_name(const Skeleton& skeleton, BoneIndex bone);

// Throws InputError naming the first bone whose joint, or the joint it points to, does not exist.
void require_joints_of_bones(const Skeleton& skeleton);

}  // namespace sinew
