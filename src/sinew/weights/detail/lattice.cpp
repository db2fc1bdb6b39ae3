// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/lattice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "sinew/core/math.h"
#include "sinew/core/parallel.h"
#include "sinew/mesh/triangle.h"
#include "sinew/weights/detail/lattice_bones.h"
#include "sinew/weights/detail/loose_parts.h"

namespace sinew::detail {
namespace {

// How many surface points decide how large cubes are.
constexpr std::size_t sizing_points = 12000;
// How many nodes there are for each cube, those outside of the body included: as counted on arms
// and whole characters.
constexpr double nodes_per_cube = 0.52;

// About `count` points spread evenly over the triangles.
std::vector<SurfaceSample> spread(const std::vector<Vec3>& positions,
                                  const std::vector<Triangle>& triangles, std::size_t count) {
  std::vector<SurfaceSample> samples;
  const auto normal_of = [&](const Triangle& t) {
    return cross(positions[t[1]] - positions[t[0]], positions[t[2]] - positions[t[0]]);
  };
  std::vector<double> areas(triangles.size());  // twice
  parallel_for(areas.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) areas[i] = length(normal_of(triangles[i]));
  });
  const double total = std::accumulate(areas.begin(), areas.end(), 0.0);
  double due = 0;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const Triangle& t = triangles[i];
    due += areas[i] / total * static_cast<double>(count);
    const auto here = static_cast<int>(due);
    due -= here;
    for (int k = 0; k < here; ++k) {
      // A sequence that fills the triangle evenly whatever its length (Roberts 2018).
      double u = std::fmod(0.5 + 0.7548776662466927 * k, 1.0);
      double v = std::fmod(0.5 + 0.5698402909980532 * k, 1.0);
      if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
      }
      const Vec3 point = positions[t[0]] + (positions[t[1]] - positions[t[0]]) * u +
                         (positions[t[2]] - positions[t[0]]) * v;
      samples.push_back({point, normalized(normal_of(t))});
    }
  }
  return samples;
}

Line line_in(const LatticeBody& body, const Bone& bone) {
  Line line{body.frame.in(bone.head), body.frame.in(bone.tail)};
  const Vec3 way = line.tail - line.head;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double low = body.box.low[axis] - line.head[axis];
    const double high = body.box.high[axis] - line.head[axis];
    if (way[axis] == 0) {
      if (low > 0 || high < 0) line.to = -1;
      continue;
    }
    const double a = low / way[axis], b = high / way[axis];
    line.from = std::max(line.from, std::min(a, b));
    line.to = std::min(line.to, std::max(a, b));
  }
  return line;
}

void find_sizes(LatticeBody& body, const std::vector<Vec3>& positions, std::size_t count) {
  body.surface = spread(positions, body.solid.triangles, count);
  body.sizes.resize(body.surface.size());
  parallel_for(body.surface.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const SurfaceSample& s = body.surface[i];
      body.sizes[i] = {s.point, body.interior->thickness(s.point, s.normal)};
    }
  });
  for (const int b : body.bones) {
    const Line& line = body.lines[b];
    const double whole = distance(line.head, line.tail);
    for (int k = 0; k <= bone_probes; ++k) {
      const Vec3 p = line.at(line.probe(k));
      // Bones that run side by side have to be told apart.
      double gap = whole;
      for (const int o : body.bones) {
        if (o == b) continue;
        const Line& other = body.lines[o];
        gap = std::min(gap, distance(p, other.at(closest_on_segment(p, other.head, other.tail))));
      }
      body.sizes.push_back({p, std::max(gap, whole / 8)});
    }
  }
  for (const Guest& guest : body.guests) {
    const Line& line = body.lines[guest.bone];
    for (const BoneTie& tie : guest.ties) {
      body.sizes.push_back({tie.point, distance(line.head, line.tail)});
    }
  }
}

// The cubes of a body: `share` of the thickness (and of the lengths of bones), no smaller than
// `least`.
Octree octree_for(const LatticeBody& body, double share, double least) {
  std::vector<SizedPoint> points = body.sizes;
  for (SizedPoint& p : points) p.size = std::max(share * p.size, least);
  const Vec3 extent = body.box.high - body.box.low;
  // A little more than the body, about its centre, so that what is symmetric stays so.
  const double side = 1.001 * std::max({extent.x, extent.y, extent.z});
  return octree_from_points(body.box.center() - Vec3{side, side, side} * 0.5, side, points);
}

std::vector<Octree> sized_octrees(const std::vector<LatticeBody>& bodies, std::size_t nodes) {
  double share = 0.25;
  std::vector<Octree> best;
  double best_miss = std::numeric_limits<double>::infinity();
  for (int attempt = 0; attempt < 5; ++attempt) {
    std::vector<Octree> octrees;
    std::size_t cubes = 0;
    for (const LatticeBody& body : bodies) {
      // No finer than a few thousand surface points can resolve.
      octrees.push_back(octree_for(body, share, body.interior->extent() / 1000));
      cubes += octrees.back().leaves().size();
    }
    const double ratio = nodes_per_cube * static_cast<double>(cubes) / static_cast<double>(nodes);
    const double miss = std::abs(math::log(ratio));
    if (miss < best_miss) {
      best_miss = miss;
      best = std::move(octrees);
    }
    if (miss < 0.1) break;
    share *= std::clamp(std::sqrt(ratio), 0.5, 2.0);
  }
  return best;
}

