// SPDX-License-Identifier: Apache-2.0
#include "sinew/rig/internal/move_shapes.h"

#include <algorithm>
#include <utility>

#include "sinew/motion/internal/shape_channels.h"

namespace sinew {
namespace {

void move_clip(Clip& clip, const ShapePlaces& places) {
  std::vector<Channel> channels;
  for (Channel& channel : clip.channels) {
    const auto* shapes = std::get_if<ShapeChannel>(&channel);
    if (shapes == nullptr) {
      channels.push_back(std::move(channel));
      continue;
    }
    if (shapes->curve.values.empty()) continue;
    std::vector<std::pair<int, std::size_t>> moved;  // new shape, place in the channel
    for (std::size_t i = 0; i < shapes->curve.values.front().size(); ++i) {
      for (const int shape : places[shapes->first_shape + static_cast<int>(i)]) {
        moved.emplace_back(shape, i);
      }
    }
    std::sort(moved.begin(), moved.end());
    for (std::size_t first = 0; first < moved.size();) {
      std::vector<std::size_t> which;
      std::size_t next = first;
      while (next < moved.size() && moved[next].first == moved[first].first + int(next - first)) {
        which.push_back(moved[next++].second);
      }
      channels.emplace_back(channel_part(*shapes, moved[first].first, which));
      first = next;
    }
  }
  clip.channels = std::move(channels);
}

}  // namespace

void move_shapes(Rig& rig, const ShapePlaces& places) {
  for (Clip& clip : rig.clips) move_clip(clip, places);
  std::vector<ShapeDriver> drivers;
  for (const ShapeDriver& driver : rig.shape_drivers) {
    for (const int shape : places[driver.shape]) {
      drivers.push_back(driver);
      drivers.back().shape = shape;
    }
  }
  rig.shape_drivers = std::move(drivers);
  for (PoseSpace& space : rig.pose_spaces) {
    for (PoseExample& example : space.examples) {
      std::vector<int> shapes;
      for (const int shape : example.shapes) {
        shapes.insert(shapes.end(), places[shape].begin(), places[shape].end());
      }
      example.shapes = std::move(shapes);
    }
    std::erase_if(space.examples,
                  [](const PoseExample& example) { return example.shapes.empty(); });
  }
  std::erase_if(rig.pose_spaces, [](const PoseSpace& space) { return space.examples.empty(); });
}

}  // namespace sinew
