// SPDX-License-Identifier: Apache-2.0
// The lattice of one body; see lattice.h.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sinew/core/internal/disjoint_sets.h"
#include "sinew/core/internal/octree.h"
#include "sinew/geometry/winding.h"
#include "sinew/weights/detail/domain.h"
#include "sinew/weights/detail/numbers.h"

namespace sinew::detail {

// What is inside of a body, and what can be reached without leaving it.
class Interior {
 public:
  Interior(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles);

  double winding(const Vec3& p) const { return winding_.at(p); }
  bool contains(const Vec3& p) const { return winding(p) > 0.5; }
  // Whether the way from `from`, where the winding number is about `start`, stays inside.
  bool is_open(const Vec3& from, const Vec3& to, double start) const;
  // How far it is from a point of the surface to the other side.
  double thickness(const Vec3& point, const Vec3& normal) const;

  const Bvh& bvh() const { return winding_.bvh(); }
  double extent() const { return extent_; }

 private:
  WindingNumber winding_;
  std::vector<Vec3> normals_;  // of the triangles, unit length
  double extent_ = 0;
};

// A point of the surface with the normal there.
struct SurfaceSample {
  Vec3 point, normal;
};

class BodyLattice {
 public:
  BodyLattice(const Interior& interior, Octree octree, std::span<const SurfaceSample> surface);

  // Appends nodes and elements; to be called before locate().
  void add_to(Domain& domain);

  // The value at a point as a sum of nodes': of the copy of its cube that can be seen from it, or
  // else of one near by.
  struct Place {
    std::size_t element = 0;
    std::vector<Term> terms;  // empty if there is no cube near by
  };
  Place locate(const Vec3& point) const;
  // Of the i-th point of the surface that the lattice was made with.
  Place locate(std::size_t i, const SurfaceSample& sample) const;

  double side_at(const Vec3& point) const;

 private:
  // A leaf of the octree with its eight parts.
  struct Cube {
    bool mixed = false;            // the surface may pass through it
    std::array<bool, 8> inside{};  // of the parts
    std::array<Vec3, 8> point;     // of each part, inside
    std::array<int, 8> copy;       // that the part belongs to
  };
  struct Copy {
    int cube = 0;
    int parts = 0;
    std::array<std::size_t, 8> corner{};  // the slots that stand for its corners
  };
  struct Hanging {
    int slot = 0;
    std::vector<std::pair<int, double>> on;  // slots
  };

  struct Part {
    int cube = none;
    std::size_t part = 0;
    bool seen = false;
  };

  // A little way into the body.
  Vec3 inward(const SurfaceSample& sample) const;
  Part nearest_part(const Vec3& point, const Vec3& inward) const;
  Place place_in(const Part& part, const Vec3& point) const;
  void classify(std::span<const SurfaceSample> surface);
  void make_copies();
  void join_neighbours();
  void join(int a, int b, std::size_t axis, bool up);
  void hang(int a, int b, std::size_t axis, bool up);
  const std::vector<Term>& resolve(std::size_t root, Domain& domain);

  const Interior& interior_;
  Octree octree_;
  std::vector<Cube> cubes_;
  std::vector<Part> parts_;  // of the points of the surface
  std::vector<Copy> copies_;
  DisjointSets slots_;  // eight for each copy: those at one place are one node
  std::vector<Hanging> hanging_;
  std::vector<int> hanging_of_;  // for each slot that is a root
  std::size_t first_element_ = 0;
  std::vector<std::vector<Term>> terms_;  // for each slot that is a root
};

}  // namespace sinew::detail
