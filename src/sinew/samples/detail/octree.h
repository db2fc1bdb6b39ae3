// SPDX-License-Identifier: Apache-2.0
// An octree that is fine near the surface of a field, no two neighbours more than one level apart.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/samples/detail/key_map.h"
#include "sinew/samples/internal/implicit.h"

namespace sinew::samples {

// A cube whose lower corner is `at` cells of its own level from the octree's origin.
struct Cell {
  std::array<std::int32_t, 3> at{};
  std::int32_t level = 0;
};

class Octree {
 public:
  // Cells that the surface may pass are split until they are at most about twice the wanted edge
  // length (field.edge_length(p, edge)) and no larger than field.cell_limit(p). With `half` it
  // covers x >= 0 alone, cells beginning at x = 0.
  Octree(const Field& field, double edge, bool half);

  const std::vector<Cell>& leaves() const { return leaves_; }  // level by level, each in key order
  std::uint32_t leaf(const Cell& cell) const { return leaf_of_.find(key(cell)); }
  bool is_split(const Cell& cell) const;
  bool is_inside(const Cell& cell) const;
  bool is_half() const { return half_; }

  // Places in units of half the finest cell, so that cells' centres have whole coordinates.
  std::array<std::int32_t, 3> corner(const Cell& cell, int dx, int dy, int dz) const;
  std::array<std::int32_t, 3> center(const Cell& cell) const;
  Vec3 position(const std::array<std::int32_t, 3>& place) const;

 private:
  static std::uint64_t key(const Cell& cell);
  void split_near_surface(const Field& field, double edge);
  void balance();
  void collect_leaves();

  bool half_ = false;
  Vec3 origin_;
  double root_size_ = 1;
  std::array<std::int32_t, 3> roots_{};
  std::vector<std::vector<Cell>> split_;  // by level
  std::vector<KeyMap> is_split_;
  std::vector<Cell> leaves_;
  KeyMap leaf_of_;
};

}  // namespace sinew::samples
