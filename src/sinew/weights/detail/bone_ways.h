// SPDX-License-Identifier: Apache-2.0
// Distances from vertices to bones along paths that do not leave the shape.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "sinew/mesh/adjacency.h"
#include "sinew/mesh/mesh.h"
#include "sinew/mesh/weld.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/weights/detail/bone_scene.h"
#include "sinew/weights/detail/segment_table.h"

namespace sinew::detail {

// Lengths in unit space, for the vertices of the welded mesh. A path runs along edges (of triangles
// and tetrahedra) to a vertex that sees the bone, and from there straight to the bone; that vertex
// sees no bone more than five times nearer. Blind parts use the straight line: parts that are flat
// while the shape is not, or where fewer than a tenth of the vertices see a bone inside the shape.
class BoneWays {
 public:
  // Bones up to this many times as far away as the nearest one count as near.
  static constexpr double near_ratio = 2;

  // Throws InputError for a mesh or skeleton that breaks a rule, and for one without bones. What
  // they are made of must outlive them.
  BoneWays(const Mesh& mesh, const Skeleton& skeleton);
  explicit BoneWays(BoneScene& scene);

  const Welded& welded() const { return scene_.welded; }
  // Vertices connected by an edge.
  const Adjacency& neighbors() const { return neighbors_; }
  std::size_t bone_count() const { return scene_.bones.size(); }
  const Segment& bone(std::size_t index) const { return scene_.bones[index]; }
  // Their squared distances from a vertex.
  void measure(std::size_t v, std::span<double> squared) const {
    bone_table_.measure(scene_.welded.positions[v], squared);
  }
  // Whether one of them, seen or not, is nearer to a vertex than this, squared.
  bool any_closer(std::size_t v, double squared) const {
    return bone_table_.any_closer(scene_.welded.positions[v], squared);
  }

  // The nearest bone that the vertex sees, one inside the shape if it sees any; no_bone if it sees
  // none.
  int nearest_in_sight(std::size_t v) const { return views_.seen.nearest[v]; }
  // The near bones among those that the vertex sees: the nearest, and all at most twice as far
  // away. If it sees a bone inside the shape, bones outside never make that one count as far. Empty
  // if it sees none. Looked for at every call.
  std::vector<int> near_in_sight(std::size_t v) const;

  // Whether all bones marked in `wanted` lie outside the shape over their whole length.
  bool are_outside(std::span<const char> wanted) const;

  // The straight-line distance to the nearest bone marked in `wanted`; the second considers visible
  // bones only and is infinite if there are none.
  double straight(std::size_t v, std::span<const char> wanted) const;
  double in_sight(std::size_t v, std::span<const char> wanted) const;

  // For each vertex, the length of the shortest path to one of the bones; infinite if there is
  // none. The second looks no farther than the vertices asked for need, and returns theirs, in
  // their order: the same but for rounding.
  std::vector<double> ways(std::span<const char> wanted) const;
  std::vector<double> ways(std::span<const char> wanted, std::span<const Index> vertices) const;
  std::vector<double> ways_to_nearest() const;
  // Lengths of the shortest paths along edges that begin with these lengths. Those above `limit`
  // may be too long, but not infinite where there is a path.
  std::vector<double> spread(std::vector<double> lengths,
                             double limit = std::numeric_limits<double>::infinity()) const;

  // The part of the surface that a vertex belongs to, named by its lowest vertex.
  Index part(std::size_t v) const { return part_[v]; }
  bool is_blind(Index part) const { return blind_[part] != 0; }

 private:
  explicit BoneWays(std::unique_ptr<BoneScene> own);
  void find_parts();
  void find_blind_parts();
  // Calls take(stretch's bone, squared distance) for those that the vertex sees, the nearest first,
  // as far away as `take` returns; the first at any distance up to `limit`.
  template <class Take>
  void look(std::size_t v, bool inside, std::span<const char> wanted, double limit,
            const Take& take) const;
  // The length of a path that begins with a straight line from the vertex; infinite if none does.
  double seed(std::size_t v, std::span<const char> wanted, double straight) const;
  // Shortens lengths along edges from these vertices on, as far as they are open (empty: all), up
  // to a limit.
  void shorten(std::span<const Index> from, std::span<const char> open, double limit,
               std::vector<double>& lengths) const;

  std::unique_ptr<BoneScene> own_;
  const WeldedScene& scene_;
  const BoneViews& views_;
  SegmentTable bone_table_, inside_table_, outside_table_;  // of bones, of their stretches
  Adjacency neighbors_;
  std::vector<Index> part_;
  std::vector<char> blind_;  // per part, stored at its lowest vertex
};

}  // namespace sinew::detail
