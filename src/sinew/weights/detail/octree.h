// SPDX-License-Identifier: Apache-2.0
// A cube cut into smaller and smaller cubes where points ask for it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew::detail {

struct Cell {
  int level = 0;               // the cube has 2^level of them along each side
  std::array<int, 3> place{};  // among those
};

// Where cells are to have sides of `size` or less.
struct SizedPoint {
  Vec3 point;
  double size = 0;
};

// Leaves whose sides differ by no more than a factor of two where they touch.
class Octree {
 public:
  static constexpr int max_level = 16;

  Octree(const Vec3& low, double side, std::span<const SizedPoint> points);

  std::span<const Cell> leaves() const { return leaves_; }
  double side(const Cell& cell) const { return side_ / static_cast<double>(1 << cell.level); }
  Vec3 corner(const Cell& cell) const;  // the lowest

  // The leaf that contains the point, those outside of the cube being pulled in.
  int leaf_at(const Vec3& point) const;
  // The leaf that contains that cell; -1 where there are smaller ones, or outside of the cube.
  int leaf_around(const Cell& cell) const;

 private:
  static std::uint64_t key(const Cell& cell);
  void split(std::size_t leaf);

  Vec3 low_;
  double side_ = 1;
  int deepest_ = 0;  // level that there is
  std::vector<Cell> leaves_;
  std::unordered_map<std::uint64_t, int> number_;
};

}  // namespace sinew::detail
