// SPDX-License-Identifier: Apache-2.0
// The bodies that lattices are made for, and the bones in them and beside them; see lattice.h.
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

// Points of a bone that are tried for being inside of a body.
inline constexpr int bone_probes = 16;

// Of the springs that hold a bone, per side of a cube: softer ones let go of the bone, stiffer ones
// make the cubes around it as stiff as it is. Chosen by the difference to tetrahedra of about the
// same size (a hand, an arm).
inline constexpr double bone_stiffness = 1.85;
// Lengths are rounded to this share of a body's size, about what single precision holds.
inline constexpr double size_step = 0x1p-24;

// Where a body is: about the origin, of size 1, and on a grid, so that no decision about a cube
// hangs on the last bits, which differ with place and scale.
struct Frame {
  Vec3 center;
  double size = 1;

  Vec3 in(const Vec3& p) const {
    const auto rounded = [&](double x) { return std::round(x / size / size_step) * size_step; };
    return {rounded(p.x - center.x), rounded(p.y - center.y), rounded(p.z - center.z)};
  }
  Vec3 out(const Vec3& p) const { return center + p * size; }
};

// A bone, seen by a body.
struct Line {
  Vec3 head, tail;
  double from = 0, to = 1;  // the part of it that is in the body's box, none if from > to

  Vec3 at(double t) const { return lerp(head, tail, t); }
  // Point number k of bone_probes + 1.
  double probe(int k) const { return from + (to - from) * static_cast<double>(k) / bone_probes; }
};

// A bone, or a stretch of one, that lies in no body and is beside this one.
struct Guest {
  int bone = 0;
  Beside stretch;
  bool partly = false;  // it lies in a body elsewhere
  std::vector<BoneTie> ties;
};

struct LatticeBody {
  Solid solid;
  Frame frame;
  std::vector<Line> lines;  // of all bones
  std::unique_ptr<Interior> interior;
  std::vector<int> bones;  // that pass through it
  std::vector<Guest> guests;
  std::vector<SurfaceSample> surface;
  std::vector<SizedPoint> sizes;  // thickness at points of the surface; bones' lengths along them
  Box box;
};

// Which bones pass through which body, and which guests each has: bones that pass through none, and
// long stretches of others that are in none, belong to the nearest body.
void assign_bones(std::vector<LatticeBody>& bodies, std::size_t bones);

// Ties guests to their bodies, whose vertices are at `positions`; those that are inside elsewhere
// leave again if the surface does not run along them. `repairs` says what was done.
void tie_guests(std::vector<LatticeBody>& bodies, const std::vector<Vec3>& positions,
                std::vector<std::string>& repairs);

// Holds the guest at its ties, or, without any, the body's nearest point.
void hold_guest(const BodyLattice& lattice, const LatticeBody& body,
                const std::vector<Vec3>& positions, const Guest& guest, const Bone& bone,
                Domain& domain);

// Whether another bone has an end there.
bool is_shared(const LatticeBody& body, std::size_t number, const Vec3& end);

}  // namespace sinew::detail
