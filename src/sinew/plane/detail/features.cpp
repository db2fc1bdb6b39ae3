// SPDX-License-Identifier: Apache-2.0
#include "sinew/plane/detail/features.h"

#include <algorithm>
#include <numbers>
#include <queue>

namespace sinew::plane {

std::vector<double> edge_lengths(const Triangulation& mesh, const Refinement& wanted) {
  std::vector<double> lengths(mesh.vertices().size(), wanted.max_edge);
  for (const Cell& cell : mesh.cells()) {
    for (unsigned i = 0; i < 3; ++i) {
      if (!cell.inside || cell.segments[i] == none) continue;
      const Index a = cell.corners[next(i)], b = cell.corners[previous(i)];
      // As long as the third edge where two that are as long make a right angle.
      const double length = std::numbers::sqrt2 * distance(mesh.at(a), mesh.at(b));
      lengths[a] = std::min(lengths[a], std::max(length, wanted.min_edge));
      lengths[b] = std::min(lengths[b], std::max(length, wanted.min_edge));
    }
  }

  using Entry = std::pair<double, Index>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (std::size_t v = 4; v < lengths.size(); ++v) {
    if (lengths[v] < wanted.max_edge) queue.push({lengths[v], static_cast<Index>(v)});
  }
  while (!queue.empty()) {
    const double length = queue.top().first;
    const Index v = queue.top().second;
    queue.pop();
    if (length > lengths[v]) continue;
    const auto reach = [&](Index u) {
      const double there = length + wanted.grading * distance(mesh.at(v), mesh.at(u));
      if (there >= lengths[u]) return;
      lengths[u] = there;
      queue.push({there, u});
    };
    mesh.around(v, [&](Index cell, unsigned i) {
      if (!mesh.cells()[cell].inside) return;
      reach(mesh.cells()[cell].corners[next(i)]);
      reach(mesh.cells()[cell].corners[previous(i)]);
    });
  }
  return lengths;
}

namespace {

bool is_below_60_degrees(Vec2 from, Vec2 to) {
  const double along = from.x * to.x + from.y * to.y, across = from.x * to.y - from.y * to.x;
  return across > 0 && along > 0 && across * across < 3 * along * along;
}

}  // namespace

std::vector<std::uint8_t> sharp_vertices(const Triangulation& mesh) {
  std::vector<std::uint8_t> sharp(mesh.vertices().size(), 0);
  struct Ray {
    Vec2 way;
    bool inside_after;
  };
  std::vector<Ray> rays;
  for (std::size_t v = 4; v < sharp.size(); ++v) {
    const auto vertex = static_cast<Index>(v);
    rays.clear();
    mesh.around(vertex, [&](Index cell, unsigned i) {
      const Cell& c = mesh.cells()[cell];
      if (c.segments[previous(i)] == none) return;
      rays.push_back({to_vec(mesh.at(c.corners[next(i)])) - to_vec(mesh.at(vertex)), c.inside});
    });
    for (std::size_t r = 0; r < rays.size() && rays.size() > 1; ++r) {
      if (rays[r].inside_after &&
          is_below_60_degrees(rays[r].way, rays[(r + 1) % rays.size()].way)) {
        sharp[v] = 1;
      }
    }
  }
  return sharp;
}

}  // namespace sinew::plane
