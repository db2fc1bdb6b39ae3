// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/lattice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "sinew/core/parallel.h"
#include "sinew/mesh/triangle.h"
#include "sinew/weights/detail/body_lattice.h"
#include "sinew/weights/detail/solids.h"

namespace sinew::detail {
namespace {

// How many surface points decide how large cubes are.
constexpr std::size_t sizing_points = 12000;
// How many nodes there are for each cube, those outside of the body included: as counted on arms
// and whole characters.
constexpr double nodes_per_cube = 0.52;
// Points of a bone that are tried for being inside of a body.
constexpr int bone_probes = 16;

Vec3 along(const Bone& bone, double t) { return lerp(bone.head, bone.tail, t); }

struct Body {
  Solid solid;
  std::unique_ptr<Interior> interior;
  std::vector<int> bones;   // that pass through it
  std::vector<int> guests;  // that pass through no body and are nearest to this one
  std::vector<SurfaceSample> surface;
  std::vector<SizedPoint> sizes;  // thickness at points of the surface; bones' lengths along them
  Box box;
};

// About `count` points spread evenly over the triangles.
std::vector<SurfaceSample> spread(const std::vector<Vec3>& positions,
                                  const std::vector<Triangle>& triangles, std::size_t count) {
  std::vector<SurfaceSample> samples;
  double total = 0;
  const auto normal_of = [&](const Triangle& t) {
    return cross(positions[t[1]] - positions[t[0]], positions[t[2]] - positions[t[0]]);
  };
  for (const Triangle& t : triangles) total += length(normal_of(t));
  double due = 0;
  for (const Triangle& t : triangles) {
    const Vec3 normal = normal_of(t);
    due += length(normal) / total * static_cast<double>(count);
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
      samples.push_back({point, normalized(normal)});
    }
  }
  return samples;
}

double distance_to_bone(const Body& body, const Bone& bone) {
  double nearest = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= bone_probes; ++k) {
    const auto hit =
        body.interior->bvh().closest(along(bone, static_cast<double>(k) / bone_probes));
    if (hit) nearest = std::min(nearest, hit->distance);
  }
  return nearest;
}

void assign_bones(std::vector<Body>& bodies, const Skeleton& skeleton) {
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const Bone& bone = skeleton.bones[b];
    bool reached = false;
    for (Body& body : bodies) {
      for (int k = 0; k <= bone_probes; ++k) {
        if (!body.interior->contains(along(bone, static_cast<double>(k) / bone_probes))) continue;
        body.bones.push_back(static_cast<int>(b));
        reached = true;
        break;
      }
    }
    if (reached || bodies.empty()) continue;
    std::size_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const double d = distance_to_bone(bodies[i], bone);
      if (d < least) {
        least = d;
        nearest = i;
      }
    }
    bodies[nearest].guests.push_back(static_cast<int>(b));
  }
}

void find_sizes(Body& body, const std::vector<Vec3>& positions, const Skeleton& skeleton,
                std::size_t count) {
  body.surface = spread(positions, body.solid.triangles, count);
  body.sizes.resize(body.surface.size());
  parallel_for(body.surface.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const SurfaceSample& s = body.surface[i];
      body.sizes[i] = {s.point, body.interior->thickness(s.point, s.normal)};
    }
  });
  for (const int b : body.bones) {
    const Bone& bone = skeleton.bones[static_cast<std::size_t>(b)];
    for (int k = 0; k <= bone_probes; ++k) {
      const Vec3 p = along(bone, static_cast<double>(k) / bone_probes);
      // Bones that run side by side have to be told apart.
      const double whole = distance(bone.head, bone.tail);
      double gap = whole;
      for (const int o : body.bones) {
        if (o == b) continue;
        const Bone& other = skeleton.bones[static_cast<std::size_t>(o)];
        gap =
            std::min(gap, distance(p, along(other, closest_on_segment(p, other.head, other.tail))));
      }
      body.sizes.push_back({p, std::max(gap, whole / 8)});
    }
  }
}

// The cubes of a body: `share` of the thickness (and of the lengths of bones), no smaller than
// `least`.
Octree octree_for(const Body& body, double share, double least) {
  std::vector<SizedPoint> points = body.sizes;
  for (SizedPoint& p : points) p.size = std::max(share * p.size, least);
  const Vec3 extent = body.box.high - body.box.low;
  // A little more than the body, about its centre, so that what is symmetric stays so.
  const double side = 1.001 * std::max({extent.x, extent.y, extent.z});
  return {body.box.center() - Vec3{side, side, side} * 0.5, side, points};
}

std::vector<Octree> sized_octrees(const std::vector<Body>& bodies, std::size_t nodes) {
  double share = 0.25;
  std::vector<Octree> best;
  double best_miss = std::numeric_limits<double>::infinity();
  for (int attempt = 0; attempt < 5; ++attempt) {
    std::vector<Octree> octrees;
    std::size_t cubes = 0;
    for (const Body& body : bodies) {
      // No finer than what some thousand points of the surface can find.
      octrees.push_back(octree_for(body, share, body.interior->extent() / 1000));
      cubes += octrees.back().leaves().size();
    }
    const double ratio = nodes_per_cube * static_cast<double>(cubes) / static_cast<double>(nodes);
    const double miss = std::abs(std::log(ratio));
    if (miss < best_miss) {
      best_miss = miss;
      best = std::move(octrees);
    }
    if (miss < 0.1) break;
    share *= std::clamp(std::sqrt(ratio), 0.5, 2.0);
  }
  return best;
}

