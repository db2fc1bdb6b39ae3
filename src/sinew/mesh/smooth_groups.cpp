// SPDX-License-Identifier: Apache-2.0
#include "sinew/mesh/smooth_groups.h"

#include <numeric>

#include "sinew/mesh/weld.h"

namespace sinew {

std::vector<Index> smooth_groups(const std::vector<Vec3>& positions,
                                 const std::vector<Vec3>& normals) {
  const auto alike = [&](Index a, Index b) {
    if (normals.empty()) return true;
    constexpr double same = 0.999;  // some two degrees
    return dot(normals[a], normals[b]) > same;
  };
  constexpr int most_normals = 16;  // at one place; broken meshes have thousands there
  const std::vector<Index> place_of = weld(positions, {}).representative_of;
  std::vector<Index> first(positions.size());
  std::iota(first.begin(), first.end(), Index{0});
  // The first vertex at each position; and, as a linked list, the next representative at the same
  // position (itself at the end of the list).
  std::vector<Index> first_at(positions.size());
  std::vector<Index> next = first;
  Index known = 0;
  for (Index v = 0; v < place_of.size(); ++v) {
    if (place_of[v] == known) {  // places are numbered as they come
      first_at[known++] = v;
      continue;
    }
    Index leader = first_at[place_of[v]];
    int passed = 1;
    while (!alike(leader, v) && next[leader] != leader) {
      leader = next[leader];
      ++passed;
    }
    if (alike(leader, v)) {
      first[v] = leader;
    } else if (passed < most_normals) {
      next[leader] = v;
    }
  }
  return first;
}

}  // namespace sinew
