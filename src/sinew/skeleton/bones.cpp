// SPDX-License-Identifier: Apache-2.0
#include "sinew/skeleton/bones.h"

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/suggest.h"

namespace sinew {
std::vector<BoneIndex> find_bones(const Skeleton& skeleton, std::string_view name_or_number) {
  require_joints_of_bones(skeleton);
  std::vector<BoneIndex> bones;
  std::vector<std::string> names;
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const Joint& joint = skeleton.joints[skeleton.bones[b].joint];
    if (joint.name == name_or_number) bones.push_back(b);
    names.push_back(joint.name);
  }
  for (std::size_t b = 0; bones.empty() && b < skeleton.bones.size(); ++b) {
    if (std::to_string(b) == name_or_number) bones.push_back(b);
  }
  if (bones.empty()) {
    throw UsageError(
        formatted("there is no bone '{}'{}; there are {}, by their joints' names or by "
                  "the numbers from 0 on",
                  name_or_number, did_you_mean(name_or_number, names), skeleton.bones.size()));
  }
  return bones;
}

JointIndex joint_from_name(const Skeleton& skeleton, std::string_view name_or_number) {
  const JointIndex joint = find_joint(skeleton, name_or_number);
  if (joint != no_joint) return joint;
  std::vector<std::string> names;
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
    if (std::to_string(j) == name_or_number) return int(j);
    names.push_back(skeleton.joints[j].name);
  }
  throw UsageError(
      formatted("there is no joint '{}'{}", name_or_number, did_you_mean(name_or_number, names)));
}

std::string bone_name(const Skeleton& skeleton, BoneIndex bone) {
  const int joint = skeleton.bones[bone].joint;
  const std::string& name = skeleton.joints[joint].name;
  return name.empty() ? std::to_string(bone) : name;
}

void require_joints_of_bones(const Skeleton& skeleton) {
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const Bone& bone = skeleton.bones[b];
    if (!has_joint(skeleton, bone.joint)) {
      throw InputError(formatted("bone {}", b),
                       formatted("its joint {} does not exist", bone.joint));
    }
    if (bone.tail_joint != no_joint && !has_joint(skeleton, bone.tail_joint)) {
      throw InputError(formatted("bone {}", b),
                       formatted("it points to joint {}, which does not exist", bone.tail_joint));
    }
  }
}

}  // namespace sinew