// Appends places along a bone from `from` on, no further apart than half a cube's side, without
// `to` itself. By halves, so that they are the same from either end.
void places_between(const BodyLattice& lattice, const Line& line, double from, double to,
                    std::vector<double>& places) {
  const double middle = (from + to) / 2;
  double side = std::numeric_limits<double>::infinity();
  for (const double t : {from, middle, to}) side = std::min(side, lattice.side_at(line.at(t)));
  if (distance(line.at(from), line.at(to)) <= side / 2) {
    places.push_back(from);
    return;
  }
  places_between(lattice, line, from, middle, places);
  places_between(lattice, line, middle, to, places);
}

// Holds the points of a bone that are inside of the body. Next to an end that it shares with
// another bone only the end is held: both would pull at the same nodes, one towards 1, the other
// towards 0.
std::size_t hold_inside(const BodyLattice& lattice, const LatticeBody& body, std::size_t number,
                        const Bone& bone, Domain& domain) {
  const Line& line = body.lines[number];
  std::vector<double> places;
  places_between(lattice, line, line.from, line.to, places);
  places.push_back(line.to);
  std::vector<Vec3> shared;
  for (const Vec3& end : {line.head, line.tail}) {
    if (is_shared(body, number, end)) shared.push_back(end);
  }
  const double length = distance(line.head, line.tail);
  std::size_t held = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double t = places[i];
    const Vec3 p = line.at(t);
    const double side = lattice.side_at(p);
    const bool beside_shared = std::any_of(shared.begin(), shared.end(), [&](const Vec3& end) {
      return p != end && distance(p, end) < side / 2;
    });
    if (beside_shared || !body.interior->contains(p)) continue;
    const BodyLattice::LatticePoint place = lattice.locate(p);
    if (place.terms.empty()) continue;
    // Half the way to the places on either side.
    const double before = places[i == 0 ? i : i - 1],
                 after = places[std::min(i + 1, places.size() - 1)];
    domain.hold(lerp(bone.head, bone.tail, t), place.element, place.terms,
                bone_stiffness * (after - before) / 2 * length / side);
    ++held;
  }
  return held;
}

// The body in a frame of its own, its vertices put into `local`; false if nothing of it is left.
bool settle(LatticeBody& body, const std::vector<Vec3>& positions, const Skeleton& skeleton,
            std::vector<Vec3>& local) {
  const Vec3& some = positions[body.solid.triangles[0][0]];
  Box box{some, some};
  for (const Triangle& t : body.solid.triangles) {
    for (const Index v : t) {
      box.low = component_min(box.low, positions[v]);
      box.high = component_max(box.high, positions[v]);
    }
  }
  const Vec3 extent = box.high - box.low;
  body.frame = {box.center(), std::max({extent.x, extent.y, extent.z})};
  const auto place = [&](Index v) { local[v] = body.frame.in(positions[v]); };
  const std::vector<Index>& vertices = body.solid.vertices;
  parallel_for(vertices.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) place(vertices[k]);
  });
  // Those of a box around loose parts are its corners.
  for (const Triangle& t : body.solid.triangles) std::for_each(t.begin(), t.end(), place);
  std::erase_if(body.solid.triangles, [&](const Triangle& t) {
    const Vec3 normal = cross(local[t[1]] - local[t[0]], local[t[2]] - local[t[0]]);
    return !(length_squared(normal) > 0);
  });
  if (body.solid.triangles.empty()) return false;
  body.box = {body.frame.in(box.low), body.frame.in(box.high)};
  for (const Bone& bone : skeleton.bones) body.lines.push_back(line_in(body, bone));
  const OwnVertices own = own_vertices(local, body.solid.triangles);
  body.interior = std::make_unique<Interior>(own.positions, own.triangles);
  return true;
}

// Adds the lattice in the size and at the place that its body has.
void add_scaled(BodyLattice& lattice, const Frame& frame, Domain& domain) {
  const std::size_t node = domain.points.size(), mass = domain.elements.masses.size(),
                    stiffness = domain.elements.stiffness.size();
  lattice.add_to(domain);
  for (std::size_t k = node; k < domain.points.size(); ++k) {
    domain.points[k] = frame.out(domain.points[k]);
  }
  const double volume = frame.size * frame.size * frame.size;
  for (std::size_t k = mass; k < domain.elements.masses.size(); ++k) {
    domain.elements.masses[k] *= volume;
  }
  for (std::size_t k = stiffness; k < domain.elements.stiffness.size(); ++k) {
    domain.elements.stiffness[k] *= frame.size;
  }
}

}  // namespace

