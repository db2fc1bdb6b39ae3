// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/internal/shape_channels.h"

namespace sinew {

ShapeChannel channel_part(const ShapeChannel& channel, int first_shape,
                          std::span<const std::size_t> places) {
  ShapeChannel part{first_shape, channel.curve};
  const auto keep = [&](std::vector<double>& values) {
    std::vector<double> kept;
    for (const std::size_t place : places) kept.push_back(values[place]);
    values = std::move(kept);
  };
  for (std::vector<double>& values : part.curve.values) keep(values);
  for (auto* handles : {&part.curve.in, &part.curve.out}) {
    for (auto& handle : *handles) keep(handle.value);
  }
  return part;
}

}  // namespace sinew
