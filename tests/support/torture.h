// SPDX-License-Identifier: Apache-2.0
// Meshes that violate common assumptions of weight methods, with awkward bones.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/skeleton/skeleton.h"
#include "tests/support/shapes.h"

namespace sinew {

struct Torture {
  std::string name;
  Mesh mesh;
  Skeleton skeleton;
};

// Along y from 0 to `height`, closed by fans: ring r, side s is vertex r * sides + s, then come the
// centres of the bottom and the top. Side 0 lies at +x.
inline Surface cylinder(double height, double radius, Index rings = 25, Index sides = 16) {
  Surface s;
  for (Index r = 0; r < rings; ++r) {
    for (Index i = 0; i < sides; ++i) {
      const double a = 2 * pi * i / sides;
      s.positions.push_back({radius * std::cos(a), height * r / (rings - 1), radius * std::sin(a)});
    }
  }
  const Index bottom = rings * sides;
  s.positions.push_back({0, 0, 0});
  s.positions.push_back({0, height, 0});
  const auto at = [&](Index r, Index i) { return r * sides + i % sides; };
  for (Index i = 0; i < sides; ++i) {
    s.triangles.push_back({bottom, at(0, i), at(0, i + 1)});
    for (Index r = 0; r + 1 < rings; ++r) {
      s.triangles.push_back({at(r, i), at(r + 1, i), at(r + 1, i + 1)});
      s.triangles.push_back({at(r, i), at(r + 1, i + 1), at(r, i + 1)});
    }
    s.triangles.push_back({at(rings - 1, i), bottom + 1, at(rings - 1, i + 1)});
  }
  return s;
}

// Bones from each point to the next.
inline Skeleton chain(const std::vector<Vec3>& points) {
  std::vector<std::array<int, 2>> segments;
  for (int i = 0; i + 1 < static_cast<int>(points.size()); ++i) segments.push_back({i, i + 1});
  return skeleton_from_segments(points, segments);
}

// A bone for each pair of points, none of them joined to another.
inline Skeleton loose_bones(const std::vector<Vec3>& ends) {
  std::vector<std::array<int, 2>> segments;
  for (int i = 0; i + 1 < static_cast<int>(ends.size()); i += 2) segments.push_back({i, i + 1});
  return skeleton_from_segments(ends, segments);
}

inline Torture torture(std::string name, const Surface& surface, Skeleton skeleton) {
  Torture t{std::move(name), {}, std::move(skeleton)};
  t.mesh.positions = surface.positions;
  t.mesh.triangles = surface.triangles;
  return t;
}

// Two prongs of one surface along y, from 0 to 4, with a bone in each and a slit between them.
inline Torture fork(double slit) {
  Surface s;
  const double x = slit / 2;
  const std::vector<Vec2> outline = {{-1, -1}, {1, -1}, {1, 4},  {x, 4},
                                     {x, 0},   {-x, 0}, {-x, 4}, {-1, 4}};
  const auto n = static_cast<Index>(outline.size());
  for (const double z : {-0.5, 0.5}) {
    for (const Vec2& p : outline) s.positions.push_back({p.x, p.y, z});
  }
  for (Index i = 0; i < n; ++i) {
    const Index j = (i + 1) % n;
    s.triangles.push_back({i, j, n + j});
    s.triangles.push_back({i, n + j, n + i});
  }
  const std::vector<Triangle> face = {{0, 1, 4}, {1, 2, 3}, {1, 3, 4},
                                      {0, 4, 5}, {0, 5, 6}, {0, 6, 7}};
  for (const auto& [a, b, c] : face) {
    s.triangles.push_back({a, c, b});
    s.triangles.push_back({n + a, n + b, n + c});
  }
  return torture("fork", s,
                 loose_bones({{-0.5, 0.5, 0}, {-0.5, 3.9, 0}, {0.5, 0.5, 0}, {0.5, 3.9, 0}}));
}

inline Surface limb() { return cylinder(2, 0.25); }
inline Skeleton limb_bones() { return chain({{0, 0.1, 0}, {0, 1, 0}, {0, 1.9, 0}}); }
// A limb that is the same upside down, with its two bones exchanged.
inline Torture mirrored_limb() {
  return torture("limb", limb(), chain({{0, 0.2, 0}, {0, 1, 0}, {0, 1.8, 0}}));
}

// Two cylinders: vertices 0 to n-1 are the left one with bone 0, n to 2n-1 the right one with bone
// 1; the gap is a thousandth of the height.
inline Torture close_cylinders() {
  Surface s = moved(cylinder(2, 0.25), 1, {-0.251, 0, 0});
  append(s, moved(cylinder(2, 0.25), 1, {0.251, 0, 0}));
  return torture(
      "two cylinders close to each other", s,
      loose_bones({{-0.251, 0.1, 0}, {-0.251, 1.9, 0}, {0.251, 0.1, 0}, {0.251, 1.9, 0}}));
}

// The limb with its two bones, followed by a ball next to it and a distant ball, neither touched by
// a bone.
inline Torture boneless_islands() {
  Surface s = limb();
  append(s, moved(unit_sphere(8, 12), 0.1, {0.5, 1.5, 0}));
  append(s, moved(unit_sphere(8, 12), 0.3, {5, 0.5, 2}));
  return torture("islands without bones", s, limb_bones());
}

inline std::vector<Torture> torture_set() {
  std::vector<Torture> set;
  set.push_back(torture("whole limb", limb(), limb_bones()));

  Surface holes = limb();
  std::vector<Triangle> left;
  for (std::size_t t = 0; t < holes.triangles.size(); ++t) {
    if (t % 7 != 3) left.push_back(holes.triangles[t]);
  }
  holes.triangles = left;
  set.push_back(torture("holes", holes, limb_bones()));

  Surface open = limb();
  open.triangles.erase(open.triangles.begin(), open.triangles.begin() + 400);
  set.push_back(torture("half of it missing", exploded(open), limb_bones()));

  Surface doubled = limb();
  append(doubled, limb());
  set.push_back(torture("every vertex and face twice", doubled, limb_bones()));

  Surface seam = limb();
  const auto first = static_cast<Index>(seam.positions.size());
  const std::vector<Vec3> copies = seam.positions;
  seam.positions.insert(seam.positions.end(), copies.begin(), copies.end());
  for (std::size_t t = 0; t < seam.triangles.size(); t += 2) {
    for (Index& corner : seam.triangles[t]) corner += first;
  }
  set.push_back(torture("duplicated vertices", seam, limb_bones()));

  set.push_back(torture("every face separate", exploded(limb()), limb_bones()));

  Surface flipped = limb();
  for (std::size_t t = 0; t < flipped.triangles.size(); t += 3) {
    std::swap(flipped.triangles[t][1], flipped.triangles[t][2]);
  }
  set.push_back(torture("flipped faces", flipped, limb_bones()));

  Surface flipped_holes = holes;
  for (std::size_t t = 0; t < flipped_holes.triangles.size(); t += 2) {
    std::swap(flipped_holes.triangles[t][1], flipped_holes.triangles[t][2]);
  }
  set.push_back(torture("holes and flipped faces", flipped_holes, limb_bones()));

  Surface inside_out = limb();
  flip(inside_out);
  set.push_back(torture("inside out", inside_out, limb_bones()));

  Surface crossing = limb();
  for (Vec3 p : limb().positions)
    crossing.positions.push_back({p.y - 0.97, p.x + 1.01, p.z + 0.02});
  for (const Triangle& t : limb().triangles) {
    const auto n = static_cast<Index>(limb().positions.size());
    crossing.triangles.push_back({t[0] + n, t[2] + n, t[1] + n});
  }
  set.push_back(torture("self-intersection", crossing,
                        loose_bones({{0, 0.1, 0}, {0, 1.9, 0}, {-0.9, 1, 0}, {0.9, 1, 0}})));

  Surface internal = limb();
  const auto middle = static_cast<Index>(internal.positions.size());
  internal.positions.push_back({0, 1, 0});
  for (Index i = 0; i < 16; ++i) {
    internal.triangles.push_back({middle, 12 * 16 + i, 12 * 16 + (i + 1) % 16});
  }
  set.push_back(torture("internal faces", internal, limb_bones()));

  Surface nested = limb();
  append(nested, moved(cylinder(2, 0.25), 0.5, {0, 0.5, 0}));
  set.push_back(torture("a shell within a shell", nested, limb_bones()));

  Surface flat = limb();
  for (Index i = 0; i < 16; ++i) {
    flat.triangles.push_back({i, i, i + 16});
    flat.triangles.push_back({i, i + 16, i + 32});  // three corners on one line
    const auto v = static_cast<Index>(flat.positions.size());
    flat.positions.push_back(flat.positions[i]);
    flat.triangles.push_back({i, v, i + 16});
  }
  set.push_back(torture("triangles without area", flat, limb_bones()));

  Surface slivers = limb();
  for (Vec3& p : slivers.positions) p.y = std::floor(p.y * 6) / 6 + 1e-12 * p.y;
  set.push_back(torture("slivers", slivers, limb_bones()));

  Surface isolated = limb();
  isolated.positions.insert(isolated.positions.begin(), {3, 3, 3});
  for (Triangle& t : isolated.triangles) {
    for (Index& corner : t) ++corner;
  }
  isolated.positions.push_back({0, 1.5, 0});
  set.push_back(torture("isolated vertices", isolated, limb_bones()));

  set.push_back(boneless_islands());
  set.push_back(close_cylinders());

  set.push_back(torture("a bone outside", limb(),
                        loose_bones({{0, 0.1, 0}, {0, 1.9, 0}, {1, 0, 0}, {1, 2, 0}})));
  set.push_back(torture("all bones outside", limb(), chain({{2, 0, 0}, {2, 1, 0}, {2, 2, 0}})));
  set.push_back(torture("a bone on the surface", limb(), chain({{0.25, 0, 0}, {0.25, 2, 0}})));

  Surface gap = moved(cylinder(2, 0.25), 0.4, {0, 0, 0});
  append(gap, moved(cylinder(2, 0.25), 0.4, {0, 1.2, 0}));
  set.push_back(torture("a bone across a gap", gap, chain({{0, 0.3, 0}, {0, 1.7, 0}})));

  set.push_back(torture("coincident bones", limb(),
                        loose_bones({{0, 0.1, 0},
                                     {0, 1, 0},
                                     {0, 0.1, 0},
                                     {0, 1, 0},
                                     {0, 1.9, 0},
                                     {0, 1, 0},
                                     {0, 1, 0},
                                     {0, 1.9, 0}})));
  set.push_back(torture("short and long bones", limb(),
                        loose_bones({{0, 0.5, 0}, {1e-9, 0.5, 0}, {0, -1e4, 0}, {0, 1e4, 0}})));
  set.push_back(torture("one triangle", {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}},
                        chain({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}})));

  Surface fan;
  fan.positions = {{0, 0, 0}, {0, 1, 0}};
  for (Index i = 0; i < 5; ++i) {
    const double a = 2 * pi * i / 5;
    fan.positions.push_back({std::cos(a), 0.5, std::sin(a)});
    fan.triangles.push_back({0, 1, i + 2});
  }
  set.push_back(torture("five faces at an edge", fan, limb_bones()));

  Surface points = limb();
  points.triangles.clear();
  set.push_back(torture("no faces", points, limb_bones()));
  set.push_back(torture("all vertices at one place", moved(limb(), 0, {0, 1.5, 0}), limb_bones()));
  set.push_back(torture("a soup of triangles", triangle_soup(400, 7),
                        loose_bones({{-0.5, 0, 0}, {0.5, 0, 0}, {0, -0.5, 0.5}, {0, 0.5, 0.5}})));
  return set;
}

// Whether the mesh is just the limb stored differently; slow tests may skip these.
inline bool is_limb_again(const Torture& t) {
  for (const char* name :
       {"every vertex and face twice", "duplicated vertices", "every face separate",
        "flipped faces", "inside out", "triangles without area", "isolated vertices"}) {
    if (t.name == name) return true;
  }
  return false;
}

// The same, scaled and then moved.
inline Torture moved(Torture t, double scale, const Vec3& by) {
  const auto move = [&](Vec3& p) { p = p * scale + by; };
  for (Vec3& p : t.mesh.positions) move(p);
  for (Bone& bone : t.skeleton.bones) {
    move(bone.head);
    move(bone.tail);
  }
  return t;
}

}  // namespace sinew
