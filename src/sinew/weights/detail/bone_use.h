// SPDX-License-Identifier: Apache-2.0
// Which bones move the skin around them.
#pragma once

#include <optional>
#include <vector>

#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/weights.h"
#include "sinew/weights/detail/bone_ways.h"

namespace sinew::detail {

// So much of a vertex is a share in it; less says nothing.
inline constexpr double least_share = 0.05;
// The near bones that a vertex sees (BoneWays::near_in_sight), looked for once at most.
class NearBones {
 public:
  NearBones(const BoneWays& ways, std::size_t v) : ways_(ways), v_(v) {}

  // Whether the vertex sees the bone, and the nearest of those counted (empty: all) that it sees is
  // not `ratio` times nearer.
  bool is_nearest(int bone, const std::vector<char>& counted, double ratio);

 private:
  const BoneWays& ways_;
  std::size_t v_;
  std::optional<std::vector<int>> near_;
};

// For each bone whether it has a share in a vertex to which none is nearer, to a quarter. The
// weights must fit the mesh.
std::vector<char> bones_with_skin(const BoneWays& ways, const Weights& weights);

// The same, and the bones between two such in the hierarchy.
std::vector<char> bones_in_use(const Skeleton& skeleton, const std::vector<char>& with_skin);

// Bones without skin although skin lies around them, ascending: they are inside the shape, at least
// three vertices see no bone nearer, and a bone above has skin. What lies above all bones that have
// skin is taken for a root that carries the rig, unless it is the nearest to half of the vertices.
std::vector<BoneIndex> find_idle_bones(const BoneWays& ways, const Skeleton& skeleton,
                                       const std::vector<char>& with_skin);

}  // namespace sinew::detail
