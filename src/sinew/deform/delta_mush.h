// SPDX-License-Identifier: Apache-2.0
// Delta mush (Mancewicz et al. 2014), also known as corrective smooth: linear blend skinning,
// smoothed, with the detail that the same smoothing removes from the rest shape added back.
// Settings, per-mesh data, and the reference in double precision.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sinew/core/mat3.h"
#include "sinew/deform/blend_shapes.h"
#include "sinew/deform/deform.h"
#include "sinew/mesh/adjacency.h"
#include "sinew/mesh/mesh.h"
#include "sinew/mesh/weld.h"

namespace sinew {

// The method's settings.
struct DeltaMush {
  // What smoothing does at the edges of an open surface.
  enum Boundary {
    along,   // boundary points are smoothed along the boundary
    pinned,  // boundary points stay where skinning puts them
    free,    // boundary points are smoothed like all others, and shrink inwards
  };
  int iterations = 10;    // of smoothing; 0 is linear blend skinning
  double strength = 0.5;  // lambda in (0, 1]: step towards the neighbours' mean per iteration
  Boundary boundary = along;

  // The method with these settings.
  operator Method() const;
};

// Two tangent directions at each point of a surface, as weighted sums over its edges: least-squares
// derivatives.
struct SurfaceFrames {
  std::vector<std::array<double, 2>> weights;  // parallel to the neighbours
  std::vector<bool> has_frame;                 // per point: false if its neighbours are collinear

  // sum_j w_j (p_j - p_i) for both directions.
  std::array<Vec3, 2> at(const Adjacency& neighbors, std::span<const Vec3> points,
                         std::size_t i) const {
    std::array<Vec3, 2> sums{};
    for (std::size_t k = neighbors.offsets[i]; k < neighbors.offsets[i + 1]; ++k) {
      const Vec3 edge = points[neighbors.items[k]] - points[i];
      for (int s = 0; s < 2; ++s) sums[s] += edge * weights[k][s];
    }
    return sums;
  }
};

// The weights at each of the points.
inline SurfaceFrames surface_frames(const Adjacency& neighbors, const std::vector<Vec3>& points,
                                    const std::vector<Triangle>& triangles) {
  SurfaceFrames frames;
  frames.weights.resize(neighbors.items.size());
  const std::vector<Vec3> normals = vertex_normals(points, triangles);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 s = any_perpendicular(normals[i]), t = cross(normals[i], s);
    double ss = 0, st = 0, tt = 0;
    for (const Index j : neighbors[i]) {
      const Vec3 edge = points[j] - points[i];
      const double x = dot(edge, s), y = dot(edge, t);
      ss += x * x, st += x * y, tt += y * y;
    }
    const double det = ss * tt - st * st;
    frames.has_frame.push_back(det > 1e-9 * (ss + tt) * (ss + tt));
    if (!frames.has_frame.back()) continue;
    for (std::size_t k = neighbors.offsets[i]; k < neighbors.offsets[i + 1]; ++k) {
      const Vec3 edge = points[neighbors.items[k]] - points[i];
      const double x = dot(edge, s), y = dot(edge, t);
      frames.weights[k] = {(tt * x - st * y) / det, (ss * y - st * x) / det};
    }
  }
  return frames;
}

// Per-mesh data of delta mush. Vertices at one position are welded into one point, so that
// smoothing crosses UV seams.
struct MushSurface {
  Welded welded;
  Adjacency neighbors;    // along edges
  Adjacency smoothed_by;  // the neighbours that a point is averaged with
  SurfaceFrames detail;   // of the smoothed rest shape: frames of the stored offsets
  SurfaceFrames surface;  // of the rest shape: frames that transform normals
};

// All iterations of p_i + lambda (mean of its neighbours - p_i). Points without neighbours stay.
inline std::vector<Vec3> smoothed(std::vector<Vec3> points, const Adjacency& by,
                                  const DeltaMush& settings) {
  std::vector<Vec3> next(points.size());
  for (int pass = 0; pass < settings.iterations; ++pass) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      Vec3 sum;
      for (const Index j : by[i]) sum += points[j];
      const auto count = static_cast<double>(by[i].size());
      next[i] = count > 0 ? lerp(points[i], sum / count, settings.strength) : points[i];
    }
    std::swap(points, next);
  }
  return points;
}

// Everything that does not depend on the pose.
inline MushSurface mush_surface(const Mesh& mesh, const DeltaMush& settings) {
  MushSurface surface{weld(mesh.positions, mesh.triangles), {}, {}, {}, {}};
  const Welded& welded = surface.welded;
  surface.neighbors = vertex_neighbors(welded.positions.size(), welded.triangles);
  std::map<std::pair<Index, Index>, int> triangles_at;
  for (const Triangle& t : welded.triangles) {
    for (int k = 0; k < 3; ++k) ++triangles_at[std::minmax(t[k], t[(k + 1) % 3])];
  }
  const auto is_open = [&](Index i, Index j) { return triangles_at.at(std::minmax(i, j)) == 1; };
  for (Index i = 0; i < welded.positions.size(); ++i) {
    const auto all = surface.neighbors[i];
    const bool at_boundary =
        settings.boundary != DeltaMush::free &&
        std::any_of(all.begin(), all.end(), [&](Index j) { return is_open(i, j); });
    for (const Index j : all) {
      const bool drawn = !at_boundary || (settings.boundary == DeltaMush::along && is_open(i, j));
      if (drawn) surface.smoothed_by.items.push_back(j);
    }
    surface.smoothed_by.offsets.push_back(surface.smoothed_by.items.size());
  }
  surface.detail =
      surface_frames(surface.neighbors, smoothed(welded.positions, surface.smoothed_by, settings),
                     welded.triangles);
  surface.surface = surface_frames(surface.neighbors, welded.positions, welded.triangles);
  return surface;
}

