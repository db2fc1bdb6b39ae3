// SPDX-License-Identifier: Apache-2.0
#include "sinew/mesh/smooth_groups.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace sinew {

std::vector<Index> smooth_groups(const std::vector<Vec3>& positions,
                                 const std::vector<Vec3>& normals) {
  std::vector<Index> order(positions.size()), first(positions.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::iota(first.begin(), first.end(), Index{0});
  const auto place = [&](Index v) {
    return std::tie(positions[v].x, positions[v].y, positions[v].z);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return place(a) < place(b); });
  const auto alike = [&](Index a, Index b) {
    if (normals.empty()) return true;
    constexpr double same = 0.999;  // some two degrees
    return dot(normals[a], normals[b]) > same;
  };
  constexpr std::size_t most_normals = 16;  // at one place; broken meshes have thousands there
  std::vector<Index> leaders;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Index v = order[i];
    if (i > 0 && place(order[i - 1]) != place(v)) leaders.clear();
    const auto found = std::find_if(leaders.begin(), leaders.end(),
                                    [&](Index leader) { return alike(leader, v); });
    if (found != leaders.end()) {
      first[v] = *found;
    } else if (leaders.size() < most_normals) {
      leaders.push_back(v);
    }
  }
  return first;
}

}  // namespace sinew
