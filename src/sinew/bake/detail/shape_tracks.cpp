// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/detail/shape_tracks.h"

#include <algorithm>

#include "sinew/bake/detail/tracks.h"
#include "sinew/motion/internal/shape_channels.h"

namespace sinew::baking {
namespace {

double largest_delta(const BlendShape& shape) {
  double largest = 0;
  for (const Vec3& delta : shape.positions) largest = std::max(largest, length(delta));
  return largest;
}

// The channel without the driven shapes, as one for each run of others.
void keep_others(const ShapeChannel& channel, const std::vector<bool>& is_driven,
                 std::vector<Channel>& channels) {
  const std::size_t width = channel.curve.values.empty() ? 0 : channel.curve.values.front().size();
  std::vector<std::size_t> run;
  for (std::size_t i = 0; i <= width; ++i) {
    if (i < width && !is_driven[std::size_t(channel.first_shape) + i]) {
      run.push_back(i);
    } else if (!run.empty()) {
      const int first = channel.first_shape + static_cast<int>(run.front());
      channels.emplace_back(channel_part(channel, first, run));
      run.clear();
    }
  }
}

}  // namespace

ShapeTracks::ShapeTracks(const Rig& rig, double move_tolerance)
    : rig_(rig),
      move_tolerance_(move_tolerance),
      is_driven_(driven_shapes(rig.shape_drivers, rig.pose_spaces, rig.mesh.shapes.size())),
      weights_(rig.mesh.shapes.size()) {}

void ShapeTracks::add(std::span<const double> weights) {
  for (std::size_t k = 0; k < weights_.size(); ++k) {
    if (is_driven_[k]) weights_[k].push_back(weights[k]);
  }
}

void ShapeTracks::put_into(Clip& clip, std::span<const double> times) const {
  if (std::find(is_driven_.begin(), is_driven_.end(), true) == is_driven_.end()) return;
  std::vector<Channel> channels;
  for (Channel& channel : clip.channels) {
    if (const auto* shapes = std::get_if<ShapeChannel>(&channel)) {
      keep_others(*shapes, is_driven_, channels);
    } else {
      channels.push_back(std::move(channel));
    }
  }
  for (std::size_t k = 0; k < weights_.size(); ++k) {
    if (!is_driven_[k]) continue;
    const double reach = largest_delta(rig_.mesh.shapes[k]);
    const double tolerance = reach > 0 ? std::min(move_tolerance_ / reach, 0.1) : 0.1;
    const Curve<double> fitted = fit_keys(times, weights_[k], tolerance);
    const double rest = rig_.mesh.shapes[k].default_weight;
    if (fitted.values.size() == 1 && fitted.values.front() == rest) continue;
    ShapeChannel channel{static_cast<int>(k), {}};
    channel.curve.times = fitted.times;
    for (const double value : fitted.values) channel.curve.values.push_back({value});
    channels.emplace_back(std::move(channel));
  }
  clip.channels = std::move(channels);
}

}  // namespace sinew::baking
