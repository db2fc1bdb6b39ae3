// SPDX-License-Identifier: Apache-2.0
#include "sinew/picture/detail/enclosed.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/picture/detail/background.h"
#include "sinew/picture/detail/islands.h"
#include "sinew/picture/detail/simple_point.h"
#include "sinew/picture/detail/thin.h"

namespace sinew::detail {
namespace {

// The colours of pixels, in [0, 1], away from edges that mix them with others.
class Colors {
 public:
  void add(const Pixel& p) {
    const Vec3 color = Vec3{double(p.r), double(p.g), double(p.b)} / 255;
    sum_ += color;
    squares_ += length_squared(color);
    ++count_;
  }
  Vec3 mean() const { return sum_ / std::max(count_, 1.0); }
  // The root mean square of differences from the mean.
  double spread() const {
    return std::sqrt(std::max(0.0, squares_ / std::max(count_, 1.0) - length_squared(mean())));
  }

 private:
  Vec3 sum_;
  double squares_ = 0, count_ = 0;
};

// What is known of an enclosed part.
struct Part {
  double radius = 0;  // of the largest disc in it
  Colors colors;
  std::set<std::uint32_t> islands;  // of the figure, beside it
  std::vector<double> walls;        // how thick the figure is beside it, halved, along its border
};

// Half of how thick a mask is around a pixel: the distance to the outside uphill from it.
double half_thickness(const Mask& mask, const std::vector<double>& distances, int x, int y) {
  for (;;) {
    int next_x = x, next_y = y;
    for (std::size_t k = 0; k < 8; ++k) {
      const int u = x + ring_x[k], v = y + ring_y[k];
      if (mask.at(u, v) && distances[mask.index(u, v)] > distances[mask.index(next_x, next_y)]) {
        next_x = u;
        next_y = v;
      }
    }
    if (next_x == x && next_y == y) return distances[mask.index(x, y)] - 0.5;
    x = next_x;
    y = next_y;
  }
}

double longer_side(const Mask& mask) {
  int left = mask.width, right = -1, top = mask.height, bottom = -1;
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) {
      if (!mask.at(x, y)) continue;
      left = std::min(left, x);
      right = std::max(right, x);
      top = std::min(top, y);
      bottom = std::max(bottom, y);
    }
  }
  return std::max(right - left, bottom - top) + 1;
}

// All parts, those too small for a gap left empty.
class Survey {
 public:
  Survey(const Image& picture, const Mask& outer, const Mask& enclosed, const Islands& labels,
         std::size_t least_area)
      : parts_(labels.size.size()) {
    Mask figure = outer;
    for (std::size_t i = 0; i < figure.inside.size(); ++i) {
      figure.inside[i] = outer.inside[i] || enclosed.inside[i] ? 0 : 1;
    }
    size_ = longer_side(figure);
    const std::vector<double> wall = distances_to_outside(figure),
                              depth = distances_to_outside(enclosed),
                              around = distances_to_outside(outer);
    const Islands islands = find_islands(figure);
    for (int y = 0; y < figure.height; ++y) {
      for (int x = 0; x < figure.width; ++x) {
        const std::size_t i = figure.index(x, y);
        if (around[i] > 1.5) outside_.add(picture.at(x, y));
        const std::uint32_t label = labels.label[i];
        if (label == 0 || labels.size[label - 1] < least_area) continue;
        Part& part = parts_[label - 1];
        part.radius = std::max(part.radius, depth[i] - 0.5);
        if (depth[i] > 1.5) part.colors.add(picture.at(x, y));
        for (std::size_t k = 0; k < 8; k += 2) {
          const int u = x + ring_x[k], v = y + ring_y[k];
          if (!figure.at(u, v)) continue;
          const std::uint32_t island = islands.label[figure.index(u, v)];
          // Specks are not something in it.
          if (islands.size[island - 1] >= 4) part.islands.insert(island);
          part.walls.push_back(half_thickness(figure, wall, u, v));
        }
      }
    }
  }

  bool is_gap(std::size_t number) {
    Part& part = parts_[number];
    if (part.radius < 2 || part.islands.size() != 1) return false;
    const Vec3 off = part.colors.mean() - outside_.mean();
    const double difference = std::max({std::fabs(off.x), std::fabs(off.y), std::fabs(off.z)});
    if (difference > 0.01 + outside_.spread() ||
        part.colors.spread() > 0.01 + 1.5 * outside_.spread()) {
      return false;
    }
    const auto tenth = part.walls.begin() + static_cast<std::ptrdiff_t>(part.walls.size() / 10);
    std::nth_element(part.walls.begin(), tenth, part.walls.end());
    return *tenth >= std::max({1.5, size_ / 100, part.radius / 8});
  }

 private:
  std::vector<Part> parts_;
  Colors outside_;
  double size_ = 0;
};

}  // namespace

EnclosedParts keep_gaps(Mask& background, const Image& picture, int smallest) {
  Mask enclosed = background;
  keep_what_reaches_the_border(background);
  std::size_t filled = 0;
  for (std::size_t i = 0; i < enclosed.inside.size(); ++i) {
    enclosed.inside[i] ^= background.inside[i];
    filled += background.inside[i] ? 0 : 1;
  }
  const Islands parts = find_islands(enclosed);
  const std::size_t least_area = std::max<std::size_t>(filled / 50, 1);
  std::vector<bool> is_gap(parts.size.size(), false);
  if (std::any_of(parts.size.begin(), parts.size.end(),
                  [&](std::size_t size) { return size >= least_area; })) {
    Survey survey(picture, background, enclosed, parts, least_area);
    for (std::size_t p = 0; p < is_gap.size(); ++p) {
      is_gap[p] = parts.size[p] >= least_area && survey.is_gap(p);
    }
  }
  EnclosedParts found;
  for (std::size_t p = 0; p < is_gap.size(); ++p) {
    if (parts.size[p] >= static_cast<std::size_t>(std::max(smallest, 1))) {
      ++(is_gap[p] ? found.gaps : found.others);
    }
  }
  for (std::size_t i = 0; i < enclosed.inside.size(); ++i) {
    if (enclosed.inside[i] && is_gap[parts.label[i] - 1]) background.inside[i] = 1;
  }
  return found;
}

}  // namespace sinew::detail
