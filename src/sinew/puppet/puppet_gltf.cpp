// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sinew/image/png.h"
#include "sinew/puppet/puppet.h"

namespace sinew {
namespace {

// Gives transparent pixels the colour of their neighbours, as far as the mesh reaches: engines
// filter colours without regard to alpha and would draw a dark rim.
void spread_colors(Image& image, int distance) {
  struct Slot {
    int x, y;
  };
  std::vector<std::uint8_t> known(image.pixels().size());
  const auto index = [&](int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width()) +
           static_cast<std::size_t>(x);
  };
  for (std::size_t i = 0; i < known.size(); ++i) known[i] = image.pixels()[i].a != 0;
  constexpr std::array<Slot, 8> around{
      {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};
  const auto mixed = [&](int x, int y) {
    std::array<int, 3> sum{};
    int count = 0;
    for (const Slot& d : around) {
      const int u = x + d.x, v = y + d.y;
      if (u < 0 || v < 0 || u >= image.width() || v >= image.height()) continue;
      if (known[index(u, v)] == 0) continue;
      const Pixel& p = image.at(u, v);
      sum = {sum[0] + p.r, sum[1] + p.g, sum[2] + p.b};
      ++count;
    }
    const auto byte = [&](int channel) {
      return static_cast<std::uint8_t>(channel / std::max(count, 1));
    };
    return std::pair(count > 0, Pixel{byte(sum[0]), byte(sum[1]), byte(sum[2]), 0});
  };
  std::vector<Slot> border;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      if (known[index(x, y)] == 0 && mixed(x, y).first) border.push_back({x, y});
    }
  }
  for (int step = 0; step < distance && !border.empty(); ++step) {
    for (const Slot& p : border) image.at(p.x, p.y) = mixed(p.x, p.y).second;
    for (const Slot& p : border) known[index(p.x, p.y)] = 1;
    std::vector<Slot> next;
    for (const Slot& p : border) {
      for (const Slot& d : around) {
        const int u = p.x + d.x, v = p.y + d.y;
        if (u < 0 || v < 0 || u >= image.width() || v >= image.height()) continue;
        // Marked as waiting, so that each is listed once.
        if (known[index(u, v)] != 0) continue;
        known[index(u, v)] = 2;
        next.push_back({u, v});
      }
    }
    for (const Slot& p : next) known[index(p.x, p.y)] = 0;
    border = std::move(next);
  }
}

}  // namespace

Model to_gltf(const Puppet& puppet) {
  Model model;
  model.rig = puppet.rig;
  Image texture = puppet.texture;
  spread_colors(texture, 8);
  model.looks.push_back({.picture = encode_png(texture), .see_through = true, .unlit = true});
  return model;
}

}  // namespace sinew
