// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/detail/bulges.h"

#include <algorithm>

#include "sinew/bake/detail/tracks.h"

namespace sinew::baking {

std::vector<BulgeShape> bake_bulges(const Rig& rig, const StateOptions& states, Rig& baked) {
  baked.skin.muscles.clear();
  std::vector<BulgeShape> bulges = bulge_shapes(rig);
  if (bulges.empty()) return bulges;
  const std::vector<BoneState> rest = bone_states(rig, rest_pose(rig), states);
  for (BulgeShape& bulge : bulges) {
    bulge.shape.default_weight = rest[bulge.bone].bulge;
    baked.mesh.shapes.push_back(bulge.shape);
  }
  return bulges;
}

void BulgeTracks::add(std::span<const BoneState> states) {
  for (std::size_t i = 0; i < bulges_.size(); ++i) {
    drives_[i].push_back(states[bulges_[i].bone].bulge);
  }
}

void BulgeTracks::put_into(Clip& clip, std::span<const double> times) const {
  for (std::size_t i = 0; i < bulges_.size(); ++i) {
    double reach = 0;
    for (const Vec3& move : bulges_[i].shape.positions) reach = std::max(reach, length(move));
    const double tolerance = reach > 0 ? std::min(move_tolerance_ / reach, 0.01) : 0.01;
    const Curve<double> fitted = fit_keys(times, drives_[i], tolerance);
    const double rest = bulges_[i].shape.default_weight;
    if (fitted.values.size() == 1 && fitted.values.front() == rest) continue;
    ShapeChannel channel{static_cast<int>(first_shape_ + i), {}};
    channel.curve.times = fitted.times;
    for (const double value : fitted.values) channel.curve.values.push_back({value});
    clip.channels.emplace_back(std::move(channel));
  }
}

}  // namespace sinew::baking
