// SPDX-License-Identifier: Apache-2.0
// Distances along the surface from a point on it, up to a given radius.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sinew/mesh/adjacency.h"
#include "sinew/mesh/mesh.h"

namespace sinew {

// Compares indices only: weld first, or distances stop at seams. Gaps are not crossed. Distances
// propagate in the order of fast marching: across triangles, unfolded into a plane around a virtual
// source (after Reimers 2004), and along edges. They are exact on developable surfaces where the
// straight path passes no corner, and a little too large elsewhere. The cost of a query is
// proportional to the vertices it reaches.
class SurfaceDistance {
 public:
  // A vertex within the radius, and how far along the surface it is.
  struct Reached {
    Index vertex;
    double distance;
  };

  SurfaceDistance() = default;
  // Throws InputError for an index out of range or a coordinate that is not finite.
  SurfaceDistance(std::vector<Vec3> positions, std::vector<Triangle> triangles);

  // The vertices within `radius` of the point `barycentric` of a triangle with these corners,
  // nearest first. Valid until the next call. Vertices that can only be reached across triangles
  // whose corners all lie beyond the radius may be missed, except around the given triangle. Throws
  // UsageError for a corner that is not a vertex, and for numbers that are not finite.
  std::span<const Reached> within(const Triangle& corners, const Vec3& barycentric, double radius);

 private:
  double& distance_of(Index vertex);
  void offer(Index vertex, double distance);
  void expand(Index vertex);
  double through_edge(Index a, Index b, Index c);

  std::vector<Vec3> positions_;
  std::vector<Triangle> triangles_;
  Adjacency around_;
  // Entries are valid if their stamp is the current one, so that queries need not clear them.
  std::vector<double> distances_;
  std::vector<std::uint64_t> stamps_;
  std::vector<std::uint8_t> expansions_;  // how often each vertex was expanded
  std::uint64_t stamp_ = 0;
  std::vector<std::pair<double, Index>> heap_;
  std::vector<Index> touched_;
  std::vector<Reached> reached_;
};

}  // namespace sinew
