// SPDX-License-Identifier: Apache-2.0
#include "sinew/samples/detail/polygonize.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "sinew/core/internal/key_map.h"
#include "sinew/core/parallel.h"
#include "sinew/samples/detail/field_octree.h"

namespace sinew::samples {
namespace {

std::uint64_t place_key(const LatticePlace& place) {
  return (static_cast<std::uint64_t>(place[2]) << 42) |
         (static_cast<std::uint64_t>(place[1]) << 21) | static_cast<std::uint64_t>(place[0]);
}

// The lattice's nodes: the octree's corners and centres, with the field's values there.
struct Nodes {
  KeyMap index;
  std::vector<Vec3> positions;
  std::vector<double> values;

  std::uint32_t find(const LatticePlace& place) const { return index.find(place_key(place)); }
};

// The middle of the face in the plane x = 0 stands in for the mirrored cell's centre.
LatticePlace border_center(const OctreeCell& cell) {
  LatticePlace place = center_place(cell);
  place[0] = 0;
  return place;
}

Nodes make_nodes(const Field& field, const Octree& octree, bool half) {
  Nodes nodes;
  nodes.index = KeyMap(octree.leaves().size() * 3);
  const auto add = [&](const LatticePlace& place) {
    const auto next = static_cast<std::uint32_t>(nodes.positions.size());
    if (nodes.index.insert(place_key(place), next) == next) {
      nodes.positions.push_back(position_of(octree, place));
    }
  };
  for (const OctreeCell& cell : octree.leaves()) {
    for (int c = 0; c < 8; ++c) add(corner_place(cell, c & 1, (c >> 1) & 1, (c >> 2) & 1));
    add(center_place(cell));
    if (half && cell.place[0] == 0) add(border_center(cell));
  }
  nodes.values.resize(nodes.positions.size());
  parallel_for(nodes.positions.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      nodes.values[i] = field.distance(nodes.positions[i]).value;
    }
  });
  return nodes;
}

// Cuts tetrahedra and collects the pieces of surface.
class Marcher {
 public:
  explicit Marcher(const Nodes& nodes) : nodes_(nodes), vertex_of_(nodes.positions.size() / 2) {}

  // `t` is positively oriented: t[1], t[2], t[3] turn counter-clockwise seen from opposite t[0].
  void cut(const std::array<std::uint32_t, 4>& t) {
    unsigned inside = 0;
    for (unsigned i = 0; i < 4; ++i) inside |= (is_inside(t[i]) ? 1u : 0u) << i;
    if (inside == 0 || inside == 15) return;
    // Even permutations that bring the lone node, or the inside pair, to the front.
    static constexpr std::array<std::array<std::uint8_t, 4>, 16> order{{{0, 1, 2, 3},
                                                                        {0, 1, 2, 3},
                                                                        {1, 0, 3, 2},
                                                                        {0, 1, 2, 3},
                                                                        {2, 0, 1, 3},
                                                                        {0, 2, 3, 1},
                                                                        {1, 2, 0, 3},
                                                                        {3, 0, 2, 1},
                                                                        {3, 0, 2, 1},
                                                                        {0, 3, 1, 2},
                                                                        {1, 3, 2, 0},
                                                                        {2, 0, 1, 3},
                                                                        {2, 3, 0, 1},
                                                                        {1, 0, 3, 2},
                                                                        {0, 1, 2, 3},
                                                                        {0, 1, 2, 3}}};
    const auto& o = order[inside];
    const std::uint32_t i = t[o[0]], j = t[o[1]], k = t[o[2]], l = t[o[3]];
    const int count = std::popcount(inside);
    if (count == 2) {
      // Vertices get their numbers in this order: that of arguments is up to the compiler.
      const Index jk = vertex(j, k), jl = vertex(j, l), il = vertex(i, l), ik = vertex(i, k);
      quad(ik, il, jl, jk);
    } else if (count == 1) {
      surface_.triangles.push_back({vertex(i, j), vertex(i, k), vertex(i, l)});
    } else {
      surface_.triangles.push_back({vertex(i, j), vertex(i, l), vertex(i, k)});
    }
  }

  bool is_inside(std::uint32_t node) const { return nodes_.values[node] < 0; }
  Surface take() { return std::move(surface_); }

