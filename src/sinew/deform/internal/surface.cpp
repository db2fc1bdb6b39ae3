// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/internal/surface.h"

#include <memory>

#include "sinew/core/parallel.h"
#include "sinew/deform/muscles.h"

namespace sinew::reference {
SurfaceProbes::SurfaceProbes(const std::vector<Vec3>& positions,
                             const std::vector<Triangle>& triangles, const SkinRows& rows,
                             const std::vector<Vec3>& normals, const std::vector<Vec4>& tangents)
    : positions_(positions),
      normals_(normals),
      tangents_(tangents),
      slopes_(positions, triangles, normals, rows) {
  const double size = bounding_box(positions).diagonal();
  step_ = size > 0 ? 1e-5 * size : 1e-5;
}

void SurfaceProbes::at(std::size_t vertex,
                       const std::function<void(const SkinPoint&)>& visit) const {
  std::vector<SkinSlope> slopes;
  SkinSlopes::Fan fan;
  slopes_.at(vertex, slopes, fan);
  std::vector<SkinInfluence> moved;
  const auto probe = [&](const Vec3& offset) {
    moved.clear();
    for (const SkinSlope& slope : slopes) {
      moved.push_back({slope.at.bone, slope.at.weight + dot(slope.weight, offset),
                       slope.at.stretch_endpoint + dot(slope.stretch, offset),
                       slope.at.twist_endpoint + dot(slope.twist, offset)});
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

PointMap swollen(const ReferenceInput& input, PointMap map) {
  const auto rows = std::make_shared<const Rows<Bulge>>(bulge_rows(input.rig, input.with_normals));
  return [&input, rows, map = std::move(map)](std::size_t vertex, const SkinPoint& point) {
    const Vec3 offset = point.position - input.shaped.positions[vertex];
    Vec3 moved = point.position;
    for (const Bulge& bulge : (*rows)[vertex]) {
      moved += input.bones[bulge.bone].bulge * (bulge.move + bulge.along(offset));
    }
    return map(vertex, {moved, point.row});
  };
}

Deformed deform_points(const ReferenceInput& input, const PointMap& map) {
  ShapedMesh& shaped = input.shaped;
  const std::vector<Triangle>& triangles = input.rig.mesh.triangles;
  const SkinRows rows = skin_rows(input.rig);
  Deformed deformed;
  deformed.positions.resize(shaped.positions.size());
  parallel_for(shaped.positions.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      deformed.positions[v] = map(v, {shaped.positions[v], rows[v]});
    }
  });
  if (input.with_normals) {
    deformed.normals = shaped.normals.empty() ? vertex_normals(shaped.positions, triangles)
                                              : std::move(shaped.normals);
    deformed.tangents = std::move(shaped.tangents);
    deform_surface(shaped.positions, triangles, rows, map, deformed.normals, deformed.tangents);
  }
  return deformed;
}

}  // namespace sinew::reference
