// SPDX-License-Identifier: Apache-2.0
#include "sinew/mesh/winding.h"

#include <algorithm>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/quat.h"
#include "sinew/mesh/triangle.h"

namespace sinew {
namespace {

constexpr double full_angle = 4 * pi;

struct Range {
  std::size_t begin = 0, end = 0;
};

// The triangles below each node, in the tree's order: children come after their parents.
std::vector<Range> triangle_ranges(std::span<const Bvh::Node> nodes) {
  std::vector<Range> ranges(nodes.size());
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const std::size_t first = nodes[i].first;
    ranges[i] = nodes[i].is_leaf() ? Range{first, first + nodes[i].count}
                                   : Range{ranges[first].begin, ranges[first + 1].end};
  }
  return ranges;
}

// (y, z, x): the products of v and next(v) are xy, yz, zx.
Vec3 next(const Vec3& v) { return {v.y, v.z, v.x}; }
Vec3 last(const Vec3& v) { return {v.z, v.x, v.y}; }

}  // namespace

double winding_number_exact(const std::vector<Vec3>& positions,
                            const std::vector<Triangle>& triangles, const Vec3& p) {
  double sum = 0;
  for (const Triangle& t : triangles) {
    sum += solid_angle(p, positions[t[0]], positions[t[1]], positions[t[2]]);
  }
  return sum / full_angle;
}

WindingNumber::WindingNumber(const std::vector<Vec3>& positions,
                             const std::vector<Triangle>& triangles, double accuracy)
    : WindingNumber(Bvh(positions, triangles), accuracy) {}

WindingNumber::WindingNumber(Bvh bvh, double accuracy) : bvh_(std::move(bvh)) {
  if (!(accuracy >= 1)) {
    throw UsageError("the accuracy of a winding number is at least 1; 2 is a good choice");
  }
  const auto nodes = bvh_.nodes();
  const std::vector<Range> ranges = triangle_ranges(nodes);
  clusters_.resize(nodes.size());
  // Each node looks at all of its triangles: n log n in all, and sums that do not drift upwards.
  parallel_for(nodes.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      const auto triangles =
          bvh_.corners().subspan(ranges[n].begin, ranges[n].end - ranges[n].begin);
      Cluster& cluster = clusters_[n];
      const Vec3 middle = nodes[n].box.center();
      double area = 0;
      Vec3 moment;
      for (const auto& [a, b, c] : triangles) {
        const double weight = length(cross(b - a, c - a));
        area += weight;
        moment += ((a - middle) + (b - middle) + (c - middle)) * (weight / 3);
      }
      cluster.center = area > 0 ? middle + moment / area : middle;
      double radius_squared = 0;
      Vec3 trace;  // what the octupole has too much: R^2 times trace(r), to be taken out
      for (const auto& [a, b, c] : triangles) {
        const Vec3 normal = cross(b - a, c - a) * 0.5;
        const Vec3 arms[] = {a - cluster.center, b - cluster.center, c - cluster.center};
        const Vec3 sum = arms[0] + arms[1] + arms[2];
        cluster.dipole += normal;
        cluster.squares += scaled(normal, sum) / 3.0;
        cluster.products +=
            (scaled(next(normal), last(sum)) + scaled(last(normal), next(sum))) / 3.0;
        // The mean of d d^T over the triangle: its diagonal, and the elements yz zx xy.
        Vec3 same = scaled(sum, sum) / 12.0;
        Vec3 mixed = scaled(next(sum), last(sum)) / 12.0;
        for (const Vec3& arm : arms) {
          radius_squared = std::max(radius_squared, length_squared(arm));
          same += scaled(arm, arm) / 12.0;
          mixed += scaled(next(arm), last(arm)) / 12.0;
        }
        const Vec3 xy = last(mixed);  // xy yz zx
        const Vec3 xz = next(mixed);  // zx xy yz
        cluster.cubes += scaled(normal, same);
        cluster.by_next += 2.0 * scaled(normal, xy) + scaled(next(normal), same);
        cluster.by_last += 2.0 * scaled(normal, xz) + scaled(last(normal), same);
        cluster.xyz += 2 * dot(normal, mixed);
        trace +=
            2.0 * (scaled(same, normal) + scaled(xy, next(normal)) + scaled(xz, last(normal))) +
            (same.x + same.y + same.z) * normal;
      }
      const double third = (cluster.squares.x + cluster.squares.y + cluster.squares.z) / 3;
      cluster.squares -= Vec3{third, third, third};
      cluster.cubes -= trace / 5.0;
      cluster.by_next -= next(trace) / 5.0;
      cluster.by_last -= last(trace) / 5.0;
      cluster.reach_squared = accuracy * accuracy * radius_squared;
    }
  });
}

double WindingNumber::at(const Vec3& p) const {
  if (clusters_.empty()) return 0;
  const auto nodes = bvh_.nodes();
  std::array<Index, Bvh::max_depth + 1> stack;
  std::size_t size = 0;
  stack[size++] = 0;
  double sum = 0;
  while (size > 0) {
    const Index n = stack[--size];
    const Cluster& cluster = clusters_[n];
    const Vec3 r = cluster.center - p;
    const double squared = length_squared(r);
    if (squared > cluster.reach_squared) {
      const double inverse = 1 / squared;
      const Vec3 square = scaled(r, r);
      const double quadrupole =
          dot(cluster.squares, square) + dot(cluster.products, scaled(next(r), last(r)));
      const double octupole =
          dot(square, scaled(cluster.cubes, r) + scaled(cluster.by_next, next(r)) +
                          scaled(cluster.by_last, last(r))) +
          cluster.xyz * r.x * r.y * r.z;
      sum += (dot(cluster.dipole, r) + (7.5 * octupole * inverse - 3 * quadrupole) * inverse) *
             inverse * std::sqrt(inverse);
    } else if (nodes[n].is_leaf()) {
      for (Index i = nodes[n].first; i < nodes[n].first + nodes[n].count; ++i) {
        const auto& [a, b, c] = bvh_.corners()[i];
        sum += solid_angle(p, a, b, c);
      }
    } else {
      stack[size++] = nodes[n].first + 1;
      stack[size++] = nodes[n].first;
    }
  }
  return sum / full_angle;
}

}  // namespace sinew
