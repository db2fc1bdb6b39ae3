// SPDX-License-Identifier: Apache-2.0
#include "sinew/samples/detail/octree.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"

namespace sinew::samples {
namespace {

constexpr int deepest_level = 12;

Cell child(const Cell& cell, int index) {
  return {{cell.at[0] * 2 + (index & 1), cell.at[1] * 2 + ((index >> 1) & 1),
           cell.at[2] * 2 + ((index >> 2) & 1)},
          cell.level + 1};
}

Cell parent(const Cell& cell) {
  return {{cell.at[0] >> 1, cell.at[1] >> 1, cell.at[2] >> 1}, cell.level - 1};
}

}  // namespace

std::uint64_t Octree::key(const Cell& cell) {
  const auto part = [&](std::size_t axis) { return static_cast<std::uint64_t>(cell.at[axis]); };
  return (static_cast<std::uint64_t>(cell.level) << 57) | (part(2) << 38) | (part(1) << 19) |
         part(0);
}

Octree::Octree(const Field& field, double edge, bool half) : half_(half) {
  // Levels halve, so the coarsest size that the surface gets is tied to the edge length: the wanted
  // sizes then fall on whole levels rather than between them.
  const double coarsest = 1.9 * edge;
  const Vec3 extent = field.bounds().high - field.bounds().low;
  const double longest = std::max({extent.x, extent.y, extent.z});
  root_size_ = coarsest;
  while (root_size_ < longest / 6) root_size_ *= 2;
  origin_ = field.bounds().low - Vec3{1, 1, 1} * (0.51 * root_size_);
  if (half) origin_.x = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double span = field.bounds().high[axis] + 0.51 * root_size_ - origin_[axis];
    roots_[axis] = static_cast<std::int32_t>(std::ceil(span / root_size_));
  }
  split_near_surface(field, edge);
  balance();
  collect_leaves();
}

void Octree::split_near_surface(const Field& field, double edge) {
  std::vector<Cell> cells;
  for (std::int32_t z = 0; z < roots_[2]; ++z) {
    for (std::int32_t y = 0; y < roots_[1]; ++y) {
      for (std::int32_t x = 0; x < roots_[0]; ++x) cells.push_back({{x, y, z}, 0});
    }
  }
  double size = root_size_;
  split_.clear();
  for (int level = 0; level < deepest_level && !cells.empty(); ++level, size /= 2) {
    std::vector<std::uint8_t> wanted(cells.size());
    parallel_for(cells.size(), 512, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Cell& cell = cells[i];
        const Vec3 middle =
            origin_ + Vec3{cell.at[0] + 0.5, cell.at[1] + 0.5, cell.at[2] + 0.5} * size;
        // Generous, as distances to warped primitives and unions are not exact far away.
        const double reach = 1.7 * 0.866 * size;
        if (std::fabs(field.distance(middle).value) > reach) continue;
        // The wanted length is the least in the cell, not the one at its middle.
        const double length = std::max(field.edge_length(middle, edge) - 0.1 * size, 0.01 * edge);
        wanted[i] = size > 1.9 * 1.3 * length || size > field.cell_limit(middle);
      }
    });
    split_.emplace_back();
    std::vector<Cell> next;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!wanted[i]) continue;
      split_.back().push_back(cells[i]);
      for (int c = 0; c < 8; ++c) next.push_back(child(cells[i], c));
    }
    cells.swap(next);
  }
}

void Octree::balance() {
  is_split_.clear();
  for (const std::vector<Cell>& cells : split_) {
    is_split_.emplace_back(cells.size());
    for (const Cell& cell : cells) is_split_.back().insert(key(cell), 1);
  }
  // A split cell's neighbours of its own level must exist: their parents must be split.
  for (std::size_t level = split_.size(); level-- > 1;) {
    for (const Cell& cell : split_[level]) {
      for (std::int32_t n = 0; n < 27; ++n) {
        const Cell neighbor{
            {cell.at[0] + n % 3 - 1, cell.at[1] + n / 3 % 3 - 1, cell.at[2] + n / 9 - 1},
            cell.level};
        if (!is_inside(neighbor)) continue;
        const Cell above = parent(neighbor);
        if (is_split(above)) continue;
        is_split_[level - 1].insert(key(above), 1);
        split_[level - 1].push_back(above);
      }
    }
  }
}

void Octree::collect_leaves() {
  leaves_.clear();
  for (std::int32_t z = 0; z < roots_[2]; ++z) {
    for (std::int32_t y = 0; y < roots_[1]; ++y) {
      for (std::int32_t x = 0; x < roots_[0]; ++x) {
        const Cell cell{{x, y, z}, 0};
        if (!is_split(cell)) leaves_.push_back(cell);
      }
    }
  }
  for (std::vector<Cell>& cells : split_) {
    std::sort(cells.begin(), cells.end(),
              [](const Cell& a, const Cell& b) { return key(a) < key(b); });
    for (const Cell& cell : cells) {
      for (int c = 0; c < 8; ++c) {
        const Cell candidate = child(cell, c);
        if (!is_split(candidate)) leaves_.push_back(candidate);
      }
    }
  }
  leaf_of_ = KeyMap(leaves_.size());
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    leaf_of_.insert(key(leaves_[i]), static_cast<std::uint32_t>(i));
  }
}

bool Octree::is_split(const Cell& cell) const {
  const std::size_t level = cell.level;
  return level < is_split_.size() && is_split_[level].contains(key(cell));
}

bool Octree::is_inside(const Cell& cell) const {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (cell.at[axis] < 0 || cell.at[axis] >= (roots_[axis] << cell.level)) return false;
  }
  return true;
}

std::array<std::int32_t, 3> Octree::corner(const Cell& cell, int dx, int dy, int dz) const {
  const int shift = deepest_level - cell.level + 1;
  return {(cell.at[0] + dx) << shift, (cell.at[1] + dy) << shift, (cell.at[2] + dz) << shift};
}

std::array<std::int32_t, 3> Octree::center(const Cell& cell) const {
  const int shift = deepest_level - cell.level;
  return {(2 * cell.at[0] + 1) << shift, (2 * cell.at[1] + 1) << shift,
          (2 * cell.at[2] + 1) << shift};
}

Vec3 Octree::position(const std::array<std::int32_t, 3>& place) const {
  const double unit = root_size_ / static_cast<double>(2 << deepest_level);
  return origin_ + Vec3{place[0] * unit, place[1] * unit, place[2] * unit};
}

}  // namespace sinew::samples
