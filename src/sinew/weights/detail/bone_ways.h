// SPDX-License-Identifier: Apache-2.0
// How far it is from the vertices of a shape to bones without leaving the shape.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/mesh/adjacency.h"
#include "sinew/mesh/mesh.h"
#include "sinew/mesh/weld.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/weights/detail/sight.h"

namespace sinew::detail {

// Lengths in unit space, for the vertices of the welded mesh. A way goes along edges (of triangles
// and of tetrahedra) to a vertex that sees the bone, not more than five times as far away as the
// nearest one that it sees, and straight on from there. In blind parts, which are flat while the
// shape is not, or where fewer than a tenth of the vertices see a bone inside the shape, it is the
// straight line.
class BoneWays {
 public:
  // What is at most so many times as far as the nearest is near, too.
  static constexpr double near_ratio = 2;

  // Throws InputError for a mesh or skeleton that breaks a rule, and for one without bones.
  BoneWays(const Mesh& mesh, const Skeleton& skeleton);

  const Welded& welded() const { return welded_; }
  // Which vertices edges connect.
  const Adjacency& neighbors() const { return neighbors_; }
  double bone_length(std::size_t bone) const { return length(bones_[bone].arm); }

  // The bones near to a vertex in sight: the nearest, and all that are not more than twice as far.
  // Where it sees one inside the shape, those outside do not make that one far, however near they
  // are. Empty where it sees none.
  std::span<const int> near_in_sight(std::size_t v) const { return near_[v]; }

  // Whether all bones marked in `wanted` are outside of the shape over their whole length.
  bool are_outside(std::span<const char> wanted) const;

  // The straight distance to the nearest of the bones marked in `wanted`; the same for those in
  // sight alone, infinite where there is none.
  double straight(std::size_t v, std::span<const char> wanted) const;
  double in_sight(std::size_t v, std::span<const char> wanted) const;

  // For each vertex the shortest way to one of the bones; infinite where there is no way.
  std::vector<double> ways(std::span<const char> wanted) const;
  std::vector<double> ways_to_nearest() const;

  // The part of the surface that a vertex belongs to, named by its lowest vertex.
  Index part(std::size_t v) const { return part_[v]; }
  bool is_blind(Index part) const { return blind_[part] != 0; }

 private:
  void find_parts();
  void find_blind_parts();
  void look_around();
  std::vector<double> spread(std::vector<double> lengths) const;

  Welded welded_;
  Adjacency neighbors_;
  std::vector<Segment> bones_;
  std::unique_ptr<Sight> sight_;
  Stretches stretches_;
  std::vector<Index> part_;
  std::vector<char> blind_;      // of each part, at its lowest vertex
  std::vector<double> nearest_;  // in sight; infinite where there is none
  std::vector<char> sees_inside_;
  Rows<int> near_;
};

}  // namespace sinew::detail
