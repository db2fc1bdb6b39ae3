// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/shape_drivers.h"

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"

namespace sinew {

ShapeDrivers::ShapeDrivers(const Skeleton& skeleton, int control_count,
                           std::vector<double> default_weights, std::vector<ShapeDriver> drivers,
                           std::span<const PoseSpace> spaces)
    : default_weights_(std::move(default_weights)), drivers_(std::move(drivers)) {
  const std::size_t count = default_weights_.size();
  std::vector<bool> taken(count, false);
  for (std::size_t d = 0; d < drivers_.size(); ++d) {
    const ShapeDriver& driver = drivers_[d];
    const std::string place = formatted("shape driver {}", d);
    if (driver.shape < 0 || std::size_t(driver.shape) >= count) {
      throw InputError(
          place, formatted("it drives blend shape {}, but there are {}", driver.shape, count));
    }
    validate(driver.input, skeleton, control_count, place);
    validate(driver.curve, place);
    taken[driver.shape] = true;
  }
  for (std::size_t s = 0; s < spaces.size(); ++s) {
    const std::string place = formatted("pose space {}", s);
    spaces_.emplace_back(spaces[s], skeleton, int(count), place);
    for (const PoseExample& example : spaces[s].examples) {
      for (const int shape : example.shapes) {
        if (taken[shape]) {
          throw InputError(place,
                           formatted("blend shape {} is driven by something else already", shape));
        }
        taken[shape] = true;
      }
    }
  }
}

void ShapeDrivers::apply(const Skeleton& skeleton, Pose& pose) const {
  if (empty()) return;
  if (pose.joints.size() != skeleton.joints.size() ||
      pose.shapes.size() != default_weights_.size()) {
    throw UsageError(formatted("the pose has {} joints and {} shapes, the rig has {} and {}",
                               pose.joints.size(), pose.shapes.size(), skeleton.joints.size(),
                               default_weights_.size()));
  }
  for (const ShapeDriver& driver : drivers_) {
    pose.shapes[driver.shape] = default_weights_[driver.shape];
  }
  for (const ShapeDriver& driver : drivers_) {
    pose.shapes[driver.shape] += sample(driver.curve, input_value(skeleton, driver.input, pose));
  }
  for (const PoseWeights& space : spaces_) space.apply(skeleton, pose);
}

std::vector<bool> driven_shapes(std::span<const ShapeDriver> drivers,
                                std::span<const PoseSpace> spaces, std::size_t shape_count) {
  std::vector<bool> driven(shape_count, false);
  const auto mark = [&](int shape) {
    if (shape >= 0 && std::size_t(shape) < shape_count) driven[shape] = true;
  };
  for (const ShapeDriver& driver : drivers) mark(driver.shape);
  for (const PoseSpace& space : spaces) {
    for (const PoseExample& example : space.examples) {
      for (const int shape : example.shapes) mark(shape);
    }
  }
  return driven;
}

}  // namespace sinew
