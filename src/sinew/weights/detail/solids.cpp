// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/solids.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <tuple>

#include "sinew/core/internal/disjoint_sets.h"
#include "sinew/core/parallel.h"
#include "sinew/core/rows.h"
#include "sinew/geometry/bvh.h"
#include "sinew/geometry/components.h"
#include "sinew/geometry/orient.h"

namespace sinew::detail {
namespace {

struct Body {
  std::vector<Triangle> triangles;
  Box box;
  std::optional<Bvh> bvh;
};

bool overlap(const Box& a, const Box& b) {
  return a.low.x <= b.high.x && a.low.y <= b.high.y && a.low.z <= b.high.z && b.low.x <= a.high.x &&
         b.low.y <= a.high.y && b.low.z <= a.high.z;
}

// Whether an edge of `a` goes through a triangle of `b`.
bool pierces(const std::vector<Vec3>& positions, const Body& a, Body& b) {
  if (!b.bvh) {
    const OwnVertices own = own_vertices(positions, b.triangles);
    b.bvh.emplace(own.positions, own.triangles);
  }
  for (const Triangle& t : a.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 &from = positions[t[i]], &to = positions[t[(i + 1) % 3]];
      if (!overlap({component_min(from, to), component_max(from, to)}, b.box)) continue;
      if (b.bvh->any_hit({from, to - from}, 0, 1)) return true;
    }
  }
  return false;
}

// The one along which bodies overlap least: they are apart by the most of their own lengths.
std::size_t widest_axis(const std::vector<Body>& bodies) {
  std::size_t best = 0;
  double most = -1;
  for (std::size_t axis = 0; axis < 3 && !bodies.empty(); ++axis) {
    double low = bodies[0].box.low[axis], high = bodies[0].box.high[axis], sum = 0;
    for (const Body& body : bodies) {
      low = std::min(low, body.box.low[axis]);
      high = std::max(high, body.box.high[axis]);
      sum += body.box.high[axis] - body.box.low[axis];
    }
    // Flat bodies have no length along it: any way between them is long.
    const double apart = high > low ? (high - low) / std::max(sum, 1e-9 * (high - low)) : 0;
    if (apart <= most) continue;
    most = apart;
    best = axis;
  }
  return best;
}

// How many times as many numbers as vertices a body may span, to keep something for each of them.
constexpr std::size_t most_gaps = 8;

// The vertices of the triangles, ascending.
std::vector<Index> vertices_of(const std::vector<Triangle>& triangles) {
  std::vector<Index> vertices;
  if (triangles.empty()) return vertices;
  Index first = triangles[0][0], last = first;
  for (const auto& [a, b, c] : triangles) {
    first = std::min({first, a, b, c});
    last = std::max({last, a, b, c});
  }
  if (last - first >= most_gaps * triangles.size()) {
    for (const Triangle& t : triangles) vertices.insert(vertices.end(), t.begin(), t.end());
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    return vertices;
  }
  std::vector<std::uint8_t> used(last - first + 1, 0);
  for (const Triangle& t : triangles) {
    for (const Index v : t) used[v - first] = 1;
  }
  vertices.reserve(static_cast<std::size_t>(std::count(used.begin(), used.end(), 1)));
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i] != 0) vertices.push_back(first + static_cast<Index>(i));
  }
  return vertices;
}

// Without those that have no area and those that repeat another: a surface that is there many times
// has the winding number 1 inside and two triangles at an edge, like any other.
std::vector<Triangle> sound_triangles(const std::vector<Vec3>& positions,
                                      const std::vector<Triangle>& triangles) {
  struct Turned {
    Index second, third;  // the corners that follow the lowest one
    Index triangle;
  };
  auto turns = rows_by_key<Turned>(positions.size(), [&](const auto& add) {
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      const auto& [a, b, c] = triangles[t];
      const Index low = std::min({a, b, c});
      const auto number = static_cast<Index>(t);
      add(low, low == a   ? Turned{b, c, number}
               : low == b ? Turned{c, a, number}
                          : Turned{a, b, number});
    }
  });
  std::vector<std::uint8_t> is_sound(triangles.size());
  parallel_for(triangles.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const auto& [a, b, c] = triangles[t];
      const Vec3 normal = cross(positions[b] - positions[a], positions[c] - positions[a]);
      is_sound[t] = length_squared(normal) > 0 ? 1 : 0;
    }
  });
  parallel_for(turns.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const auto row = turns[v];
      std::sort(row.begin(), row.end(), [](const Turned& a, const Turned& b) {
        return std::tie(a.second, a.third, a.triangle) < std::tie(b.second, b.third, b.triangle);
      });
      for (std::size_t i = 1; i < row.size(); ++i) {
        const Turned &last = row[i - 1], &here = row[i];
        if (last.second == here.second && last.third == here.third) is_sound[here.triangle] = 0;
      }
    }
  });
  std::vector<Triangle> sound;
  sound.reserve(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    if (is_sound[t] != 0) sound.push_back(triangles[t]);
  }
  return sound;
}

}  // namespace

