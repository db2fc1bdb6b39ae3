// SPDX-License-Identifier: Apache-2.0
// Blend shapes by pose (Lewis et al. 2000; docs/methods/correctives.md): examples of how some
// joints are turned, each with shapes that are fully on there, and weights in between by radial
// basis functions. Plain data, so that it can be stored in files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/motion/clip.h"

namespace sinew {

// In one pose space.
inline constexpr std::size_t most_examples = 500;

// A pose of a space's joints, and the shapes that belong to it.
struct PoseExample {
  // For each joint of the space how it is turned from rest, as a rotation vector in radians, in
  // the joint's own frame (see turn_from_rest).
  std::vector<Vec3> turns;
  // Blend shapes that have weight 1 in this pose, and 0 at rest and in the other examples. At least
  // one, none in two examples; several where a file keeps the parts of a mesh as meshes.
  std::vector<int> shapes;
  friend bool operator==(const PoseExample&, const PoseExample&) = default;
};

// Joints whose turns are compared with those of examples, most_examples at most.
struct PoseSpace {
  std::vector<JointIndex> joints;
  std::vector<PoseExample> examples;
  // In radians. If given, examples matter only around their poses: the weights fall off with the
  // Gaussian exp(-(d / radius)^2) of the distance d. Otherwise they are spread over all poses, by
  // the basis functions d and a constant.
  std::optional<double> radius{};
  friend bool operator==(const PoseSpace&, const PoseSpace&) = default;
};

// By how much the joint is turned from rest: a rotation vector in radians, at most half a turn
// long, in the joint's own frame.
Vec3 turn_from_rest(const Transform& rest, const Transform& posed);

// A space with the weights of its basis functions solved for. The distance between two poses is the
// root of the sum of squared differences of the joints' turns. Weights are interpolated, kept
// within [0, 1] and eased by 3 w^2 - 2 w^3: they have a continuous derivative wherever no joint is
// turned by exactly half a turn.
class PoseWeights {
 public:
  // Throws InputError with the given `place` for a joint or shape that does not exist, is named
  // twice or is missing, turns that are not finite, a radius that is not above 0, too many
  // examples, and examples too close to rest or to each other (or, with a radius, too close for it)
  // to be told apart.
  PoseWeights(PoseSpace space, const Skeleton& skeleton, int shape_count, const std::string& place);

  // What it was made from.
  const PoseSpace& space() const { return space_; }
  // Sets the weights of the examples' shapes in a pose of this skeleton, whose size it does not
  // check. Allocates nothing.
  void apply(const Skeleton& skeleton, Pose& pose) const;

 private:
  double basis(const Skeleton& skeleton, const Pose& pose, std::size_t center) const;

  PoseSpace space_;
  // For rest, then each example as a centre: its factor in each example's weight. Then the
  // constants.
  std::vector<double> factors_;
};

}  // namespace sinew
