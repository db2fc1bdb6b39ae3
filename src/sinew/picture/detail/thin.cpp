// SPDX-License-Identifier: Apache-2.0
#include "sinew/picture/detail/thin.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "sinew/picture/detail/simple_point.h"

namespace sinew::detail {
namespace {

// The lower envelope of parabolas of the given heights, one on each of the `count` places.
void envelope(std::vector<double>& heights, int count, std::vector<int>& places,
              std::vector<double>& starts, std::vector<double>& result) {
  const auto height = [&](int i) { return heights[i]; };
  std::size_t top = 0;
  places[0] = 0;
  starts[0] = -std::numeric_limits<double>::infinity();
  for (int i = 1; i < count; ++i) {
    double meet = 0;
    for (;; --top) {
      const int p = places[top];
      meet = (height(i) + double(i) * i - height(p) - double(p) * p) / (2.0 * (i - p));
      if (meet > starts[top]) break;
    }
    ++top;
    places[top] = i;
    starts[top] = meet;
  }
  const std::size_t last = top;
  top = 0;
  for (int i = 0; i < count; ++i) {
    while (top < last && starts[top + 1] < i) ++top;
    const int p = places[top];
    result[i] = double(i - p) * (i - p) + height(p);
  }
  std::swap(heights, result);
}

// Whether the distance grows in no direction as it does away from a single side. On the axis of a
// corner of 90 degrees it grows by 0.71 a pixel, elsewhere by 0.92 at least towards some neighbour.
bool is_ridge(const Mask& mask, const std::vector<double>& distances, std::uint32_t pixel) {
  const int x = static_cast<int>(pixel % static_cast<std::uint32_t>(mask.width));
  const int y = static_cast<int>(pixel / static_cast<std::uint32_t>(mask.width));
  for (std::size_t k = 0; k < 8; ++k) {
    const int u = x + ring_x[k], v = y + ring_y[k];
    if (!mask.at(u, v)) continue;
    const double step = k % 2 == 0 ? 1 : std::sqrt(2.0);
    if (distances[mask.index(u, v)] - distances[pixel] > 0.8 * step) return false;
  }
  return true;
}

// With one neighbour, or two beside one another.
bool is_line_end(unsigned around) {
  const unsigned turned = (around << 1 | around >> 7) & 255u;
  return std::popcount(around) < 2 || (std::popcount(around) == 2 && (around & turned) != 0);
}

}  // namespace

std::vector<double> distances_to_outside(const Mask& mask) {
  // With a frame of outside.
  const int width = mask.width + 2, height = mask.height + 2;
  const std::size_t longest = std::max(width, height);
  const double far = 4.0 * double(longest) * double(longest);
  std::vector<double> squared(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  const auto at = [&](int x, int y) -> double& {
    return squared[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                   static_cast<std::size_t>(x)];
  };
  std::vector<double> line(longest), result(longest), starts(longest + 1);
  std::vector<int> places(longest + 1);
  for (int x = 0; x < width; ++x) {
    for (int y = 0; y < height; ++y) {
      line[y] = mask.at(x - 1, y - 1) ? far : 0;
    }
    envelope(line, height, places, starts, result);
    for (int y = 0; y < height; ++y) at(x, y) = line[y];
  }
  std::vector<double> distances(mask.inside.size());
  for (int y = 1; y + 1 < height; ++y) {
    for (int x = 0; x < width; ++x) line[x] = at(x, y);
    envelope(line, width, places, starts, result);
    for (int x = 1; x + 1 < width; ++x) {
      distances[mask.index(x - 1, y - 1)] = std::sqrt(line[x]);
    }
  }
  return distances;
}

Mask thinned(const Mask& mask, const std::vector<double>& distances) {
  const int stride = mask.width + 2;
  std::vector<std::uint8_t> cells(static_cast<std::size_t>(stride) *
                                  static_cast<std::size_t>(mask.height + 2));
  struct Cell {
    double distance;
    std::uint32_t pixel, cell;
  };
  std::vector<Cell> order;
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) {
      if (!mask.at(x, y)) continue;
      const auto cell = static_cast<std::uint32_t>((y + 1) * stride + x + 1);
      cells[cell] = 1;
      order.push_back(
          {distances[mask.index(x, y)], static_cast<std::uint32_t>(mask.index(x, y)), cell});
    }
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const Cell& a, const Cell& b) { return a.distance < b.distance; });
  const auto take_all = [&](auto&& keep) {
    const auto take = [&](const Cell& c) {
      const unsigned around = neighbours_at(cells.data() + c.cell, stride);
      if (!simple_points[around] || keep(c, around)) return false;
      cells[c.cell] = 0;
      return true;
    };
    for (std::size_t before = order.size() + 1; order.size() < before;) {
      before = order.size();
      order.erase(std::remove_if(order.begin(), order.end(), take), order.end());
    }
  };
  // First down to the ridges, and then these to lines. At once, a ridge of two pixels' width would
  // be taken from its end on.
  take_all([&](const Cell& c, unsigned) { return is_ridge(mask, distances, c.pixel); });
  take_all([&](const Cell&, unsigned around) { return is_line_end(around); });
  Mask skeleton(mask.width, mask.height);
  for (const Cell& c : order) skeleton.inside[c.pixel] = 1;
  return skeleton;
}

}  // namespace sinew::detail