OwnVertices own_vertices(const std::vector<Vec3>& positions,
                         const std::vector<Triangle>& triangles) {
  OwnVertices own;
  own.vertices = vertices_of(triangles);
  own.positions.reserve(own.vertices.size());
  for (const Index v : own.vertices) own.positions.push_back(positions[v]);
  own.triangles = triangles;
  if (own.vertices.empty()) return own;
  const Index first = own.vertices.front();
  if (own.vertices.back() - first >= most_gaps * own.vertices.size()) {
    for (Triangle& t : own.triangles) {
      for (Index& v : t) {
        v = static_cast<Index>(std::lower_bound(own.vertices.begin(), own.vertices.end(), v) -
                               own.vertices.begin());
      }
    }
    return own;
  }
  std::vector<Index> number(own.vertices.back() - first + 1);
  for (std::size_t i = 0; i < own.vertices.size(); ++i) {
    number[own.vertices[i] - first] = static_cast<Index>(i);
  }
  for (Triangle& t : own.triangles) {
    for (Index& v : t) v = number[v - first];
  }
  return own;
}

Solids find_solids(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles) {
  const Oriented oriented = orient(positions, sound_triangles(positions, triangles));
  const Components components = connected_components(positions.size(), oriented.triangles);
  std::vector<Body> bodies;
  std::vector<int> number(components.count, -1);
  for (std::size_t t = 0; t < oriented.triangles.size(); ++t) {
    int& body = number[components.of_triangle[t]];
    if (body < 0) {
      body = static_cast<int>(bodies.size());
      bodies.emplace_back();
    }
    bodies[body].triangles.push_back(oriented.triangles[t]);
  }
  for (Body& body : bodies) {
    body.box.low = body.box.high = positions[body.triangles[0][0]];
    for (const Triangle& t : body.triangles) {
      for (const Index v : t) {
        body.box.low = component_min(body.box.low, positions[v]);
        body.box.high = component_max(body.box.high, positions[v]);
      }
    }
  }
  DisjointSets sets(bodies.size());
  Solids result;
  result.turned = oriented.turned;
  // Sorted along an axis, so that bodies far apart are never compared.
  const std::size_t axis = widest_axis(bodies);
  std::vector<std::size_t> by_low(bodies.size());
  std::iota(by_low.begin(), by_low.end(), std::size_t{0});
  std::stable_sort(by_low.begin(), by_low.end(), [&](std::size_t a, std::size_t b) {
    return bodies[a].box.low[axis] < bodies[b].box.low[axis];
  });
  for (std::size_t i = 0; i < by_low.size(); ++i) {
    Body& a = bodies[by_low[i]];
    for (std::size_t j = i + 1; j < by_low.size(); ++j) {
      Body& b = bodies[by_low[j]];
      if (b.box.low[axis] > a.box.high[axis]) break;
      if (sets.find(by_low[i]) == sets.find(by_low[j]) || !overlap(a.box, b.box)) continue;
      if (!pierces(positions, a, b) && !pierces(positions, b, a)) continue;
      sets.join(by_low[i], by_low[j]);
      ++result.merged;
    }
  }
  std::vector<std::size_t> place(bodies.size(), bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    std::size_t& solid = place[sets.find(i)];
    if (solid == bodies.size()) {
      solid = result.solids.size();
      result.solids.emplace_back();
    }
    std::vector<Triangle>& all = result.solids[solid].triangles;
    all.insert(all.end(), bodies[i].triangles.begin(), bodies[i].triangles.end());
  }
  for (Solid& solid : result.solids) {
    solid.vertices = vertices_of(solid.triangles);
  }
  return result;
}

}  // namespace sinew::detail
