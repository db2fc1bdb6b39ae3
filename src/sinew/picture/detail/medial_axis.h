// SPDX-License-Identifier: Apache-2.0
// The middle of a silhouette as trees of branches.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/picture/mask.h"

namespace sinew::detail {

struct AxisPoint {
  Vec2 position;
  double radius = 0;  // of the largest disc around it inside the silhouette
};

// Away from the root; its first point is the last one of the branch `parent`, or the root (-1).
struct AxisBranch {
  int parent = -1;
  std::vector<AxisPoint> points;
  // What it grows from is a body of its own, and not just where branches meet: see find_bodies.
  bool has_body = false;
  // It starts away from there, where it leaves the thick part that it grows from.
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

// A tree for each island, the largest first. Branches that hardly stand out are left out, and
// junctions that share most of their discs are one.
std::vector<AxisTree> medial_axis(const Mask& mask);

}  // namespace sinew::detail
