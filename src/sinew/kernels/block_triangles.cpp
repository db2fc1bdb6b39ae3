// SPDX-License-Identifier: Apache-2.0
#include "sinew/kernels/detail/block_triangles.h"

#include <cstdint>
#include <numeric>
#include <utility>

#include "sinew/kernels/detail/packed.h"
#include "sinew/mesh/smooth_groups.h"

namespace sinew::kernels {
namespace {

// Different numbers for different vertices, whose sums do not agree by chance as those of indices
// in a regular mesh do.
std::uint32_t mixed(Index vertex) {
  const std::uint32_t product = vertex * 0x9e3779b1u;
  return product ^ product >> 15;
}

// A run that is not far behind goes on: what is between is passed over.
void add_to(std::vector<TriangleRun>& runs, Index triangle) {
  constexpr Index gap = 4;
  if (!runs.empty() && triangle < runs.back().end + gap) {
    runs.back().end = triangle + 1;
  } else {
    runs.push_back({triangle, triangle + 1});
  }
}

Index block_of(Index vertex) { return vertex / block_size; }

// Fills the runs, and returns a sum per vertex, which is 0 if its triangles close around it: each
// neighbour is then once the first and once the last of a triangle's other two corners.
std::vector<std::uint32_t> follow_triangles(const Mesh& mesh, BlockTriangles& result) {
  std::vector<std::uint32_t> sums(mesh.vertex_count(), 0);
  for (Index t = 0; t < mesh.triangles.size(); ++t) {
    const auto [a, b, c] = mesh.triangles[t];
    const std::uint32_t x = mixed(a), y = mixed(b), z = mixed(c);
    sums[a] += y - z;
    sums[b] += z - x;
    sums[c] += x - y;
    const Index first = block_of(a), second = block_of(b), third = block_of(c);
    add_to(result.runs[first], t);
    if (second != first) add_to(result.runs[second], t);
    if (third != first && third != second) add_to(result.runs[third], t);
  }
  return sums;
}

// The rings, from the vertices on edges; whether there are any of more than one.
bool find_twins(const Mesh& mesh, const std::function<Vec3(std::size_t)>& normal_of,
                std::vector<std::uint32_t> sums, std::vector<Index>& next) {
  std::vector<Index> at_edge;
  std::vector<Vec3> positions, normals;
  for (Index v = 0; v < sums.size(); ++v) {
    if (sums[v] == 0) continue;
    at_edge.push_back(v);
    positions.push_back(mesh.positions[v]);
    normals.push_back(normal_of(v));
  }
  const std::vector<Index> first = smooth_groups(positions, normals);
  next = std::move(sums);
  std::iota(next.begin(), next.end(), Index{0});
  bool any = false;
  for (Index i = 0; i < first.size(); ++i) {
    if (first[i] == i) continue;
    next[at_edge[i]] = std::exchange(next[at_edge[first[i]]], at_edge[i]);
    any = true;
  }
  return any;
}

// The blocks of twins have the triangles around each of them, too.
void add_twins(const Mesh& mesh, BlockTriangles& result) {
  for (auto& runs : result.runs) runs.clear();
  for (Index t = 0; t < mesh.triangles.size(); ++t) {
    for (const Index corner : mesh.triangles[t]) {
      Index twin = corner;
      do {
        auto& runs = result.runs[block_of(twin)];
        if (runs.empty() || runs.back().end <= t) add_to(runs, t);
        twin = result.next_twin[twin];
      } while (twin != corner);
    }
  }
}

}  // namespace

BlockTriangles block_triangles(const Mesh& mesh,
                               const std::function<Vec3(std::size_t)>& normal_of) {
  BlockTriangles result;
  result.runs.resize((mesh.vertex_count() + block_size - 1) / block_size);
  std::vector<std::uint32_t> sums = follow_triangles(mesh, result);
  if (find_twins(mesh, normal_of, std::move(sums), result.next_twin)) {
    add_twins(mesh, result);
  } else {
    result.next_twin = {};
  }
  return result;
}

}  // namespace sinew::kernels
