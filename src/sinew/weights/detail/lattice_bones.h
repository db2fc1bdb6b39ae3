// SPDX-License-Identifier: Apache-2.0
// The bodies that lattices are built for, and the bones inside and beside them; see lattice.h.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sinew/weights/detail/body_lattice.h"
#include "sinew/weights/detail/bone_ties.h"
#include "sinew/weights/detail/solids.h"

namespace sinew::detail {

// Number of intervals at whose ends a bone is tested for being inside a body.
inline constexpr int bone_probes = 16;

// Stiffness of the springs that hold a bone, per cube edge length. Softer springs let the function
// drift from the bone's values; stiffer ones make the surrounding cubes as stiff as the bone.
// Chosen for the smallest difference from tetrahedra of about the same size (on a hand and an arm).
inline constexpr double bone_stiffness = 1.85;
// Lengths are rounded to this fraction of a body's size, about single precision.
inline constexpr double size_step = 0x1p-24;

// Normalises a body: moved to the origin, scaled to size 1 and rounded to a grid, so that no
// decision about a cube depends on the last bits, which change with position and scale.
struct Frame {
  Vec3 center;
  double size = 1;

  Vec3 in(const Vec3& p) const {
    const auto rounded = [&](double x) { return std::round(x / size / size_step) * size_step; };
    return {rounded(p.x - center.x), rounded(p.y - center.y), rounded(p.z - center.z)};
  }
  Vec3 out(const Vec3& p) const { return center + p * size; }
};

// A bone relative to a body.
struct Line {
  Vec3 head, tail;
  double from = 0, to = 1;  // the interval inside the body's box; empty if from > to

  Vec3 at(double t) const { return lerp(head, tail, t); }
  // Point number k of bone_probes + 1.
  double probe(int k) const { return from + (to - from) * static_cast<double>(k) / bone_probes; }
};

// A guest: a bone, or an interval of one, that lies in no body and beside this one.
struct Guest {
  int bone = 0;
  Beside stretch;
  bool partly = false;  // another interval of the bone lies in a body
  std::vector<BoneTie> ties;
};

struct LatticeBody {
  Solid solid;
  Frame frame;
  std::vector<Line> lines;  // of all bones
  std::unique_ptr<Interior> interior;
  std::vector<int> bones;  // the bones that pass through the body
  std::vector<Guest> guests;
  std::vector<SurfaceSample> surface;
  std::vector<SizedPoint> sizes;  // thickness at points of the surface; bones' lengths along them
  Box box;
};

// Determines which bones pass through each body, and each body's guests: bones that pass through no
// body, and long intervals of other bones that lie in none, go to the nearest body.
void assign_bones(std::vector<LatticeBody>& bodies, std::size_t bones);

// Ties guests to their bodies, whose vertices are at `positions`. A guest whose bone lies inside a
// body elsewhere is dropped again if the surface does not run along it. `repairs` receives notes on
// what was done.
void tie_guests(std::vector<LatticeBody>& bodies, const std::vector<Vec3>& positions,
                std::vector<std::string>& repairs);

// Prescribes the guest's values at its ties or, if it has none, at the body's nearest point.
void hold_guest(const BodyLattice& lattice, const LatticeBody& body,
                const std::vector<Vec3>& positions, const Guest& guest, const Bone& bone,
                Domain& domain);

// Whether another bone has an end at this one's `end`.
bool is_shared(const LatticeBody& body, std::size_t number, const Vec3& end);

}  // namespace sinew::detail