Domain lattice_domain(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
                      const Skeleton& skeleton, std::size_t nodes, const Progress& progress) {
  progress.report("lattice", 0);
  Domain domain;
  Solids solids = find_solids(positions, triangles);
  if (solids.turned > 0) {
    domain.repairs.push_back(
        fmt::format("{} triangles had the wrong winding order and were flipped", solids.turned));
  }
  if (solids.merged > 0) {
    domain.repairs.push_back(
        fmt::format("{} parts that intersect others were merged with them", solids.merged));
  }
  progress.report("lattice", 0.05);
  std::vector<LatticeBody> bodies;
  std::vector<Vec3> local(positions.size());  // vertices in the frame of their body
  for (Solid& solid : solids.solids) {
    LatticeBody body;
    body.solid = std::move(solid);
    if (settle(body, positions, skeleton, local)) bodies.push_back(std::move(body));
  }
  progress.report("lattice", 0.1);
  assign_bones(bodies, skeleton.bones.size());
  std::vector<Vec3> with_box = positions;
  std::optional<LatticeBody> around = take_loose(bodies, find_loose(bodies, positions, skeleton),
                                                 skeleton, with_box, domain.repairs);
  tie_guests(bodies, local, domain.repairs);
  std::erase_if(bodies, [](const LatticeBody& b) { return b.bones.empty() && b.guests.empty(); });
  if (around) {
    local.resize(with_box.size());
    settle(*around, with_box, skeleton, local);
    for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
      around->bones.push_back(static_cast<int>(b));
    }
    bodies.push_back(std::move(*around));
  }
  for (LatticeBody& body : bodies) {
    find_sizes(body, local, sizing_points / bodies.size() + 64);
  }
  std::vector<Octree> octrees = sized_octrees(bodies, nodes);
  progress.report("lattice", 0.2);
  std::vector<std::unique_ptr<BodyLattice>> lattices;
  std::vector<std::size_t> first_vertex;             // of each body's vertices in its surface
  std::vector<int> element(positions.size(), none);  // that each vertex lies in
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    LatticeBody& body = bodies[i];
    // Vertices facing the opposite way to the body would search for it on the outside.
    const OwnVertices own = own_vertices(local, body.solid.triangles);
    const std::vector<Vec3> outward = vertex_normals(own.positions, own.triangles);
    const std::size_t first = body.surface.size();
    const std::vector<Index>& vertices = body.solid.vertices;
    body.surface.resize(first + vertices.size());
    parallel_for(vertices.size(), 4096, [&](std::size_t begin, std::size_t end) {
      auto found = std::lower_bound(own.vertices.begin(), own.vertices.end(), vertices[begin]);
      for (std::size_t k = begin; k < end; ++k) {
        const Index v = vertices[k];
        while (found != own.vertices.end() && *found < v) ++found;
        const bool is_own = found != own.vertices.end() && *found == v;  // not a loose part's
        body.surface[first + k] = {local[v],
                                   is_own ? outward[found - own.vertices.begin()] : Vec3{}};
      }
    });
    first_vertex.push_back(first);
    const BodyLattice& lattice = *lattices.emplace_back(
        std::make_unique<BodyLattice>(*body.interior, std::move(octrees[i]), body.surface));
    const auto step = [&](double share) {
      progress.report("lattice", 0.2 + 0.8 * (static_cast<double>(i) + share) /
                                           static_cast<double>(bodies.size()));
    };
    step(0.5);
    add_scaled(*lattices.back(), body.frame, domain);
    step(0.6);
    parallel_for(vertices.size(), 4096, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        element[vertices[k]] = lattice.element_of(first + k, body.surface[first + k]);
      }
    });
    std::vector<Guest> outside = body.guests;
    for (const int b : body.bones) {
      const std::size_t number = b;
      if (hold_inside(lattice, body, number, skeleton.bones[number], domain) == 0) {
        outside.push_back({b, {}, false, {}});
      }
    }
    for (const Guest& guest : outside) {
      hold_guest(lattice, body, local, guest, skeleton.bones[guest.bone], domain);
    }
    step(1);
  }
  Combinations& rows = domain.vertices;
  rows.offsets.reserve(element.size() + 1);
  for (const int e : element) {
    rows.offsets.push_back(rows.offsets.back() +
                           (e == none ? 0 : domain.elements.of(at(e)).size()));
  }
  rows.items.resize(rows.offsets.back());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::vector<Index>& vertices = bodies[i].solid.vertices;
    parallel_for(vertices.size(), 4096, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        const int e = element[vertices[k]];
        const Vec3& point = bodies[i].surface[first_vertex[i] + k].point;
        if (lattices[i]->has(e)) lattices[i]->fill_terms(e, point, rows[vertices[k]]);
      }
    });
  }
  return domain;
}

}  // namespace sinew::detail
