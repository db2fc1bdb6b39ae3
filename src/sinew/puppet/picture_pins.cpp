// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/puppet/picture_motion.h"

namespace sinew {

void pin(PictureMotion& motion, const PictureBones& bones, std::span<const int> joints) {
  if (motion.joints.size() != bones.joints.size()) {
    throw UsageError("the motion belongs to other joints");
  }
  for (const int joint : joints) {
    if (joint < 0 || joint >= static_cast<int>(bones.joints.size())) {
      throw UsageError(fmt::format("there is no joint {} to pin", joint));
    }
    const std::size_t j = joint;
    if (!motion.joints[j].empty()) {
      throw UsageError(
          fmt::format("joint \"{}\" has keys, and cannot be pinned as well", bones.joints[j].name));
    }
    motion.joints[j] = {{0, bones.joints[j].place, {}}};
  }
}

std::vector<int> ground_joints(const PictureBones& bones) {
  double low = -std::numeric_limits<double>::infinity(), high = -low;
  for (const PictureJoint& joint : bones.joints) {
    low = std::max(low, joint.place.y);
    high = std::min(high, joint.place.y);
  }
  std::vector<int> ground;
  for (std::size_t j = 0; j < bones.joints.size(); ++j) {
    if (bones.joints[j].place.y >= low - (low - high) / 16) ground.push_back(static_cast<int>(j));
  }
  return ground.size() < bones.joints.size() ? ground : std::vector<int>{};
}

std::vector<int> pins_from_names(std::span<const std::string> names, const PictureBones& bones) {
  std::vector<int> pins;
  for (const std::string& name : names) {
    if (name == "none" && names.size() == 1) return {};
    if (name == "feet") {
      const std::vector<int> feet = ground_joints(bones);
      pins.insert(pins.end(), feet.begin(), feet.end());
      continue;
    }
    pins.push_back(find_joint(bones, name));
    if (pins.back() != no_joint) continue;
    std::string known;
    for (const PictureJoint& joint : bones.joints) known += ", " + joint.name;
    throw InputError("joints", fmt::format("there is no \"{}\" to pin; there are {}", name,
                                           known.substr(std::min<std::size_t>(2, known.size()))));
  }
  std::sort(pins.begin(), pins.end());
  pins.erase(std::unique(pins.begin(), pins.end()), pins.end());
  return pins;
}

}  // namespace sinew
