// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/octree.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew::detail {
namespace {

Cell child(const Cell& cell, std::size_t which) {
  Cell result{cell.level + 1, cell.place};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    result.place[axis] = 2 * cell.place[axis] + static_cast<int>(which >> axis & 1);
  }
  return result;
}

}  // namespace

std::uint64_t Octree::key(const Cell& cell) {
  std::uint64_t value = static_cast<std::uint64_t>(cell.level);
  for (const int place : cell.place) value = value << 18 | static_cast<std::uint64_t>(place);
  return value;
}

Vec3 Octree::corner(const Cell& cell) const {
  const double s = side(cell);
  return low_ + Vec3{s * cell.place[0], s * cell.place[1], s * cell.place[2]};
}

void Octree::split(std::size_t leaf) {
  const Cell cell = leaves_[leaf];
  deepest_ = std::max(deepest_, cell.level + 1);
  number_.erase(key(cell));
  for (std::size_t which = 0; which < 8; ++which) {
    const std::size_t place = which == 0 ? leaf : leaves_.size();
    if (which > 0) leaves_.emplace_back();
    leaves_[place] = child(cell, which);
    number_[key(leaves_[place])] = static_cast<int>(place);
  }
}

Octree::Octree(const Vec3& low, double side, std::span<const SizedPoint> points)
    : low_(low), side_(side) {
  leaves_.push_back({});
  number_[key(leaves_[0])] = 0;
  std::vector<std::vector<std::size_t>> inside(1);
  inside[0].resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) inside[0][i] = i;
  for (std::size_t leaf = 0; leaf < leaves_.size();) {
    const Cell cell = leaves_[leaf];
    const double s = this->side(cell);
    const bool fine = std::none_of(inside[leaf].begin(), inside[leaf].end(),
                                   [&](std::size_t i) { return points[i].size < s; });
    if (fine || cell.level >= max_level) {
      ++leaf;
      continue;
    }
    const std::vector<std::size_t> all = std::exchange(inside[leaf], {});
    const Vec3 middle = corner(cell) + Vec3{s, s, s} * 0.5;
    const std::size_t added = leaves_.size();
    split(leaf);
    inside.resize(leaves_.size());
    for (const std::size_t i : all) {
      const Vec3& p = points[i].point;
      const std::size_t which =
          (p.x >= middle.x ? 1u : 0u) | (p.y >= middle.y ? 2u : 0u) | (p.z >= middle.z ? 4u : 0u);
      inside[which == 0 ? leaf : added + which - 1].push_back(i);
    }
  }
  // Leaves that are added are looked at in turn, and so are those that ask for them again.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
      const Cell cell = leaves_[leaf];
      for (int n = 0; n < 27; ++n) {
        const Cell beside{
            cell.level,
            {cell.place[0] + n % 3 - 1, cell.place[1] + n / 3 % 3 - 1, cell.place[2] + n / 9 - 1}};
        for (;;) {
          const int other = leaf_around(beside);
          if (other < 0 || leaves_[other].level >= cell.level - 1) break;
          split(static_cast<std::size_t>(other));
          changed = true;
        }
      }
    }
  }
}

int Octree::leaf_around(const Cell& cell) const {
  for (const int place : cell.place) {
    if (place < 0 || place >= 1 << cell.level) return -1;
  }
  for (int up = 0; up <= cell.level; ++up) {
    const Cell outer{cell.level - up,
                     {cell.place[0] >> up, cell.place[1] >> up, cell.place[2] >> up}};
    const auto found = number_.find(key(outer));
    if (found != number_.end()) return found->second;
  }
  return -1;
}

int Octree::leaf_at(const Vec3& point) const {
  Cell cell{deepest_, {}};
  const double last = static_cast<double>((1 << deepest_) - 1);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double place = (point[axis] - low_[axis]) / side_ * (last + 1);
    cell.place[axis] = static_cast<int>(std::clamp(std::floor(place), 0.0, last));
  }
  return leaf_around(cell);
}

}  // namespace sinew::detail
