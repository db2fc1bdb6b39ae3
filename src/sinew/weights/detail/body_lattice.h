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

// Inside tests for a body, including whether a straight line stays inside.
class Interior {
 public:
  Interior(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles);

  double winding(const Vec3& p) const { return winding_.at(p); }
  bool contains(const Vec3& p) const { return winding(p) > 0.5; }
  // Whether the line from `from` to `to` stays inside; the winding number at `from` is about
  // `start`. All triangles that the line may meet are below the node `below` of the tree.
  bool is_open(const Vec3& from, const Vec3& to, double start, Index below = 0) const;
  // The distance from a point of the surface through the body to the other side.
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

  // The value at a point as a weighted sum of node values. Uses the copy of the point's cube that
  // is visible from the point, or else a nearby one.
  struct LatticePoint {
    std::size_t element = 0;
    std::vector<Term> terms;  // empty if there is no cube near by
  };
  LatticePoint locate(const Vec3& point) const;
  // The same in two steps, for the i-th surface point that the lattice was built with: the element
  // that the point lies in, none if there is no cube near by, and as many terms as that has nodes.
  int element_of(std::size_t i, const SurfaceSample& sample) const;
  bool has(int element) const {
    return element != none && at(element) >= first_element_ &&
           at(element) < first_element_ + copies_.size();
  }
  void fill_terms(int element, const Vec3& point, std::span<Term> terms) const;

  double side_at(const Vec3& point) const;

 private:
  // A leaf of the octree with its eight parts.
  struct Cube {
    bool mixed = false;            // the surface may pass through it
    Index below = 0;               // if mixed: the node of the tree with all that is beside it
    std::array<bool, 8> inside{};  // of the parts
    std::array<Vec3, 8> point;     // of each part, inside
    std::array<int, 8> copy;       // the cube copy that each part belongs to
  };
  struct Copy {
    int cube = 0;
    int parts = 0;
    std::array<std::size_t, 8> corner{};  // the slots of its corners
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

  // A cube and what is right beside it.
  Box beside(const OctreeCell& cell) const;
  // The sample point moved slightly into the body.
  Vec3 inward(const SurfaceSample& sample) const;
  Part nearest_part(const Vec3& point, const Vec3& inward) const;
  int element_at(const Part& part) const;
  void classify(std::span<const SurfaceSample> surface);
  void make_copies();
  void join_neighbours();
  void join(int a, int b, std::size_t axis, bool up);
  void hang(int a, int b, std::size_t axis, bool up);
  const std::vector<Term>& resolve(std::size_t root, Domain& domain);

  const Interior& interior_;
  Octree octree_;
  std::vector<Cube> cubes_;
  std::vector<Part> parts_;  // one per surface point
  std::vector<Copy> copies_;
  DisjointSets slots_;  // eight for each cube copy; slots joined into one set are one node
  std::vector<Hanging> hanging_;
  std::vector<int> hanging_of_;  // for each slot that is a root
  std::size_t first_element_ = 0;
  std::vector<std::size_t> node_counts_;  // of each copy's element
  std::vector<std::vector<Term>> terms_;  // for each slot that is a root
};

}  // namespace sinew::detail
