// SPDX-License-Identifier: Apache-2.0
// A tree of boxes over the triangles of a mesh: nearest points and rays in logarithmic time.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// The points origin + t * direction; the direction need not have unit length.
struct Ray {
  Vec3 origin;
  Vec3 direction;
};

// A point on a triangle of the mesh.
struct SurfacePoint {
  Vec3 position;
  Index triangle = 0;
  Vec3 barycentric;     // of the triangle's three corners, sum 1
  double distance = 0;  // from the point that was asked about
};

// Where a ray meets a triangle: at origin + t * direction.
struct RayHit {
  double t = 0;  // in units of the ray's direction
  Index triangle = 0;
  Vec3 barycentric;
};

// Keeps its own copy of the triangles. Queries are const and may run on several threads at once;
// the same mesh gives the same answers everywhere. A mesh without triangles has no nearest point
// and no hits. Triangles without area are found as nearest (as the segments or points that they
// are) and never hit by a ray.
class Bvh {
 public:
  // Box `box` around two nodes, `first` and `first + 1`, or around the `count` triangles from
  // `first` on in the order of order(). Children come after their parents.
  struct Node {
    Box box;
    Index first = 0;
    Index count = 0;

    // Whether it has triangles rather than children.
    bool is_leaf() const { return count > 0; }
  };
  // No path from the root to a leaf has more nodes than this.
  static constexpr std::size_t max_depth = 96;

  Bvh() = default;
  // Throws InputError for an index out of range or a coordinate that is not finite.
  Bvh(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles);

  // Whether there are no triangles.
  bool empty() const { return nodes_.empty(); }
  // How many triangles there are.
  std::size_t triangle_count() const { return order_.size(); }

  // The nearest point of the surface not farther from p than `max_distance`.
  std::optional<SurfacePoint> closest(
      const Vec3& p, double max_distance = std::numeric_limits<double>::infinity()) const;

  // The nearest of the points that `accept` says yes to, asked with each triangle's point nearest
  // to p: a triangle whose nearest point is refused counts as not there.
  using Accept = std::function<bool(Index triangle, const Vec3& barycentric)>;
  std::optional<SurfacePoint> closest_accepted(
      const Vec3& p, const Accept& accept,
      double max_distance = std::numeric_limits<double>::infinity()) const;

  // Rays hit both sides of a triangle, its edges and its corners: no ray slips through between two
  // triangles that share an edge or a corner with the same coordinates (the idea of Woop, Benthin
  // and Wald 2013). Only hits with t in [t_min, t_max] count; where two are equally near, that of
  // the triangle with the lower index.
  std::optional<RayHit> first_hit(const Ray& ray, double t_min = 0,
                                  double t_max = std::numeric_limits<double>::infinity()) const;
  bool any_hit(const Ray& ray, double t_min = 0,
               double t_max = std::numeric_limits<double>::infinity()) const;

  // How often the ray goes through the surface. A ray through an edge or a corner is pushed aside
  // by less than any number, the same way for all triangles, so that a way through is counted once
  // and touching from one side an even number of times: out of a closed surface the count is odd.
  std::size_t count_hits(const Ray& ray, double t_min = 0,
                         double t_max = std::numeric_limits<double>::infinity()) const;

  // The tree itself, for what else wants to be summed up over it. nodes()[0] is the root.
  std::span<const Node> nodes() const { return nodes_; }
  std::span<const Index> order() const { return order_; }                    // indices of triangles
  std::span<const std::array<Vec3, 3>> corners() const { return corners_; }  // in that order

 private:
  std::vector<Node> nodes_;
  std::vector<Index> order_;
  std::vector<std::array<Vec3, 3>> corners_;
};

}  // namespace sinew
