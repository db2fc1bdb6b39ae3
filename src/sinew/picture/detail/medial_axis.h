// SPDX-License-Identifier: Apache-2.0
// The medial axis of a silhouette as trees of branches.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/picture/mask.h"

namespace sinew::detail {

struct AxisPoint {
  Vec2 position;
  double radius = 0;  // of the largest disc around the point that fits in the silhouette
};

// Points lead away from the root. The first is the last point of the branch `parent`, or the root
// if that is -1.
struct AxisBranch {
  int parent = -1;
  std::vector<AxisPoint> points;
  // It grows from a body, not just from a point where branches meet: see find_bodies.
  bool has_body = false;
  // It does not start at its parent's end, but where it leaves the thick part that it grows from.
  bool apart = false;
};

struct AxisTree {
  // How many pixels the island has.
  std::size_t area = 0;
  AxisPoint root;
  // Parents before children; none for a blob, whose root is then its centre.
  std::vector<AxisBranch> branches;
  // The direction in which the island is longest, of unit length.
  Vec2 direction{1, 0};
};

double distance(const Vec2& a, const Vec2& b);

double length_of(const std::vector<AxisPoint>& points);

// How far a branch reaches beyond the disc that it starts from.
double standing_out(const AxisBranch& branch);

// A tree for each island, largest first. Branches that hardly stand out are dropped, and junctions
// whose discs mostly overlap are merged.
std::vector<AxisTree> medial_axis(const Mask& mask);

}  // namespace sinew::detail
