// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/surface_lookup.h"

#include "sinew/geometry/components.h"

namespace sinew::detail {

SurfaceLookup::SurfaceLookup(const Mesh& mesh, const Welded& welded) : cells_(mesh.triangles) {
  const std::size_t count = mesh.positions.size();
  std::vector<bool> used(count, false);
  for (const Triangle& t : mesh.triangles) {
    for (const Index v : t) used[v] = true;
  }
  const std::vector<Vec3> normals = vertex_normals(welded.positions, welded.triangles);
  const Components parts = connected_components(welded.positions.size(), welded.triangles);
  part_count_ = parts.count;
  for (std::size_t v = 0; v < count; ++v) {
    const Index joined = welded.representative_of[v];
    const auto index = static_cast<Index>(v);
    if (!used[v]) cells_.push_back({index, index, index});
    normals_.push_back(used[v] ? normals[joined] : Vec3{});
    part_of_vertex_.push_back(parts.of_vertex[joined]);
  }
  bvh_ = Bvh(mesh.positions, cells_);
}

std::optional<SurfacePoint> SurfaceLookup::closest(
    const SurfaceQuery& query, const std::function<bool(Index cell)>& accept) const {
  const auto good = [&](Index c, const Vec3& barycentric) {
    if (accept && !accept(c)) return false;
    const Triangle& t = cells_[c];
    const Vec3 normal = normals_[t[0]] * barycentric.x + normals_[t[1]] * barycentric.y +
                        normals_[t[2]] * barycentric.z;
    const double size = length(normal) * length(query.normal);
    return !(size > 0) || dot(normal, query.normal) >= query.min_cosine * size;
  };
  return bvh_.closest_accepted(query.position, good, query.max_distance);
}

void add_interpolated(RowMixer& mixer, std::span<const SkinRow> rows, const Triangle& cell,
                      const Vec3& barycentric, double factor) {
  for (std::size_t i = 0; i < 3; ++i) mixer.add(rows[cell[i]], barycentric[i] * factor);
}

}  // namespace sinew::detail
