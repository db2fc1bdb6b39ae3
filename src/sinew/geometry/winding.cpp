// SPDX-License-Identifier: Apache-2.0
#include "sinew/geometry/winding.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/quat.h"
#include "sinew/mesh/triangle.h"

namespace sinew {
namespace {

constexpr double full_angle = 4 * pi;

// Nodes in the subtrees that one thread takes, about.
constexpr std::size_t largest_cluster = 2048;

// Nodes whose subtrees have nothing in common and hold all leaves, and the nodes above them,
// children before their parents. Neither depends on the number of threads.
struct Division {
  std::vector<Index> subtrees, above;
};

Division divided(std::span<const Bvh::Node> nodes) {
  std::vector<std::uint32_t> sizes(nodes.size(), 1);  // of the subtrees, in nodes
  Division division;
  for (std::size_t n = nodes.size(); n-- > 0;) {
    if (nodes[n].is_leaf()) continue;
    const std::size_t first = nodes[n].first;
    sizes[n] += sizes[first] + sizes[first + 1];
    if (sizes[n] <= largest_cluster) continue;
    division.above.push_back(static_cast<Index>(n));
    for (const std::size_t child : {first, first + 1}) {
      if (sizes[child] <= largest_cluster) division.subtrees.push_back(static_cast<Index>(child));
    }
  }
  if (division.above.empty() && !nodes.empty()) division.subtrees.push_back(0);
  return division;
}

// The largest squared distance that a point of the box can have.
double most_squared(const Box& box, const Vec3& p) {
  const Vec3 low = box.low - p, high = box.high - p;
  return std::max(low.x * low.x, high.x * high.x) + std::max(low.y * low.y, high.y * high.y) +
         std::max(low.z * low.z, high.z * high.z);
}

// The squared distance from p to the farthest corner of a triangle below the node.
double farthest_squared(const Bvh& bvh, Index node, const Vec3& p) {
  struct Entry {
    Index node;
    double most;
  };
  const auto nodes = bvh.nodes();
  std::array<Entry, Bvh::max_depth + 1> stack;
  std::size_t size = 0;
  stack[size++] = {node, std::numeric_limits<double>::infinity()};
  double farthest = 0;
  while (size > 0) {
    const Entry top = stack[--size];
    if (top.most <= farthest) continue;
    const Bvh::Node& here = nodes[top.node];
    if (here.is_leaf()) {
      for (const auto& corners : bvh.corners().subspan(here.first, here.count)) {
        for (const Vec3& corner : corners) {
          farthest = std::max(farthest, length_squared(corner - p));
        }
      }
      continue;
    }
    Entry near{here.first, most_squared(nodes[here.first].box, p)};
    Entry far{here.first + 1, most_squared(nodes[here.first + 1].box, p)};
    if (far.most < near.most) std::swap(near, far);
    stack[size++] = near;
    stack[size++] = far;
  }
  return farthest;
}

// (y, z, x): the products of v and next(v) are xy, yz, zx.
Vec3 next(const Vec3& v) { return {v.y, v.z, v.x}; }
Vec3 last(const Vec3& v) { return {v.z, v.x, v.y}; }

}  // namespace

double winding_number_exact(const std::vector<Vec3>& positions,
                            const std::vector<Triangle>& triangles, const Vec3& p) {
  require_indices(positions.size(), triangles);
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
  clusters_.resize(nodes.size());
  std::vector<double> areas(nodes.size());
  const auto fill = [&](std::size_t n) {
    Cluster& cluster = clusters_[n] = {};
    const std::size_t first = nodes[n].first;
    const Vec3 middle = nodes[n].box.center();
    Vec3 moment;
    const auto add_moment = [&](double area, const Vec3& centroid) {
      areas[n] += area;
      moment += (centroid - middle) * area;
    };
    const auto triangles = nodes[n].is_leaf() ? bvh_.corners().subspan(first, nodes[n].count)
                                              : std::span<const std::array<Vec3, 3>>();
    for (const auto& [a, b, c] : triangles) {
      add_moment(length(cross(b - a, c - a)), a + ((b - a) + (c - a)) / 3.0);
    }
    if (!nodes[n].is_leaf()) {
      for (const std::size_t child : {first, first + 1})
        add_moment(areas[child], clusters_[child].center);
    }
    cluster.center = areas[n] > 0 ? middle + moment / areas[n] : middle;

    for (const auto& [a, b, c] : triangles) cluster.add_triangle(a, b, c);
    if (!nodes[n].is_leaf()) {
      for (const std::size_t child : {first, first + 1}) cluster.add(clusters_[child]);
    }
  };
  // The children's radii would only give a bound; the exact radius over all corners makes queries
  // faster.
  const auto finish = [&](std::size_t n) {
    fill(n);
    clusters_[n].reach_squared =
        accuracy * accuracy * farthest_squared(bvh_, static_cast<Index>(n), clusters_[n].center);
  };
  const Division division = divided(nodes);
  parallel_for(division.subtrees.size(), 1, [&](std::size_t begin, std::size_t end) {
    std::vector<Index> order;  // parents before their children
    for (std::size_t i = begin; i < end; ++i) {
      order.assign(1, division.subtrees[i]);
      for (std::size_t k = 0; k < order.size(); ++k) {
        const Bvh::Node& node = nodes[order[k]];
        if (!node.is_leaf()) order.insert(order.end(), {node.first, node.first + 1});
      }
      for (std::size_t k = order.size(); k-- > 0;) finish(order[k]);
    }
  });
  for (const Index n : division.above) finish(n);
}

void WindingNumber::Cluster::add_products(const Vec3& n, const Vec3& d) {
  squares += scaled(n, d);
  products += scaled(next(n), last(d)) + scaled(last(n), next(d));
  const double third = (squares.x + squares.y + squares.z) / 3;
  squares -= Vec3{third, third, third};
}

void WindingNumber::Cluster::add_products(const Vec3& n, const Vec3& same, const Vec3& mixed) {
  const Vec3 xy = last(mixed);  // xy yz zx
  const Vec3 xz = next(mixed);  // zx xy yz
  const Vec3 trace = (2.0 * (scaled(same, n) + scaled(xy, next(n)) + scaled(xz, last(n))) +
                      (same.x + same.y + same.z) * n) /
                     5.0;
  cubes += scaled(n, same) - trace;
  by_next += 2.0 * scaled(n, xy) + scaled(next(n), same) - next(trace);
  by_last += 2.0 * scaled(n, xz) + scaled(last(n), same) - last(trace);
  xyz += 2 * dot(n, mixed);
}

void WindingNumber::Cluster::add_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 normal = cross(b - a, c - a) * 0.5;
  const Vec3 arms[] = {a - center, b - center, c - center};
  const Vec3 sum = arms[0] + arms[1] + arms[2];
  Vec3 same = scaled(sum, sum);
  Vec3 mixed = scaled(next(sum), last(sum));
  for (const Vec3& arm : arms) {
    same += scaled(arm, arm);
    mixed += scaled(next(arm), last(arm));
  }
  dipole += normal;
  add_products(normal, sum / 3.0);
  add_products(normal, same / 12.0, mixed / 12.0);
}

void WindingNumber::Cluster::add(const Cluster& child) {
  // With d = arm + d' in the child: (n r)(d r)^2 = (n r)(d' r)^2 + 2 (arm r)(n r)(d' r) + (n r)(arm
  // r)^2.
  const Vec3 arm = child.center - center;
  cubes += child.cubes;
  by_next += child.by_next;
  by_last += child.by_last;
  xyz += child.xyz;
  add_products(2.0 * arm, child.squares, child.products * 0.5);
  add_products(child.dipole, scaled(arm, arm), scaled(next(arm), last(arm)));
  squares += child.squares;
  products += child.products;
  add_products(child.dipole, arm);
  dipole += child.dipole;
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
