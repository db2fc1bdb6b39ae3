// SPDX-License-Identifier: Apache-2.0
// Blend shapes whose weights are computed: from an angle or a control through a curve, or by pose.
#pragma once

#include <span>
#include <vector>

#include "sinew/motion/generalized.h"
#include "sinew/motion/pose_space.h"

namespace sinew {

// The weight of a blend shape follows an input through a curve whose "times" are the input's
// values. It is added to the shape's default weight, and so are those of other drivers of the same
// shape.
struct ShapeDriver {
  int shape = 0;
  DriverInput input;
  Curve<double> curve;
  friend bool operator==(const ShapeDriver&, const ShapeDriver&) = default;
};

// All of a rig's, checked and prepared.
class ShapeDrivers {
 public:
  // `default_weights` has one for each of the rig's blend shapes. Throws InputError naming the
  // driver or pose space that is invalid, or the shape that two pose spaces, or one and a driver,
  // would both drive.
  ShapeDrivers(const Skeleton& skeleton, int control_count, std::vector<double> default_weights,
               std::vector<ShapeDriver> drivers, std::span<const PoseSpace> spaces);

  // Whether there is nothing to compute.
  bool empty() const { return drivers_.empty() && spaces_.empty(); }
  // Sets the weights of all driven shapes in a pose, whatever they were. Generalized bones, whose
  // angles may be read, come before. Allocates nothing. Throws UsageError if the pose has another
  // number of joints than the skeleton, too few shapes or too few controls.
  void apply(const Skeleton& skeleton, Pose& pose) const;

 private:
  std::vector<double> default_weights_;
  std::vector<ShapeDriver> drivers_;
  std::vector<PoseWeights> spaces_;
};

// For each of so many shapes, whether its weight is computed. Shapes out of range do not count.
std::vector<bool> driven_shapes(std::span<const ShapeDriver> drivers,
                                std::span<const PoseSpace> spaces, std::size_t shape_count);

}  // namespace sinew
