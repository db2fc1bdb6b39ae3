// SPDX-License-Identifier: Apache-2.0
#include "sinew/skeleton/bones.h"

#include <charconv>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/suggest.h"

namespace sinew {

BonesByName::BonesByName(const Skeleton& skeleton) : skeleton_(skeleton) {
  require_joints_of_bones(skeleton);
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    bones_[skeleton.joints[skeleton.bones[b].joint].name].push_back(b);
  }
}

std::vector<BoneIndex> BonesByName::find(std::string_view name_or_number) const {
  if (const auto named = bones_.find(name_or_number); named != bones_.end()) return named->second;
  std::size_t number = 0;
  const char* const end = name_or_number.data() + name_or_number.size();
  const auto [rest, failure] = std::from_chars(name_or_number.data(), end, number);
  // Not 007: a number is written in one way.
  if (failure == std::errc() && rest == end && number < skeleton_.bones.size() &&
      std::to_string(number) == name_or_number) {
    return {number};
  }
  std::vector<std::string> names;
  for (const Bone& bone : skeleton_.bones) names.push_back(skeleton_.joints[bone.joint].name);
  throw UsageError(
      formatted("there is no bone '{}'{}; there are {}, by their joints' names or by "
                "the numbers from 0 on",
                name_or_number, did_you_mean(name_or_number, names), skeleton_.bones.size()));
}

std::vector<BoneIndex> find_bones(const Skeleton& skeleton, std::string_view name_or_number) {
  return BonesByName(skeleton).find(name_or_number);
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
