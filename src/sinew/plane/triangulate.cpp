// SPDX-License-Identifier: Apache-2.0
#include "sinew/plane/triangulate.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/plane/detail/constrain.h"
#include "sinew/plane/detail/prepare.h"
#include "sinew/plane/detail/refine.h"

namespace sinew {
namespace {

using namespace plane;

PlaneMeshOptions checked(const PlaneRegion& region, PlaneMeshOptions options) {
  if (!(options.min_angle > 0 && options.min_angle <= 30)) {
    throw UsageError(fmt::format("the least angle must be above 0 and at most 30 degrees, not {}",
                                 options.min_angle));
  }
  if (!(options.grading > 0 && std::isfinite(options.grading))) {
    throw UsageError(fmt::format("the grading must be above 0, not {}", options.grading));
  }
  for (const double length : {options.max_edge, options.min_edge}) {
    if (!(length >= 0 && std::isfinite(length))) {
      throw UsageError(fmt::format("an edge cannot have a length of {}", length));
    }
  }
  double extent = 0;
  const Grid grid = grid_for(region, extent);
  if (options.max_edge == 0) options.max_edge = std::max(extent / 25, options.min_edge);
  if (options.min_edge == 0) options.min_edge = options.max_edge / 16;
  if (options.min_edge > options.max_edge) {
    throw UsageError(fmt::format("the least edge ({}) is longer than the greatest ({})",
                                 options.min_edge, options.max_edge));
  }
  // Below this, rounding to the grid would affect the angles.
  const double least = 64 * grid.step;
  options.min_edge = std::max(options.min_edge, least);
  options.max_edge = std::max(options.max_edge, least);
  return options;
}

// The position along a Hilbert curve with 2^26 steps a side; in this order each point is near the
// one before.
std::uint64_t place_on_curve(GridPoint p, GridPoint low) {
  auto x = static_cast<std::uint32_t>(p.x - low.x), y = static_cast<std::uint32_t>(p.y - low.y);
  std::uint64_t place = 0;
  for (std::uint32_t bit = 1u << 25; bit != 0; bit >>= 1) {
    const bool right = (x & bit) != 0, up = (y & bit) != 0;
    place = place * 4 + (right ? (up ? 2u : 3u) : (up ? 1u : 0u));
    if (!up) {
      if (right) {
        x = ~x;
        y = ~y;
      }
      std::swap(x, y);
    }
  }
  return place;
}

std::vector<Index> insert_points(Triangulation& mesh, const Prepared& prepared) {
  std::vector<std::pair<std::uint64_t, Index>> order;
  for (std::size_t i = 0; i < prepared.points.size(); ++i) {
    order.push_back({place_on_curve(prepared.points[i], prepared.low), static_cast<Index>(i)});
  }
  std::sort(order.begin(), order.end());
  std::vector<Index> vertex_of(prepared.points.size());
  Index near = 0;
  for (const auto& [place, i] : order) {
    vertex_of[i] = mesh.insert(prepared.points[i], near);
    near = mesh.cell_at(vertex_of[i]);
  }
  return vertex_of;
}

// Marks the cells inside by the even-odd rule. False if there are none.
bool mark_inside(Triangulation& mesh) {
  std::vector<Cell>& cells = mesh.cells();
  std::vector<std::uint8_t> reached(cells.size(), 0);
  std::vector<Index> front = {mesh.cell_at(0)};
  reached[front[0]] = 1;
  bool any = false;
  while (!front.empty()) {
    const Cell cell = cells[front.back()];
    front.pop_back();
    for (unsigned i = 0; i < 3; ++i) {
      const Index n = cell.neighbors[i];
      if (n == none || reached[n] != 0) continue;
      const bool passes = cell.segments[i] != none && mesh.segments()[cell.segments[i]].outline;
      reached[n] = 1;
      cells[n].inside = cell.inside != passes;
      any = any || cells[n].inside;
      front.push_back(n);
    }
  }
  return any;
}

// The vertices along a line, where it lies inside.
void add_chains(const Triangulation& mesh, const std::vector<std::uint8_t>& is_inside, Index whole,
                Index line, const std::vector<Index>& new_index, std::vector<PlaneChain>& chains) {
  const std::vector<Segment>& segments = mesh.segments();
  Index at = segments[whole].a;
  bool goes_on = false;
  std::vector<Index> parts = {whole};
  while (!parts.empty()) {
    const Index id = parts.back();
    const Segment& part = segments[id];
    parts.pop_back();
    if (!part.children.empty()) {
      // The next one is taken from the back.
      if (part.a == at) {
        parts.insert(parts.end(), part.children.rbegin(), part.children.rend());
      } else {
        parts.insert(parts.end(), part.children.begin(), part.children.end());
      }
      continue;
    }
    const Index to = part.a == at ? part.b : part.a;
    if (is_inside[id] != 0) {
      if (!goes_on) chains.push_back({line, {new_index[at]}});
      chains.back().vertices.push_back(new_index[to]);
    }
    goes_on = is_inside[id] != 0;
    at = to;
  }
}

class Output {
 public:
  Output(const Triangulation& mesh, const Prepared& prepared, const std::vector<Index>& vertex_of)
      : mesh_(mesh), prepared_(prepared), vertex_of_(vertex_of) {}

