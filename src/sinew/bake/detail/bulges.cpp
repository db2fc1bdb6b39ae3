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

namespace {

// The part of a track above 0, or below it and negated, with keys where it crosses 0.
ShapeChannel half_of(const ShapeChannel& track, double sign, double scale, int shape) {
  ShapeChannel half{shape, {}};
  const std::vector<double>& times = track.curve.times;
  const std::vector<std::vector<double>>& values = track.curve.values;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const double value = sign * values[k].front();
    const double last = k > 0 ? sign * values[k - 1].front() : value;
    if ((last < 0 && value > 0) || (last > 0 && value < 0)) {
      const double crossing = times[k - 1] + (times[k] - times[k - 1]) * last / (last - value);
      if (crossing > times[k - 1] && crossing < times[k]) {
        half.curve.times.push_back(crossing);
        half.curve.values.push_back({0.0});
      }
    }
    half.curve.times.push_back(times[k]);
    half.curve.values.push_back({std::max(value, 0.0) * scale});
  }
  return half;
}

void scale_shape(BlendShape& shape, double by) {
  for (auto* deltas : {&shape.positions, &shape.normals, &shape.tangents}) {
    for (Vec3& delta : *deltas) delta *= by;
  }
}

}  // namespace

void keep_weights_in_range(Rig& baked, std::size_t first_shape) {
  const std::size_t end = baked.mesh.shapes.size();
  for (std::size_t i = first_shape; i < end; ++i) {
    const int shape = static_cast<int>(i);
    const double rest = baked.mesh.shapes[i].default_weight;
    double most = std::max(rest, 0.0), least = std::min(rest, 0.0);
    std::vector<std::pair<Clip*, std::size_t>> tracks;
    for (Clip& clip : baked.clips) {
      for (std::size_t c = 0; c < clip.channels.size(); ++c) {
        const auto* track = std::get_if<ShapeChannel>(&clip.channels[c]);
        if (track == nullptr || track->first_shape != shape) continue;
        tracks.emplace_back(&clip, c);
        for (const auto& value : track->curve.values) {
          most = std::max(most, value.front());
          least = std::min(least, value.front());
        }
      }
    }
    const double grown = std::max(most, 1.0);
    if (least < 0) {
      BlendShape thin = baked.mesh.shapes[i];
      thin.name = "thin_" + thin.name.substr(thin.name.find('_') + 1);
      thin.default_weight = std::max(-rest, 0.0);
      scale_shape(thin, -1);
      const int thin_shape = static_cast<int>(baked.mesh.shapes.size());
      baked.mesh.shapes.push_back(std::move(thin));
      for (const auto& [clip, c] : tracks) {
        clip->channels.emplace_back(
            half_of(std::get<ShapeChannel>(clip->channels[c]), -1, 1, thin_shape));
      }
    }
    if (!(least < 0) && grown == 1) continue;
    BlendShape& bulge = baked.mesh.shapes[i];
    scale_shape(bulge, grown);
    bulge.default_weight = std::max(rest, 0.0) / grown;
    for (const auto& [clip, c] : tracks) {
      auto& track = std::get<ShapeChannel>(clip->channels[c]);
      track = half_of(track, 1, 1 / grown, shape);
    }
  }
}

}  // namespace sinew::baking
