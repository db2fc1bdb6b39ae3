// SPDX-License-Identifier: Apache-2.0
// Where poses of one shape make its surface intersect itself.
#pragma once

#include <vector>

#include "sinew/measure/self_intersections.h"
#include "sinew/mesh/mesh.h"

namespace sinew::detail {

// The order of the triangles in a tree over them, whatever their boxes.
struct TriangleTree {
  struct Node {
    Index first = 0, count = 0;  // as those of a Bvh
    Index end = 0;               // after its last triangle in the order
  };
  std::vector<Node> nodes;
  std::vector<Index> order;   // indices of triangles
  std::vector<Index> leaves;  // ascending by triangle
  std::vector<Index> runs;    // of leaves: where each begins, and where the last ends

  TriangleTree(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles);
};

// The tree is built for the shape at rest and serves all its poses, unless one crumples it.
class Crossings {
 public:
  // Both must outlive this; the mesh must be sound.
  Crossings(const std::vector<Triangle>& triangles, const std::vector<Vec3>& rest);

  // See self_intersections(). May be called on several threads at once.
  SelfIntersections find(const std::vector<Vec3>& deformed) const;

 private:
  const std::vector<Triangle>& triangles_;
  const std::vector<Vec3>& rest_;
  std::vector<Triangle> joined_;  // by the positions at rest
  TriangleTree tree_;
  double cost_ = 0;  // of the tree at rest
};

}  // namespace sinew::detail
