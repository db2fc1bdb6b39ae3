// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/stretchable.h"

#include <cmath>

namespace sinew {
namespace {

// Of projection's deviation.
constexpr double least_variation = 0.1;
// Of a bone's weight, how much must lie beside it to say anything.
constexpr double least_beside = 0.25;
// The deviation of projection that a stretch of a third of the bone has.
constexpr double least_along = 0.1;
// Weights below are those of neighbours.
constexpr double least_counted = 0.05;

struct Moments {
  double weight = 0, sum = 0, squares = 0;

  void add(double w, double x) {
    weight += w;
    sum += w * x;
    squares += w * x * x;
  }
  double deviation() const {
    const double mean = sum / weight;
    return std::sqrt(std::fmax(squares / weight - mean * mean, 0));
  }
};

struct Along {
  double weight = 0;  // of all that the bone moves
  Moments projected, given;
};

}  // namespace

std::vector<BoneIndex> bones_that_cannot_stretch(const std::vector<Vec3>& positions,
                                                 const Skeleton& skeleton, const Weights& weights,
                                                 const std::vector<double>& endpoints) {
  std::vector<Along> along(skeleton.bones.size());
  for (std::size_t v = 0; v < positions.size(); ++v) {
    for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
      const Influence& influence = weights.influences[i];
      if (influence.weight < least_counted) continue;
      const std::size_t b = influence.bone;
      const Bone& bone = skeleton.bones[b];
      const Vec3 way = bone.tail - bone.head;
      const double t = dot(positions[v] - bone.head, way) / length_squared(way);
      along[b].weight += influence.weight;
      if (!(t > 0) || !(t < 1)) continue;
      along[b].projected.add(influence.weight, t);
      along[b].given.add(influence.weight, endpoints[i]);
    }
  }
  std::vector<BoneIndex> stiff;
  for (std::size_t b = 0; b < along.size(); ++b) {
    const Moments &projected = along[b].projected, &given = along[b].given;
    if (!(projected.weight > least_beside * along[b].weight)) continue;
    if (projected.deviation() < least_along) continue;
    if (given.deviation() < least_variation * projected.deviation()) {
      stiff.push_back(static_cast<int>(b));
    }
  }
  return stiff;
}

}  // namespace sinew