  PlaneMesh take(const PlaneRegion& region, const std::vector<Index>& line_segments) {
    number_vertices();
    std::vector<std::uint8_t> is_inside(mesh_.segments().size(), 0);
    for (const Cell& cell : mesh_.cells()) {
      if (!cell.inside) continue;
      const auto& [a, b, c] = cell.corners;
      result_.triangles.push_back({new_index_[a], new_index_[b], new_index_[c]});
      for (const Index segment : cell.segments) {
        if (segment != none) is_inside[segment] = 1;
      }
    }
    place_input_points(region);
    for (std::size_t l = 0; l < line_segments.size(); ++l) {
      const auto line = static_cast<Index>(l);
      if (line_segments[l] == none) continue;
      const Segment& whole = mesh_.segments()[line_segments[l]];
      if (whole.a != whole.b) {
        add_chains(mesh_, is_inside, line_segments[l], line, new_index_, result_.chains);
      } else if (new_index_[whole.a] != none) {
        result_.chains.push_back({line, {new_index_[whole.a]}});
      }
    }
    for (const Index p : prepared_.point_of) {
      result_.vertex_of.push_back(p == none ? PlaneMesh::outside : new_index_[vertex_of_[p]]);
    }
    return std::move(result_);
  }

 private:
  void number_vertices() {
    std::vector<std::uint8_t> used(mesh_.vertices().size(), 0);
    for (const Cell& cell : mesh_.cells()) {
      for (const Index v : cell.corners) used[v] |= cell.inside ? 1 : 0;
    }
    new_index_.assign(used.size(), none);
    const auto number = [&](Index v) {
      if (used[v] == 0 || new_index_[v] != none) return;
      new_index_[v] = static_cast<Index>(result_.points.size());
      result_.points.push_back(prepared_.grid.from_grid(mesh_.at(v)));
    };
    for (const Index p : prepared_.point_of) {
      if (p != none) number(vertex_of_[p]);
    }
    for (std::size_t v = 0; v < used.size(); ++v) number(static_cast<Index>(v));
  }

  // Original positions are at most half a step from the grid point; keeps the grid point where a
  // triangle would flip.
  void place_input_points(const PlaneRegion& region) {
    const std::vector<Vec2> on_grid = result_.points;
    for (std::size_t p = 0; p < prepared_.source.size(); ++p) {
      const Index v = new_index_[vertex_of_[p]];
      if (prepared_.source[p] != none && v != none) {
        result_.points[v] = region.points[prepared_.source[p]];
      }
    }
    bool again = true;
    while (again) {
      again = false;
      for (const Triangle& t : result_.triangles) {
        const Vec2 a = result_.points[t[0]], u = result_.points[t[1]] - a,
                   v = result_.points[t[2]] - a;
        if (u.x * v.y - u.y * v.x > 0) continue;
        for (const Index i : t) {
          again = again || result_.points[i] != on_grid[i];
          result_.points[i] = on_grid[i];
        }
      }
    }
  }

  const Triangulation& mesh_;
  const Prepared& prepared_;
  const std::vector<Index>& vertex_of_;
  std::vector<Index> new_index_;  // by vertex, `none` for those outside
  PlaneMesh result_;
};

}  // namespace

PlaneMesh triangulate(const PlaneRegion& region, const PlaneMeshOptions& given) {
  const PlaneMeshOptions options = checked(region, given);
  const Prepared prepared = prepare(region, options.min_edge / 8);
  Triangulation mesh(prepared.low, prepared.high);
  const std::vector<Index> vertex_of = insert_points(mesh, prepared);
  const auto fix = [&](const std::array<Index, 2>& edge, bool outline) {
    const Index id = fix_segment(mesh, vertex_of[edge[0]], vertex_of[edge[1]], outline);
    if (mesh.vertices().size() > options.most_points + 4) throw_too_many(options.most_points);
    return id;
  };
  for (const auto& edge : prepared.outline) fix(edge, true);
  std::vector<Index> line_segments;
  for (const auto& line : prepared.lines) {
    line_segments.push_back(line[0] == none ? none : fix(line, false));
  }
  if (!mark_inside(mesh)) throw InputError("outline", "encloses nothing");
  for (std::size_t s = 0; s < mesh.segments().size(); ++s) {
    mesh.segments()[s].root = static_cast<Index>(s);
  }

  const double step = prepared.grid.step;
  refine(mesh, {options.min_angle, options.max_edge / step, options.min_edge / step,
                options.grading, options.most_points});
  return Output(mesh, prepared, vertex_of).take(region, line_segments);
}

}  // namespace sinew
