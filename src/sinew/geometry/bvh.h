// SPDX-License-Identifier: Apache-2.0
// A bounding volume hierarchy over the triangles of a mesh: nearest points and rays in logarithmic
// time.
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
  Vec3 barycentric;     // sums to 1
  double distance = 0;  // from the query point
};

// Where a ray meets a triangle: at origin + t * direction.
struct RayHit {
  double t = 0;  // in units of the ray's direction
  Index triangle = 0;
  Vec3 barycentric;
};

// Keeps its own copy of the triangles. Queries are const and may run on several threads at once;
// the same mesh gives the same results everywhere. A mesh without triangles has no nearest point
// and no hits. Nearest-point queries treat degenerate triangles as segments or points; rays never
// hit them.
class Bvh {
 public:
  // An inner node (count 0) has the child nodes `first` and `first + 1`; a leaf has the `count`
  // triangles of order() that start at `first`. Children come after their parents.
  struct Node {
    Box box;
    Index first = 0;
    Index count = 0;

    // Whether it has triangles rather than children.
    bool is_leaf() const { return count > 0; }
  };
  // The most nodes on any path from the root to a leaf.
  static constexpr std::size_t max_depth = 96;

  Bvh() = default;
  // Throws InputError for an index out of range or a coordinate that is not finite.
  Bvh(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles);

  // Whether there are no triangles.
  bool empty() const { return nodes_.empty(); }
  // How many triangles there are.
  std::size_t triangle_count() const { return order_.size(); }

  // The point of the surface nearest to p, within `max_distance`.
  std::optional<SurfacePoint> closest(
      const Vec3& p, double max_distance = std::numeric_limits<double>::infinity()) const;

  // The nearest point that `accept` accepts. It is asked about each triangle's point nearest to p;
  // if that is refused, the whole triangle is ignored.
  using Accept = std::function<bool(Index triangle, const Vec3& barycentric)>;
  std::optional<SurfacePoint> closest_accepted(
      const Vec3& p, const Accept& accept,
      double max_distance = std::numeric_limits<double>::infinity()) const;

  // Rays hit both sides of a triangle, its edges and its corners: no ray slips through between two
  // triangles that share an edge or a corner with the same coordinates (after Woop, Benthin and
  // Wald 2013). Only hits with t in [t_min, t_max] count; of two hits at the same t, the triangle
  // with the lower index wins. `below` is a node that all triangles which may count are below.
  std::optional<RayHit> first_hit(const Ray& ray, double t_min = 0,
                                  double t_max = std::numeric_limits<double>::infinity(),
                                  Index below = 0) const;
  bool any_hit(const Ray& ray, double t_min = 0,
               double t_max = std::numeric_limits<double>::infinity()) const;

  // How often the ray crosses the surface. A ray through an edge or a corner is perturbed
  // symbolically, by an infinitesimal step that is the same for all triangles. So a crossing counts
  // once and a touch an even number of times: from inside a closed surface the count is odd.
  std::size_t count_hits(const Ray& ray, double t_min = 0,
                         double t_max = std::numeric_limits<double>::infinity()) const;

  // The tree itself, for other sums over it. nodes()[0] is the root.
  std::span<const Node> nodes() const { return nodes_; }
  // The lowest node that has all triangles below it that may touch the box. Rays that count only
  // within the box can begin there.
  Index node_around(const Box& box) const;
  std::span<const Index> order() const { return order_; }                    // indices of triangles
  std::span<const std::array<Vec3, 3>> corners() const { return corners_; }  // in the same order

 private:
  std::vector<Node> nodes_;
  std::vector<Index> order_;
  std::vector<std::array<Vec3, 3>> corners_;
};

}  // namespace sinew