// Holds points of a bone inside of the body, closer together than the cubes are large.
std::size_t hold_inside(const BodyLattice& lattice, const Interior& interior, const Bone& bone,
                        Domain& domain) {
  std::size_t held = 0;
  const double whole = distance(bone.head, bone.tail);
  for (double t = 0;;) {
    const Vec3 p = along(bone, t);
    if (interior.contains(p)) {
      const BodyLattice::Place place = lattice.locate(p);
      if (!place.terms.empty()) {
        domain.hold(p, place.element, place.terms);
        ++held;
      }
    }
    if (t >= 1) break;
    const double step = lattice.side_at(p) / 2 / whole;
    // The last two are never much closer than the others.
    t = t + 1.5 * step >= 1 ? 1.0 : t + step;
  }
  return held;
}

void hold_guest(const BodyLattice& lattice, const Body& body, const Bone& bone, Domain& domain) {
  double nearest = std::numeric_limits<double>::infinity();
  Vec3 nearest_point;
  Vec3 from;
  for (int k = 0; k <= bone_probes; ++k) {
    const Vec3 p = along(bone, static_cast<double>(k) / bone_probes);
    const auto hit = body.interior->bvh().closest(p);
    if (!hit || hit->distance >= nearest) continue;
    nearest = hit->distance;
    nearest_point = hit->position;
    from = p;
  }
  const BodyLattice::Place place = lattice.locate(nearest_point);
  if (!place.terms.empty()) domain.hold(from, place.element, place.terms);
}

}  // namespace

Domain lattice_domain(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
                      const Skeleton& skeleton, std::size_t nodes, const Progress& progress) {
  progress.report("lattice", 0);
  Domain domain;
  Solids solids = find_solids(positions, triangles);
  if (solids.turned > 0) {
    domain.repairs.push_back(
        fmt::format("{} triangles ran the wrong way and were turned", solids.turned));
  }
  if (solids.merged > 0) {
    domain.repairs.push_back(
        fmt::format("{} parts that run through others were joined with them", solids.merged));
  }
  progress.report("lattice", 0.05);
  std::vector<Body> bodies;
  for (Solid& solid : solids.solids) {
    Body& body = bodies.emplace_back();
    body.interior = std::make_unique<Interior>(positions, solid.triangles);
    body.box.low = body.box.high = positions[solid.vertices[0]];
    for (const Index v : solid.vertices) {
      body.box.low = component_min(body.box.low, positions[v]);
      body.box.high = component_max(body.box.high, positions[v]);
    }
    body.solid = std::move(solid);
  }
  progress.report("lattice", 0.1);
  assign_bones(bodies, skeleton);
  for (const Body& body : bodies) {
    for (const int guest : body.guests) {
      domain.repairs.push_back(fmt::format(
          "bone {} lies outside of the shape and is tied to the nearest surface", guest));
    }
  }
  std::erase_if(bodies, [](const Body& b) { return b.bones.empty() && b.guests.empty(); });
  for (Body& body : bodies) {
    find_sizes(body, positions, skeleton, sizing_points / bodies.size() + 64);
  }
  std::vector<Octree> octrees = sized_octrees(bodies, nodes);
  progress.report("lattice", 0.2);
  std::vector<std::vector<Term>> rows(positions.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Body& body = bodies[i];
    // Vertices that are turned the other way than the body would look for it outside.
    const std::vector<Vec3> outward = vertex_normals(positions, body.solid.triangles);
    const std::size_t first = body.surface.size();
    for (const Index v : body.solid.vertices) body.surface.push_back({positions[v], outward[v]});
    BodyLattice lattice(*body.interior, std::move(octrees[i]), body.surface);
    const auto step = [&](double share) {
      progress.report("lattice", 0.2 + 0.8 * (static_cast<double>(i) + share) /
                                           static_cast<double>(bodies.size()));
    };
    step(0.5);
    lattice.add_to(domain);
    step(0.6);
    parallel_for(body.solid.vertices.size(), 256, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        const std::size_t place = first + k;
        rows[body.solid.vertices[k]] = lattice.locate(place, body.surface[place]).terms;
      }
    });
    std::vector<int> outside = body.guests;
    for (const int b : body.bones) {
      const Bone& bone = skeleton.bones[static_cast<std::size_t>(b)];
      if (hold_inside(lattice, *body.interior, bone, domain) == 0) outside.push_back(b);
    }
    for (const int b : outside) {
      hold_guest(lattice, body, skeleton.bones[static_cast<std::size_t>(b)], domain);
    }
    step(1);
  }
  for (const std::vector<Term>& row : rows) domain.vertices.push(row);
  return domain;
}

}  // namespace sinew::detail
