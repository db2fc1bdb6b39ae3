// SPDX-License-Identifier: Apache-2.0
// The edges of a shape, for their lengths in its poses.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/measure/edges.h"

namespace sinew::detail {

class RestEdges {
 public:
  // The mesh must be sound.
  RestEdges(const std::vector<Triangle>& triangles, const std::vector<Vec3>& rest);

  // See edge_stretch(). May be called on several threads at once.
  EdgeStretch stretch(const std::vector<Vec3>& deformed) const;

 private:
  struct Edge {
    Index a, b;
    double length;
  };
  std::vector<Edge> edges_;
  std::size_t no_length_ = 0;
};

}  // namespace sinew::detail
