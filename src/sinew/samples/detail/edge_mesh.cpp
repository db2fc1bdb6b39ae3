// SPDX-License-Identifier: Apache-2.0
#include "sinew/samples/detail/edge_mesh.h"

#include <algorithm>

#include "sinew/core/internal/key_map.h"

namespace sinew::samples {

EdgeMesh::EdgeMesh(std::size_t vertex_count, const std::vector<Triangle>& triangles)
    : origin_(triangles.size() * 3), twin_(triangles.size() * 3, none), first_(vertex_count, none) {
  // Half-edges sorted into rows by their origin, to find twins without a hash table.
  std::vector<std::uint32_t> row(vertex_count + 1, 0), entries(origin_.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      origin_[3 * t + k] = triangles[t][k];
      ++row[triangles[t][k] + 1];
    }
  }
  for (std::size_t v = 0; v < vertex_count; ++v) row[v + 1] += row[v];
  std::vector<std::uint32_t> fill(row.begin(), row.end() - 1);
  for (std::uint32_t h = 0; h < origin_.size(); ++h) entries[fill[origin_[h]]++] = h;
  for (std::uint32_t h = 0; h < origin_.size(); ++h) {
    const Index a = from(h), b = to(h);
    for (std::uint32_t i = row[b]; i < row[b + 1]; ++i) {
      if (to(entries[i]) == a) twin_[h] = entries[i];
    }
    if (first_[a] == none || twin_[h] == none) first_[a] = h;
  }
}

void EdgeMesh::neighbors(Index vertex, std::vector<Index>& out) const {
  out.clear();
  for_each_leaving(vertex, [&](std::uint32_t h) {
    out.push_back(to(h));
    if (twin_[previous(h)] == none) out.push_back(opposite(h));
  });
}

bool EdgeMesh::are_joined(Index a, Index b) const {
  bool joined = false;
  for_each_leaving(a, [&](std::uint32_t h) { joined = joined || to(h) == b || opposite(h) == b; });
  return joined;
}

bool EdgeMesh::can_collapse(std::uint32_t h) const {
  const Index gone = from(h), kept = to(h);
  const std::uint32_t other = twin_[h];
  if (is_border(gone) && other != none) return false;
  const Index left = opposite(h), right = other != none ? opposite(other) : none;
  // A vertex across must keep a fan of three triangles, or of one at the border.
  for (const Index across : {left, right}) {
    if (across == none) continue;
    std::size_t fan = 0;
    for_each_leaving(across, [&](std::uint32_t) { ++fan; });
    if (fan < (is_border(across) ? 2u : 4u)) return false;
  }
  bool allowed = true;
  const bool kept_at_border = is_border(kept);
  for_each_leaving(gone, [&](std::uint32_t leaving) {
    for (const Index near : {to(leaving), opposite(leaving)}) {
      if (!allowed || near == kept || near == left || near == right) continue;
      if (are_joined(kept, near)) allowed = false;
      if (kept_at_border && !is_border(gone) && is_border(near)) allowed = false;
    }
  });
  return allowed;
}

void EdgeMesh::link(std::uint32_t a, std::uint32_t b) {
  if (a != none) twin_[a] = b;
  if (b != none) twin_[b] = a;
}

// Any half-edge that leaves the vertex will do inside; at the border it must be the first
// clockwise.
void EdgeMesh::start_at_border(Index vertex, std::uint32_t half_edge) {
  std::uint32_t h = half_edge;
  while (twin_[h] != none) {
    h = next(twin_[h]);
    if (h == half_edge) break;
  }
  first_[vertex] = h;
}

void EdgeMesh::collapse(std::uint32_t h) {
  const Index gone = from(h), kept = to(h);
  const std::uint32_t other = twin_[h];
  const Index left = opposite(h), right = other != none ? opposite(other) : none;
  for_each_leaving(gone, [&](std::uint32_t leaving) { origin_[leaving] = kept; });

  std::uint32_t survivor = none;  // some half-edge that leaves `kept` afterwards
  const auto remove_triangle = [&](std::uint32_t inner, Index across) {
    const std::uint32_t a = twin_[next(inner)], b = twin_[previous(inner)];
    link(a, b);
    for (const std::uint32_t dead : {inner, next(inner), previous(inner)}) origin_[dead] = none;
    for (const std::uint32_t outer : {a, b}) {
      if (outer == none) continue;
      const std::uint32_t at_across = origin_[outer] == across ? outer : next(outer);
      const std::uint32_t at_kept = origin_[outer] == across ? next(outer) : outer;
      first_[across] = at_across;
      survivor = at_kept;
    }
  };
  remove_triangle(h, left);
  if (other != none) remove_triangle(other, right);
  first_[gone] = none;
  start_at_border(kept, survivor);
  start_at_border(left, first_[left]);
  if (right != none) start_at_border(right, first_[right]);
}

bool EdgeMesh::can_flip(std::uint32_t h) const {
  const std::uint32_t other = twin_[h];
  if (other == none) return false;
  const Index left = opposite(h), right = opposite(other);
  if (left == right || are_joined(left, right)) return false;
  if (is_border(left) && is_border(right)) return false;
  for (const Index end : {from(h), to(h)}) {
    std::size_t fan = 0;
    for_each_leaving(end, [&](std::uint32_t) { ++fan; });
    if (fan < (is_border(end) ? 2u : 4u)) return false;
  }
  return true;
}

void EdgeMesh::flip(std::uint32_t h) {
  const std::uint32_t g = twin_[h];
  const Index a = from(h), b = to(h), left = opposite(h), right = opposite(g);
  const std::uint32_t hn = next(h), hp = previous(h), gn = next(g), gp = previous(g);
  const std::uint32_t b_left = twin_[hn], left_a = twin_[hp], a_right = twin_[gn],
                      right_b = twin_[gp];
  // Triangle of h becomes (right, left, a); that of g (left, right, b).
  origin_[h] = right;
  origin_[hn] = left;
  origin_[hp] = a;
  origin_[g] = left;
  origin_[gn] = right;
  origin_[gp] = b;
  const auto join = [&](std::uint32_t x, std::uint32_t y) {
    twin_[x] = y;
    if (y != none) twin_[y] = x;
  };
  join(hn, left_a);
  join(hp, a_right);
  join(gn, right_b);
  join(gp, b_left);
  start_at_border(a, hp);
  start_at_border(b, gp);
  start_at_border(left, hn);
  start_at_border(right, gn);
}

}  // namespace sinew::samples
