// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/lay_flat.h"

#include <cmath>

#include "sinew/core/internal/disjoint_sets.h"
#include "sinew/core/math.h"

namespace sinew::detail {
namespace {

constexpr double steep = 10;

}  // namespace

void lay_flat(const FlatFrame& frame, Welded& mesh) {
  std::vector<Vec3> placed;
  placed.reserve(mesh.positions.size());
  for (const Vec3& p : mesh.positions) placed.push_back(frame.to_plane(p));
  DisjointSets sets(placed.size());
  for (const Triangle& t : mesh.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 edge = placed[t[i]] - placed[t[(i + 1) % 3]];
      if (!(std::abs(edge.z) > steep * math::hypot(edge.x, edge.y))) continue;
      sets.join(t[i], t[(i + 1) % 3]);
    }
  }
  Welded flat;
  std::vector<Index> number(placed.size());
  for (Index v = 0; v < placed.size(); ++v) {
    if (const std::size_t first = sets.find(v); first != v) {
      number[v] = number[first];
      continue;
    }
    number[v] = static_cast<Index>(flat.positions.size());
    flat.positions.push_back({placed[v].x, placed[v].y, 0});
    flat.source.push_back(mesh.source[v]);
  }
  for (const Index v : mesh.representative_of) flat.representative_of.push_back(number[v]);
  for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
    const auto& [a, b, c] = mesh.triangles[n];
    const Triangle t{number[a], number[b], number[c]};
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
    flat.triangles.push_back(t);
    flat.triangle_source.push_back(mesh.triangle_source[n]);
  }
  mesh = std::move(flat);
}

void lay_flat(const FlatFrame& frame, Skeleton& skeleton) {
  const auto laid = [&](const Vec3& end) {
    Vec3 p = frame.to_plane(end);
    if (std::abs(p.z) <= flat_share * frame.width) p.z = 0;
    return p;
  };
  for (Bone& bone : skeleton.bones) {
    const Vec3 head = laid(bone.head), tail = laid(bone.tail);
    const bool is_left = distance(head, tail) > distance(bone.head, bone.tail) / 2;
    bone.head = is_left ? head : frame.to_plane(bone.head);
    bone.tail = is_left ? tail : frame.to_plane(bone.tail);
  }
}

}  // namespace sinew::detail
