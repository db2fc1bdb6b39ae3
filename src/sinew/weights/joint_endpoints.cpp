// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/joint_endpoints.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/skin/projection.h"

namespace sinew {

std::vector<JointIndex> joints_of_bones(const Skeleton& skeleton) {
  std::vector<JointIndex> joints;
  for (const Bone& bone : skeleton.bones) {
    joints.push_back(bone.joint);
    if (bone.tail_joint != no_joint) joints.push_back(bone.tail_joint);
  }
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  return joints;
}

std::vector<double> joint_endpoints(std::span<const Vec3> positions, const Skeleton& skeleton,
                                    const Skin& skin, std::span<const double> joint_weights) {
  const std::vector<JointIndex> joints = joints_of_bones(skeleton);
  const Weights& weights = skin.weights;
  if (joint_weights.size() != weights.vertex_count() * joints.size()) {
    throw UsageError(fmt::format("{} weights for {} vertices and {} joints", joint_weights.size(),
                                 weights.vertex_count(), joints.size()));
  }
  for (std::size_t i = 0; i < joint_weights.size(); ++i) {
    if (joint_weights[i] >= 0 && joint_weights[i] <= 1) continue;
    throw InputError(
        fmt::format("vertex {}", i / joints.size()),
        fmt::format("its weight for {} is {}; it must be from 0 to 1",
                    describe_joint(skeleton, joints[i % joints.size()]), joint_weights[i]));
  }
  std::vector<std::size_t> column(skeleton.joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j) column[joints[j]] = j;
  std::vector<double> endpoints =
      skin.endpoints.empty() ? projection_endpoints(positions, skeleton, weights) : skin.endpoints;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const auto row = joint_weights.subspan(v * joints.size(), joints.size());
    for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
      const Bone& bone = skeleton.bones[weights.influences[i].bone];
      if (bone.tail_joint == no_joint) continue;
      endpoints[i] = ((1 - row[column[bone.joint]]) + row[column[bone.tail_joint]]) / 2;
    }
  }
  return endpoints;
}

}  // namespace sinew
