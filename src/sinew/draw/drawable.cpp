// SPDX-License-Identifier: Apache-2.0
#include <array>
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

// The renderer takes for the front of a triangle the side from which it runs counterclockwise;
// files have meshes whose normals point to the other.
void face_the_front(Drawable& surface) {
  if (surface.normals.empty()) return;
  double agreement = 0;
  for (const Triangle& t : surface.triangles) {
    const Vec3& a = surface.positions[t[0]];
    const Vec3 area = cross(surface.positions[t[1]] - a, surface.positions[t[2]] - a);
    for (const Index v : t) agreement += dot(surface.normals[v], area);
  }
  if (agreement >= 0) return;
  for (Vec3& normal : surface.normals) normal = -normal;
}

Drawable per_vertex_drawable(const Mesh& mesh) {
  Drawable surface;
  surface.positions = mesh.positions;
  surface.triangles = mesh.triangles;
  surface.normals = mesh.normals.values;
  face_the_front(surface);
  surface.uvs = mesh.uvs.values;
  surface.colors.reserve(mesh.colors.size());
  for (const Vec4& color : mesh.colors) {
    surface.colors.push_back(
        {static_cast<float>(color.x), static_cast<float>(color.y), static_cast<float>(color.z)});
  }
  if (!mesh.polygons.empty()) surface.edges = polygon_edges(mesh);
  return surface;
}

// A triangle and unit vectors: up from it (zero if it has no area), and two within its plane.
struct Facet {
  std::array<Vec3, 3> edges;
  Vec3 area, up, along, across;  // `area` is twice as long as the triangle is large

  Facet(std::span<const Vec3> positions, const Triangle& t)
      : edges{positions[t[1]] - positions[t[0]], positions[t[2]] - positions[t[1]],
              positions[t[0]] - positions[t[2]]},
        area(cross(edges[0], edges[1])),
        up(normalized(area, {})),
        along(normalized(edges[0])),
        across(cross(up, along)) {}
};

// Turns the vectors within the plane of `to` so that its edges lie to them as nearly as can be as
// those of `from` lie to those of `from`.
void fit(const Facet& from, Facet& to) {
  Vec3 sum;
  for (std::size_t i = 0; i < 3; ++i) {
    const double x = dot(from.edges[i], from.along), y = dot(from.edges[i], from.across);
    const double u = dot(to.edges[i], to.along), v = dot(to.edges[i], to.across);
    sum += {x * u + y * v, x * v - y * u, 0};
  }
  const Vec3 turn = normalized(sum);  // its cosine and sine
  to.along = to.along * turn.x + to.across * turn.y;
  to.across = cross(to.up, to.along);
}

// One normal for each vertex that the triangles name: that at rest turned with each triangle about
// the vertex, averaged by area. Where the surface is mirrored, what leant to one side of a triangle
// leans to the other, and the turned normals agree better with that part of them reversed.
std::vector<Vec3> posed_normals(std::span<const Vec3> rest, std::span<const Vec3> rest_normals,
                                std::span<const Vec3> posed, std::span<const Triangle> triangles) {
  constexpr double clearly = 1.001;  // more than roundings, where a surface is flat
  std::vector<Vec3> sums(posed.size()), mirrored(posed.size());
  for (const Triangle& t : triangles) {
    const Facet before(rest, t);
    Facet after(posed, t);
    fit(before, after);
    const double weight = length(after.area);
    for (const Index v : t) {
      const Vec3& normal = rest_normals[v];
      Vec3 upright = after.up * dot(normal, before.up);
      Vec3 leaning =
          after.along * dot(normal, before.along) + after.across * dot(normal, before.across);
      // A triangle without area at rest says nothing but where it faces now.
      if (before.up == Vec3{} || normal == Vec3{}) {
        upright = after.up;
        leaning = {};
      }
      sums[v] += (upright + leaning) * weight;
      mirrored[v] += (upright - leaning) * weight;
    }
  }
  for (std::size_t v = 0; v < sums.size(); ++v) {
    const bool reversed = length(mirrored[v]) > clearly * length(sums[v]);
    sums[v] = normalized(reversed ? mirrored[v] : sums[v], {0, 0, 1});
  }
  return sums;
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
  if (drawable_.normals.empty()) {
    drawable_.normals = vertex_normals(drawable_.positions, smooth_triangles_);
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
  const std::vector<Vec3> normals =
      posed_normals(drawable_.positions, drawable_.normals, posed.positions, smooth_triangles_);
  for (std::size_t v = 0; v < smooth_.size(); ++v) posed.normals[v] = normals[smooth_[v]];
  return posed;
}

}  // namespace sinew
