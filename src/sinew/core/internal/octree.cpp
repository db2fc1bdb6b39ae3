// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/internal/octree.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr int place_bits = 19;

std::uint64_t key_of(const OctreeCell& cell) {
  std::uint64_t key = static_cast<std::uint64_t>(cell.level);
  for (int axis = 2; axis >= 0; --axis) {
    key = key << place_bits | static_cast<std::uint64_t>(cell.place[axis]);
  }
  return key;
}

bool by_key(const OctreeCell& a, const OctreeCell& b) { return key_of(a) < key_of(b); }

}  // namespace

OctreeCell OctreeCell::child(int which) const {
  return {level + 1,
          {place[0] * 2 + (which & 1), place[1] * 2 + (which >> 1 & 1),
           place[2] * 2 + (which >> 2 & 1)}};
}

OctreeCell OctreeCell::parent() const {
  return {level - 1, {place[0] >> 1, place[1] >> 1, place[2] >> 1}};
}

Octree::Octree(const Vec3& origin, double root_side, const std::array<int, 3>& roots,
               std::vector<std::vector<OctreeCell>> split)
    : origin_(origin), root_side_(root_side), roots_(roots) {
  const int most = *std::max_element(roots.begin(), roots.end());
  if (split.size() > max_level || most >= 1 << (place_bits - static_cast<int>(split.size()))) {
    throw UsageError("an octree has too many levels for its number of roots");
  }
  balance(split);
  collect_leaves(split);
}

void Octree::balance(std::vector<std::vector<OctreeCell>>& split) {
  for (const std::vector<OctreeCell>& cells : split) {
    split_.emplace_back(cells.size());
    for (const OctreeCell& cell : cells) split_.back().insert(key_of(cell), 1);
  }
  // A split cell's neighbours of its own level must exist: their parents must be split.
  for (std::size_t level = split.size(); level-- > 1;) {
    for (const OctreeCell& cell : split[level]) {
      for (int n = 0; n < 27; ++n) {
        const OctreeCell neighbor{
            cell.level,
            {cell.place[0] + n % 3 - 1, cell.place[1] + n / 3 % 3 - 1, cell.place[2] + n / 9 - 1}};
        if (!is_inside(neighbor)) continue;
        const OctreeCell above = neighbor.parent();
        if (is_split(above)) continue;
        split_[level - 1].insert(key_of(above), 1);
        split[level - 1].push_back(above);
      }
    }
  }
}

void Octree::collect_leaves(std::vector<std::vector<OctreeCell>>& split) {
  for (int z = 0; z < roots_[2]; ++z) {
    for (int y = 0; y < roots_[1]; ++y) {
      for (int x = 0; x < roots_[0]; ++x) {
        const OctreeCell cell{0, {x, y, z}};
        if (!is_split(cell)) leaves_.push_back(cell);
      }
    }
  }
  for (std::vector<OctreeCell>& cells : split) {
    std::sort(cells.begin(), cells.end(), by_key);
    for (const OctreeCell& cell : cells) {
      for (int which = 0; which < 8; ++which) {
        const OctreeCell child = cell.child(which);
        if (!is_split(child)) leaves_.push_back(child);
      }
    }
  }
  leaf_of_ = KeyMap(leaves_.size());
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    leaf_of_.insert(key_of(leaves_[i]), static_cast<std::uint32_t>(i));
  }
}

Vec3 Octree::corner(const OctreeCell& cell) const {
  const double s = side(cell);
  return origin_ + Vec3{s * cell.place[0], s * cell.place[1], s * cell.place[2]};
}

bool Octree::is_split(const OctreeCell& cell) const {
  const std::size_t level = cell.level;
  return level < split_.size() && split_[level].contains(key_of(cell));
}

bool Octree::is_inside(const OctreeCell& cell) const {
  for (int axis = 0; axis < 3; ++axis) {
    if (cell.place[axis] < 0 || cell.place[axis] >= roots_[axis] << cell.level) return false;
  }
  return true;
}

int Octree::leaf(const OctreeCell& cell) const {
  return static_cast<int>(leaf_of_.find(key_of(cell)));  // absent becomes -1
}

int Octree::leaf_around(const OctreeCell& cell) const {
  if (!is_inside(cell)) return -1;
  for (OctreeCell outer = cell; outer.level >= 0; outer = outer.parent()) {
    if (const int found = leaf(outer); found >= 0) return found;
  }
  return -1;
}

int Octree::leaf_at(const Vec3& point) const {
  OctreeCell cell{static_cast<int>(split_.size()), {}};
  const double cell_side = side(cell);
  for (int axis = 0; axis < 3; ++axis) {
    const double last = static_cast<double>((roots_[axis] << cell.level) - 1);
    const double place = (point[axis] - origin_[axis]) / cell_side;
    cell.place[axis] = static_cast<int>(std::clamp(std::floor(place), 0.0, last));
  }
  return leaf_around(cell);
}

Octree octree_from_points(const Vec3& low, double side, std::span<const SizedPoint> points) {
  std::vector<std::vector<OctreeCell>> split;
  for (const SizedPoint& p : points) {
    double cell_side = side;
    for (int level = 0; level < Octree::max_level && p.size < cell_side; ++level, cell_side /= 2) {
      OctreeCell cell{level, {}};
      const double last = static_cast<double>((1 << level) - 1);
      for (int axis = 0; axis < 3; ++axis) {
        const double place = (p.point[axis] - low[axis]) / cell_side;
        cell.place[axis] = static_cast<int>(std::clamp(std::floor(place), 0.0, last));
      }
      if (split.size() <= static_cast<std::size_t>(level)) split.emplace_back();
      split[level].push_back(cell);
    }
  }
  for (std::vector<OctreeCell>& cells : split) {
    std::sort(cells.begin(), cells.end(), by_key);
    const auto same = [](const OctreeCell& a, const OctreeCell& b) { return a.place == b.place; };
    cells.erase(std::unique(cells.begin(), cells.end(), same), cells.end());
  }
  return {low, side, {1, 1, 1}, std::move(split)};
}

}  // namespace sinew