 private:
  Index vertex(std::uint32_t a, std::uint32_t b) {
    if (a > b) std::swap(a, b);
    const auto next = static_cast<Index>(surface_.positions.size());
    const Index found = vertex_of_.insert((static_cast<std::uint64_t>(a) << 32) | b, next);
    if (found == next) {
      const double t = nodes_.values[a] / (nodes_.values[a] - nodes_.values[b]);
      surface_.positions.push_back(
          lerp(nodes_.positions[a], nodes_.positions[b], std::clamp(t, 0.02, 0.98)));
    }
    return found;
  }

  void quad(Index a, Index b, Index c, Index d) {
    const auto& p = surface_.positions;
    if (length_squared(p[a] - p[c]) <= length_squared(p[b] - p[d])) {
      surface_.triangles.push_back({a, b, c});
      surface_.triangles.push_back({a, c, d});
    } else {
      surface_.triangles.push_back({a, b, d});
      surface_.triangles.push_back({b, c, d});
    }
  }

  const Nodes& nodes_;
  KeyMap vertex_of_;
  Surface surface_;
};

// Fills the two pyramids over a face with tetrahedra, one for each edge, or half an edge where a
// smaller cell has split it. `below` and `above` are the nodes on the face's two sides, `above` on
// that of the positive axis.
void cut_face(const Nodes& nodes, Marcher& marcher, const std::array<LatticePlace, 4>& ring,
              std::uint32_t below, std::uint32_t above) {
  std::array<std::uint32_t, 8> segments{};
  std::size_t count = 0;
  bool crossed = marcher.is_inside(below) != marcher.is_inside(above);
  for (std::size_t i = 0; i < 4; ++i) {
    const LatticePlace &from = ring[i], &to = ring[(i + 1) % 4];
    segments[count++] = nodes.find(from);
    const std::uint32_t middle =
        nodes.find({(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2});
    if (middle != KeyMap::absent) segments[count++] = middle;
  }
  for (std::size_t i = 0; i < count && !crossed; ++i) {
    crossed = marcher.is_inside(segments[i]) != marcher.is_inside(below);
  }
  if (!crossed) return;
  for (std::size_t i = 0; i < count; ++i) {
    marcher.cut({below, above, segments[i], segments[(i + 1) % count]});
  }
}

}  // namespace

Surface polygonize(const Field& field, double edge, bool half) {
  const Octree octree = field_octree(field, edge, half);
  const Nodes nodes = make_nodes(field, octree, half);
  Marcher marcher(nodes);
  for (const OctreeCell& cell : octree.leaves()) {
    const std::uint32_t own = nodes.find(center_place(cell));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (int side = 0; side < 2; ++side) {
        OctreeCell neighbor = cell;
        neighbor.place[axis] += side == 1 ? 1 : -1;
        std::uint32_t other = 0;
        if (!octree.is_inside(neighbor)) {
          if (!half || axis != 0 || side == 1) continue;
          other = nodes.find(border_center(cell));
        } else if (octree.is_split(neighbor)) {
          continue;  // the smaller cells see to it
        } else if (octree.leaf(neighbor) >= 0) {
          if (side == 0) continue;  // seen from the other side
          other = nodes.find(center_place(neighbor));
        } else {
          other = nodes.find(center_place(neighbor.parent()));
        }
        std::array<LatticePlace, 4> ring;
        for (std::size_t i = 0; i < 4; ++i) {
          std::array<int, 3> at{};
          at[axis] = side;
          at[(axis + 1) % 3] = i == 1 || i == 2;
          at[(axis + 2) % 3] = i >= 2;
          ring[i] = corner_place(cell, at[0], at[1], at[2]);
        }
        cut_face(nodes, marcher, ring, side == 1 ? own : other, side == 1 ? other : own);
      }
    }
  }
  return marcher.take();
}

Surface with_mirror_image(const Surface& half) {
  Surface whole = half;
  std::vector<Index> image(half.positions.size());
  for (std::size_t v = 0; v < half.positions.size(); ++v) {
    const Vec3& p = half.positions[v];
    image[v] = static_cast<Index>(v);
    if (p.x == 0) continue;
    image[v] = static_cast<Index>(whole.positions.size());
    whole.positions.push_back({-p.x, p.y, p.z});
  }
  for (const Triangle& t : half.triangles) {
    whole.triangles.push_back({image[t[0]], image[t[2]], image[t[1]]});
  }
  return whole;
}

}  // namespace sinew::samples
