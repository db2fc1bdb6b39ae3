// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/draw/scene.h"
#include "sinew/mesh/polygons.h"
#include "sinew/mesh/smooth_groups.h"

namespace sinew {
namespace {

// An edge of a triangle is one of its polygon's where its ends are neighbours there.
std::vector<std::uint8_t> polygon_edges(const Mesh& mesh) {
  std::vector<std::uint8_t> edges;
  edges.reserve(mesh.triangles.size());
  for (std::size_t face = 0; face < face_count(mesh); ++face) {
    const std::span<const Index> corners = face_corners(mesh, face);
    const std::size_t first = edges.size();
    for (std::size_t t = first; t < first + corners.size() - 2; ++t) {
      const Triangle& triangle = mesh.triangles[t];
      std::uint8_t drawn = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t c = 0; c < corners.size(); ++c) {
          const Index a = corners[c], b = corners[(c + 1) % corners.size()];
          if (triangle[i] == a && triangle[(i + 1) % 3] == b)
            drawn |= static_cast<std::uint8_t>(1u << i);
        }
      }
      edges.push_back(drawn);
    }
  }
  return edges;
}

Drawable per_vertex_drawable(const Mesh& mesh) {
  Drawable surface;
  surface.positions = mesh.positions;
  surface.triangles = mesh.triangles;
  surface.normals = mesh.normals.values;
  surface.uvs = mesh.uvs.values;
  surface.colors.reserve(mesh.colors.size());
  for (const Vec4& color : mesh.colors) {
    surface.colors.push_back(
        {static_cast<float>(color.x), static_cast<float>(color.y), static_cast<float>(color.z)});
  }
  if (!mesh.polygons.empty()) surface.edges = polygon_edges(mesh);
  return surface;
}

}  // namespace

Drawable drawable_of(const Mesh& mesh) {
  if (mesh.normals.per_vertex() && mesh.uvs.per_vertex()) return per_vertex_drawable(mesh);
  return per_vertex_drawable(split_corners(mesh).mesh);
}

PosedDrawable::PosedDrawable(const Mesh& mesh) {
  if (mesh.normals.per_vertex() && mesh.uvs.per_vertex()) {
    drawable_ = per_vertex_drawable(mesh);
    source_.resize(mesh.vertex_count());
    std::iota(source_.begin(), source_.end(), Index{0});
  } else {
    SplitMesh split = split_corners(mesh);
    drawable_ = per_vertex_drawable(split.mesh);
    source_ = std::move(split.source);
  }
  smooth_ = smooth_groups(drawable_.positions, drawable_.normals);
  for (const Triangle& t : drawable_.triangles) {
    smooth_triangles_.push_back({smooth_[t[0]], smooth_[t[1]], smooth_[t[2]]});
  }
}

Drawable PosedDrawable::at(std::span<const Vec3> positions) const {
  // The mesh's own vertices come first, each from itself; what was split off comes after them.
  std::size_t vertices = 0;
  while (vertices < source_.size() && source_[vertices] == vertices) ++vertices;
  if (positions.size() != vertices) {
    throw UsageError(fmt::format("{} positions for {} vertices", positions.size(), vertices));
  }
  Drawable posed = drawable_;
  for (std::size_t v = 0; v < source_.size(); ++v) posed.positions[v] = positions[source_[v]];
  const std::vector<Vec3> normals = vertex_normals(posed.positions, smooth_triangles_);
  posed.normals.resize(normals.size());
  for (std::size_t v = 0; v < smooth_.size(); ++v) posed.normals[v] = normals[smooth_[v]];
  return posed;
}

}  // namespace sinew
