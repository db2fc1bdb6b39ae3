// SPDX-License-Identifier: Apache-2.0
// Distances along the surface from a point on it, as far as a given radius.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sinew/mesh/adjacency.h"
#include "sinew/mesh/mesh.h"

namespace sinew {

// Goes by indices: hand in a welded mesh, or distances end at seams. Gaps are not crossed.
// Distances spread from triangle to triangle as if these were unfolded into a plane around a
// virtual source (the idea of Reimers 2004), in the order of a fast march, and along edges: exact
// on developable surfaces as long as no corner stands in the way, elsewhere a little too large. A
// query costs in proportion to the vertices it reaches.
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

  // The vertices not farther than `radius` from the point `barycentric` of a triangle with these
  // corners, the nearest first. Valid until the next call. What lies only behind triangles whose
  // corners are all out of reach may be missed, except around the triangle itself. Throws
  // UsageError for a corner that is no vertex, and for numbers that are not finite.
  std::span<const Reached> within(const Triangle& corners, const Vec3& barycentric, double radius);

 private:
  double& distance_of(Index vertex);
  void offer(Index vertex, double distance);
  void expand(Index vertex);
  double through_edge(Index a, Index b, Index c);

  std::vector<Vec3> positions_;
  std::vector<Triangle> triangles_;
  Adjacency around_;
  // Stamped, so that a query need not clear what the last one left.
  std::vector<double> distances_;
  std::vector<std::uint64_t> stamps_;
  std::vector<std::uint8_t> expansions_;  // how often each vertex passed its distance on
  std::uint64_t stamp_ = 0;
  std::vector<std::pair<double, Index>> heap_;
  std::vector<Index> touched_;
  std::vector<Reached> reached_;
};

}  // namespace sinew
