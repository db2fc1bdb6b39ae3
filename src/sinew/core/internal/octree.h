// SPDX-License-Identifier: Apache-2.0
// Space cut into smaller and smaller cubes where that is asked for.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/internal/key_map.h"
#include "sinew/core/vec.h"

namespace sinew {

// A cube. Those of level 0 are the octree's roots; each level halves their sides.
struct OctreeCell {
  int level = 0;
  std::array<int, 3> place{};  // in cubes of its level from the octree's origin

  OctreeCell child(int which) const;  // bit 0 of `which`: the upper half in x, and so on
  OctreeCell parent() const;
};

// A block of root cubes, some of them cut into eight, again and again. Leaves, which are not cut,
// have sides that differ by no more than a factor of two where they touch.
class Octree {
 public:
  static constexpr int max_level = 16;

  // `split[l]` are the cells of level l to cut, each once, all inside of the roots or of cells that
  // are cut; more are cut where leaves that touch would differ too much. Throws UsageError if there
  // are 2^19 cells of the deepest level or more along an axis.
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
  // The number of that very leaf; -1 where it is none.
  int leaf(const OctreeCell& cell) const;
  // Of the leaf that contains the cell; -1 where there are smaller ones, or outside.
  int leaf_around(const OctreeCell& cell) const;
  // Of the leaf that contains the point, which is pulled in if it is outside.
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

// Where cells are to have sides of `size` or less.
struct SizedPoint {
  Vec3 point;
  double size = 0;
};

// One cube, cut where points ask for it.
Octree octree_from_points(const Vec3& low, double side, std::span<const SizedPoint> points);

}  // namespace sinew
