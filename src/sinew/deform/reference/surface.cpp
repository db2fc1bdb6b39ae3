// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/reference/surface.h"

#include <algorithm>
#include <array>

#include "sinew/core/parallel.h"

namespace sinew::reference {
namespace {

// One bone's values at a vertex and their gradients along the surface.
struct Slope {
  SkinInfluence value;
  Vec3 weight, stretch, twist;
};

const SkinInfluence* find(std::span<const SkinInfluence> row, int bone) {
  const auto found =
      std::find_if(row.begin(), row.end(), [&](const SkinInfluence& i) { return i.bone == bone; });
  return found == row.end() ? nullptr : &*found;
}

std::vector<std::vector<Index>> triangles_at(std::size_t vertex_count,
                                             const std::vector<Triangle>& triangles) {
  std::vector<std::vector<Index>> at(vertex_count);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (const Index v : triangles[t]) at[v].push_back(static_cast<Index>(t));
  }
  return at;
}

// The gradients of the triangle's three hat functions, times twice its area.
std::array<Vec3, 3> hat_gradients(const std::array<Vec3, 3>& p, const Vec3& unit_normal) {
  return {cross(unit_normal, p[2] - p[1]), cross(unit_normal, p[0] - p[2]),
          cross(unit_normal, p[1] - p[0])};
}

// A bone that the vertex's neighbours have and it has not counts with weight 0. Endpoint weights
// are known only where a bone has weight: triangles that lack one leave its slope out.
std::vector<Slope> slopes_at(std::size_t v, const std::vector<Vec3>& positions,
                             const std::vector<Triangle>& triangles,
                             const std::vector<Index>& around, const SkinRows& rows) {
  std::vector<Slope> slopes;
  if (rows.row(v).empty()) return slopes;  // tied to nothing, it stays, whatever its neighbours do
  for (const SkinInfluence& influence : rows.row(v)) slopes.push_back({influence, {}, {}, {}});
  for (const Index t : around) {
    for (const Index corner : triangles[t]) {
      for (const SkinInfluence& influence : rows.row(corner)) {
        const bool known = std::any_of(slopes.begin(), slopes.end(), [&](const Slope& s) {
          return s.value.bone == influence.bone;
        });
        if (known) continue;
        SkinInfluence absent = influence;
        absent.weight = 0;
        slopes.push_back({absent, {}, {}, {}});
      }
    }
  }
  for (Slope& slope : slopes) {
    double area = 0;
    double shared_area = 0;
    for (const Index t : around) {
      const Triangle& triangle = triangles[t];
      const std::array<Vec3, 3> p = {positions[triangle[0]], positions[triangle[1]],
                                     positions[triangle[2]]};
      const Vec3 normal = cross(p[1] - p[0], p[2] - p[0]);
      const double twice_area = length(normal);
      if (!(twice_area > 0)) continue;
      const auto hats = hat_gradients(p, normal / twice_area);
      std::array<const SkinInfluence*, 3> at{};
      for (std::size_t k = 0; k < 3; ++k) at[k] = find(rows.row(triangle[k]), slope.value.bone);
      const bool shared = at[0] != nullptr && at[1] != nullptr && at[2] != nullptr;
      for (std::size_t k = 0; k < 3; ++k) {
        if (at[k] != nullptr) slope.weight += hats[k] * at[k]->weight;
        if (!shared) continue;
        slope.stretch += hats[k] * at[k]->stretch;
        slope.twist += hats[k] * at[k]->twist;
      }
      area += twice_area;
      if (shared) shared_area += twice_area;
    }
    if (area > 0) slope.weight = slope.weight / area;
    if (shared_area > 0) {
      slope.stretch = slope.stretch / shared_area;
      slope.twist = slope.twist / shared_area;
    }
  }
  return slopes;
}

}  // namespace

SurfaceProbes::SurfaceProbes(const std::vector<Vec3>& positions,
                             const std::vector<Triangle>& triangles, const SkinRows& rows,
                             const std::vector<Vec3>& normals, const std::vector<Vec4>& tangents)
    : positions_(positions),
      triangles_(triangles),
      rows_(rows),
      normals_(normals),
      tangents_(tangents),
      triangles_at_(triangles_at(positions.size(), triangles)) {
  const double size = bounding_box(positions).diagonal();
  step_ = size > 0 ? 1e-5 * size : 1e-5;
}

void SurfaceProbes::at(std::size_t vertex,
                       const std::function<void(const SkinPoint&)>& visit) const {
  const auto slopes = slopes_at(vertex, positions_, triangles_, triangles_at_[vertex], rows_);
  std::vector<SkinInfluence> moved;
  const auto probe = [&](const Vec3& offset) {
    moved.clear();
    for (const Slope& slope : slopes) {
      moved.push_back({slope.value.bone, slope.value.weight + dot(slope.weight, offset),
                       slope.value.stretch + dot(slope.stretch, offset),
                       slope.value.twist + dot(slope.twist, offset)});
    }
    visit({positions_[vertex] + offset, moved});
  };
  const Vec3 n = normals_[vertex];
  const Vec3 s = any_perpendicular(n);
  std::vector<Vec3> directions{s, cross(n, s)};
  if (!tangents_.empty()) {
    const Vec4& t = tangents_[vertex];
    directions.push_back({t.x, t.y, t.z});
  }
  for (const Vec3& direction : directions) {
    probe(direction * step_);
    probe(-direction * step_);
  }
}

Vec3 normal_from_probes(std::span<const Vec3> images, const Vec3& normal) {
  return normalized(cross(images[0] - images[1], images[2] - images[3]), normal);
}

Vec4 tangent_from_probes(std::span<const Vec3> images, const Vec3& new_normal,
                         const Vec4& tangent) {
  const Vec3 t = images[4] - images[5];
  const Vec3 flat = normalized(t - new_normal * dot(t, new_normal), any_perpendicular(new_normal));
  return {flat.x, flat.y, flat.z, tangent.w};
}

void deform_surface(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
                    const SkinRows& rows, const PointMap& map, std::vector<Vec3>& normals,
                    std::vector<Vec4>& tangents) {
  const SurfaceProbes probes(positions, triangles, rows, normals, tangents);
  parallel_for(positions.size(), 256, [&](std::size_t begin, std::size_t end) {
    std::vector<Vec3> images;
    for (std::size_t v = begin; v < end; ++v) {
      images.clear();
      probes.at(v, [&](const SkinPoint& point) { images.push_back(map(v, point)); });
      normals[v] = normal_from_probes(images, normals[v]);
      if (!tangents.empty()) tangents[v] = tangent_from_probes(images, normals[v], tangents[v]);
    }
  });
}

}  // namespace sinew::reference
