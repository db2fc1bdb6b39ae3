// SPDX-License-Identifier: Apache-2.0
// A balanced octree over a block of cubes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/internal/key_map.h"
#include "sinew/core/vec.h"

namespace sinew {

// A cube. Level 0 are the octree's roots; each further level halves the side.
struct OctreeCell {
  int level = 0;
  std::array<int, 3> place{};  // from the octree's origin, in cubes of its level

  OctreeCell child(int which) const;  // bit 0 of `which`: the upper half in x, and so on
  OctreeCell parent() const;
};

// A block of root cubes, recursively split into eight. The sides of leaves that touch differ by a
// factor of two at most.
class Octree {
 public:
  static constexpr int max_level = 16;

  // `split[l]` are the cells of level l to split, without duplicates, each inside the roots or a
  // cell that is split. More cells are split to balance the tree. Throws UsageError if there are
  // 2^19 cells of the deepest level or more along an axis.
  Octree(const Vec3& origin, double root_side, const std::array<int, 3>& roots,
         std::vector<std::vector<OctreeCell>> split);

  std::span<const OctreeCell> leaves() const { return leaves_; }  // coarse to fine
  const Vec3& origin() const { return origin_; }
  double root_side() const { return root_side_; }
  double side(const OctreeCell& cell) const {
    return root_side_ / static_cast<double>(1 << cell.level);
  }
  Vec3 corner(const OctreeCell& cell) const;  // the lowest

  bool is_inside(const OctreeCell& cell) const;  // of the roots
  bool is_split(const OctreeCell& cell) const;
  // The number of this leaf; -1 if the cell is not a leaf.
  int leaf(const OctreeCell& cell) const;
  // The number of the leaf that contains the cell; -1 if the cell is split, or outside.
  int leaf_around(const OctreeCell& cell) const;
  // The number of the leaf that contains the point; points outside are clamped to the block.
  int leaf_at(const Vec3& point) const;

 private:
  void balance(std::vector<std::vector<OctreeCell>>& split);
  void collect_leaves(std::vector<std::vector<OctreeCell>>& split);

  Vec3 origin_;
  double root_side_ = 1;
  std::array<int, 3> roots_{};
  std::vector<KeyMap> split_;  // by level
  std::vector<OctreeCell> leaves_;
  KeyMap leaf_of_;
};

// Asks for a cell of at most this size at the point.
struct SizedPoint {
  Vec3 point;
  double size = 0;
};

// An octree with one root, split as the points ask.
Octree octree_from_points(const Vec3& low, double side, std::span<const SizedPoint> points);

}  // namespace sinew