// An orthonormal frame that rotates with the two directions and favours neither; nothing if they
// are parallel.
template <class T>
std::optional<Mat3T<T>> turning_frame(const Vec3T<T>& s, const Vec3T<T>& t) {
  const Vec3T<T> normal = cross(s, t);
  const T area = length(normal), lengths = length(s) * length(t);
  if (!(area > T(1e-6) * lengths)) return std::nullopt;
  const Vec3T<T> u = s / length(s), v = t / length(t);
  return Mat3T<T>{normalized(u + v), normalized(u - v), normal / area};
}

// The frame that transforms normals and tangents: the two directions and their unit normal.
template <class T>
Mat3T<T> carrying_frame(const Vec3T<T>& s, const Vec3T<T>& t) {
  return {s, t, normalized(cross(s, t))};
}

// A normal transformed by the inverse transpose of the map from `from` to `to`, at unit length.
template <class T>
Vec3T<T> carried_normal(const Mat3T<T>& from, const Mat3T<T>& to, const Vec3T<T>& normal) {
  return normalized(transpose(adjugate(to)) * (transpose(from) * normal), normal);
}

// A tangent transformed by the map itself, made orthogonal to the new normal.
template <class T>
Vec3T<T> carried_tangent(const Mat3T<T>& from, const Mat3T<T>& to, const Vec3T<T>& tangent,
                         const Vec3T<T>& new_normal) {
  const Vec3T<T> t = to * (inverse(from) * tangent);
  return normalized(t - new_normal * dot(t, new_normal), any_perpendicular(new_normal));
}

// `mush` is that of the mesh, `rest` the mesh with its blend shapes, `skinned` the result of linear
// blend skinning; normals are computed if `skinned` has them. Points whose neighbours are
// collinear, in the pose or at rest, stay as skinned.
inline Deformed delta_mush(const MushSurface& mush, const Mesh& mesh, const ShapedMesh& rest,
                           const Deformed& skinned, const DeltaMush& settings) {
  if (settings.iterations == 0) return skinned;
  const Adjacency& neighbors = mush.neighbors;
  const Adjacency vertices = places_of(mush.welded.representative_of, mush.welded.source.size());
  const auto at_points = [&](const std::vector<Vec3>& positions) {
    std::vector<Vec3> points(vertices.offsets.size() - 1);
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (const Index v : vertices[i]) points[i] += positions[v];
      points[i] = points[i] / static_cast<double>(vertices[i].size());
    }
    return points;
  };
  const std::vector<Vec3> before = at_points(rest.positions);
  const std::vector<Vec3> smooth_before = smoothed(before, mush.smoothed_by, settings);
  std::vector<Vec3> points = at_points(skinned.positions);
  const std::vector<Vec3> smooth = smoothed(points, mush.smoothed_by, settings);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!mush.detail.has_frame[i]) continue;
    const auto [s0, t0] = mush.detail.at(neighbors, smooth_before, i);
    const auto [s1, t1] = mush.detail.at(neighbors, smooth, i);
    const auto from = turning_frame(s0, t0), to = turning_frame(s1, t1);
    if (!from || !to) continue;
    points[i] = smooth[i] + *to * (transpose(*from) * (before[i] - smooth_before[i]));
  }
  Deformed deformed = skinned;
  const std::vector<Vec3> normals = rest.normals.empty() && !skinned.normals.empty()
                                        ? vertex_normals(rest.positions, mesh.triangles)
                                        : rest.normals;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const Index v : vertices[i]) deformed.positions[v] = points[i];
    if (skinned.normals.empty() || !mush.surface.has_frame[i]) continue;
    const auto [s0, t0] = mush.surface.at(neighbors, before, i);
    const auto [s1, t1] = mush.surface.at(neighbors, points, i);
    if (!turning_frame(s0, t0) || !turning_frame(s1, t1)) continue;
    const Mat3 from = carrying_frame(s0, t0), to = carrying_frame(s1, t1);
    for (const Index v : vertices[i]) {
      deformed.normals[v] = carried_normal(from, to, normals[v]);
      if (skinned.tangents.empty()) continue;
      const Vec4& t = rest.tangents[v];
      const Vec3 turned = carried_tangent(from, to, Vec3{t.x, t.y, t.z}, deformed.normals[v]);
      deformed.tangents[v] = {turned.x, turned.y, turned.z, t.w};
    }
  }
  return deformed;
}

}  // namespace sinew
