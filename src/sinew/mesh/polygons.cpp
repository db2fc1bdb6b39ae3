// SPDX-License-Identifier: Apache-2.0
#include "sinew/mesh/polygons.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"

namespace sinew {
namespace {

struct Point {
  double x = 0, y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

// Twice the signed area.
double area(const Point& a, const Point& b, const Point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// The corners relative to the first one and scaled to a size of about one, so that products of
// lengths neither overflow nor underflow. Empty if all corners coincide.
std::vector<Vec3> local_corners(std::span<const Vec3> positions, std::span<const Index> corners) {
  std::vector<Vec3> local(corners.size());
  double size = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    local[i] = positions[corners[i]] * 0.5 - positions[corners[0]] * 0.5;
    for (std::size_t axis = 0; axis < 3; ++axis) size = std::fmax(size, std::fabs(local[i][axis]));
  }
  if (!(size > 0)) return {};
  for (Vec3& p : local) p = p / size;
  return local;
}

// The corners projected along the coordinate axis closest to their mean normal, counter-clockwise.
// Empty if there is no mean normal.
std::vector<Point> project(const std::vector<Vec3>& local) {
  Vec3 normal;
  for (std::size_t i = 0; i < local.size(); ++i) {
    normal += cross(local[i], local[(i + 1) % local.size()]);
  }
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    if (std::fabs(normal[k]) > std::fabs(normal[axis])) axis = k;
  }
  if (normal[axis] == 0) return {};
  const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
  std::vector<Point> points(local.size());
  for (std::size_t i = 0; i < local.size(); ++i) {
    points[i] =
        normal[axis] > 0 ? Point{local[i][u], local[i][v]} : Point{local[i][v], local[i][u]};
  }
  return points;
}

// A grid of the corners that could lie in an ear.
class Grid {
 public:
  Grid(const std::vector<Point>& points, const std::vector<char>& member) {
    low_ = high_ = points[0];
    std::size_t count = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      low_ = {std::min(low_.x, points[i].x), std::min(low_.y, points[i].y)};
      high_ = {std::max(high_.x, points[i].x), std::max(high_.y, points[i].y)};
      if (member[i]) ++count;
    }
    side_ = std::max<std::size_t>(1, static_cast<std::size_t>(std::sqrt(double(count))));
    first_.assign(side_ * side_, none);
    next_.assign(points.size(), none);
    for (std::size_t i = points.size(); i-- > 0;) {
      if (!member[i]) continue;
      Index& head = first_[row(points[i].y) * side_ + column(points[i].x)];
      next_[i] = head;
      head = static_cast<Index>(i);
    }
  }

  // Calls visit(point) for all points in cells that the triangle touches, until it returns true.
  template <class Visit>
  bool any_near(const std::array<Point, 3>& t, std::size_t& work, Visit&& visit) const {
    const std::size_t first_row = row(std::min({t[0].y, t[1].y, t[2].y}));
    const std::size_t last_row = row(std::max({t[0].y, t[1].y, t[2].y}));
    for (std::size_t r = first_row; r <= last_row; ++r) {
      const double height = high_.y - low_.y;
      // One row more on each side: rounding may put a point one row away.
      const double bottom = low_.y + height * (double(r) - 1) / double(side_);
      const double top = low_.y + height * (double(r) + 2) / double(side_);
      double left = high_.x, right = low_.x;
      for (std::size_t i = 0; i < 3; ++i) widen(t[i], t[(i + 1) % 3], bottom, top, left, right);
      if (left > right) continue;
      const std::size_t last_column = std::min(column(right) + 1, side_ - 1);
      for (std::size_t c = column(left) - (column(left) > 0 ? 1 : 0); c <= last_column; ++c) {
        ++work;
        for (Index i = first_[r * side_ + c]; i != none; i = next_[i]) {
          ++work;
          if (visit(i)) return true;
        }
      }
    }
    return false;
  }

 private:
  static constexpr Index none = ~Index{0};

  std::size_t cell(double value, double low, double high) const {
    if (!(high > low)) return 0;
    const double place = (value - low) / (high - low) * double(side_);
    return std::min(static_cast<std::size_t>(std::max(place, 0.0)), side_ - 1);
  }
  std::size_t row(double y) const { return cell(y, low_.y, high_.y); }
  std::size_t column(double x) const { return cell(x, low_.x, high_.x); }

  // Widens [left, right] by the part of the edge between the two heights.
  static void widen(Point a, Point b, double bottom, double top, double& left, double& right) {
    if (a.y > b.y) std::swap(a, b);
    if (b.y < bottom || a.y > top) return;
    const auto at = [&](double y) { return a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)); };
    const double x0 = a.y < bottom ? at(bottom) : a.x;
    const double x1 = b.y > top ? at(top) : b.x;
    left = std::min({left, x0, x1});
    right = std::max({right, x0, x1});
  }

  Point low_, high_;
  std::size_t side_ = 1;
  std::vector<Index> first_, next_;
};

class EarClipper {
 public:
  EarClipper(std::vector<Point> points, std::vector<std::array<Index, 3>>& out)
      : points_(std::move(points)),
        out_(out),
        previous_(points_.size()),
        next_(points_.size()),
        left_(points_.size()) {
    const std::size_t n = points_.size();
    for (std::size_t i = 0; i < n; ++i) {
      next_[i] = static_cast<Index>((i + 1) % n);
      previous_[(i + 1) % n] = static_cast<Index>(i);
    }
    blocks_.resize(n);
    for (std::size_t i = 0; i < n; ++i) blocks_[i] = turn(static_cast<Index>(i)) <= 0;
  }

  void run() {
    // Far more than any polygon from a modelling program needs; the rest of a malicious one is
    // fanned.
    const std::size_t work_limit = 4096 * points_.size();
    const Grid grid(points_, blocks_);
    Index at = 0;
    std::size_t since_last_ear = 0;
    while (left_ > 3 && work_ < work_limit) {
      if (is_ear(at, grid)) {
        clip(at);
        // Skip the neighbour: clipping it next would make a fan of thin triangles.
        at = next_[next_[at]];
        since_last_ear = 0;
      } else if (++since_last_ear < left_) {
        at = next_[at];
      } else if (const Index flat = find_flat(at); flat != none) {
        clip(flat);
        at = next_[flat];
        since_last_ear = 0;
      } else {
        break;
      }
    }
    while (left_ >= 3) {
      clip(next_[at]);
    }
  }

 private:
  static constexpr Index none = ~Index{0};

  double turn(Index i) const { return area(points_[previous_[i]], points_[i], points_[next_[i]]); }

  bool is_ear(Index i, const Grid& grid) {
    ++work_;
    if (!(turn(i) > 0)) return false;
    const Index before = previous_[i], after = next_[i];
    const std::array<Point, 3> t = {points_[before], points_[i], points_[after]};
    return !grid.any_near(t, work_, [&](Index k) {
      if (!blocks_[k] || k == before || k == after) return false;
      const Point& p = points_[k];
      if (p == t[0] || p == t[1] || p == t[2]) return false;
      return area(t[0], t[1], p) >= 0 && area(t[1], t[2], p) >= 0 && area(t[2], t[0], p) >= 0;
    });
  }

  // A corner on the straight line between its neighbours, or a spike without area.
  Index find_flat(Index from) const {
    Index i = from;
    do {
      if (turn(i) == 0) return i;
      i = next_[i];
    } while (i != from);
    return none;
  }

  void clip(Index i) {
    const Index before = previous_[i], after = next_[i];
    out_.push_back({before, i, after});
    next_[before] = after;
    previous_[after] = before;
    blocks_[i] = false;
    for (const Index k : {before, after}) {
      if (blocks_[k]) blocks_[k] = turn(k) <= 0;
    }
    --left_;
  }

  std::vector<Point> points_;
  std::vector<std::array<Index, 3>>& out_;
  std::vector<Index> previous_, next_;
  std::vector<char> blocks_;  // not convex: could lie in an ear
  std::size_t left_;
  std::size_t work_ = 0;
};

// `corners` at least for each face.
void require_polygons(const Polygons& polygons, std::size_t corners) {
  for (std::size_t f = 0; f < polygons.size(); ++f) {
    const std::size_t begin = polygons.offsets[f], end = polygons.offsets[f + 1];
    if (end < begin || end > polygons.indices.size()) {
      throw InputError(formatted("polygon {}", f),
                       formatted("its corners {} to {} are not among the {} there are", begin, end,
                                 polygons.indices.size()));
    }
    if (end - begin < corners) {
      throw InputError(formatted("polygon {}", f), "it has fewer than three corners");
    }
  }
}

void require_face(const Mesh& mesh, std::size_t face, std::size_t count) {
  if (face < count) return;
  throw UsageError(formatted("there is no face {}; there are {}", face, face_count(mesh)));
}

void fan(std::size_t count, std::vector<std::array<Index, 3>>& out) {
  for (Index i = 1; i + 1 < count; ++i) out.push_back({0, i, i + 1});
}

void cut_quad(const std::vector<Vec3>& p, std::vector<std::array<Index, 3>>& out) {
  const auto normal = [&](std::size_t a, std::size_t b, std::size_t c) {
    return cross(p[b] - p[a], p[c] - p[a]);
  };
  const bool along_02 = dot(normal(0, 1, 2), normal(0, 2, 3)) > 0;
  const bool along_13 = dot(normal(0, 1, 3), normal(1, 2, 3)) > 0;
  const bool shorter_13 = length_squared(p[3] - p[1]) < length_squared(p[2] - p[0]);
  if (along_13 && (!along_02 || shorter_13)) {
    out.push_back({0, 1, 3});
    out.push_back({1, 2, 3});
  } else {
    fan(4, out);
  }
}

}  // namespace

void triangulate_polygon(std::span<const Vec3> positions, std::span<const Index> corners,
                         std::vector<Triangle>& triangles,
                         std::vector<std::array<Index, 3>>* corner_places) {
  if (corners.size() < 3) return;
  for (const Index v : corners) {
    if (v < positions.size()) continue;
    throw InputError("polygon", formatted("vertex {} is out of range: there are {} vertices", v,
                                          positions.size()));
  }
  std::vector<std::array<Index, 3>> places;
  if (corners.size() == 3) {
    places.push_back({0, 1, 2});
  } else {
    places.reserve(corners.size() - 2);
    const std::vector<Vec3> local = local_corners(positions, corners);
    std::vector<Point> points;
    if (corners.size() == 4 && !local.empty()) {
      cut_quad(local, places);
    } else if (!local.empty() && !(points = project(local)).empty()) {
      EarClipper(std::move(points), places).run();
    } else {
      fan(corners.size(), places);
    }
  }
  for (const auto& [a, b, c] : places) triangles.push_back({corners[a], corners[b], corners[c]});
  if (corner_places != nullptr) {
    corner_places->insert(corner_places->end(), places.begin(), places.end());
  }
}

std::vector<Triangle> triangulate(std::span<const Vec3> positions, const Polygons& polygons) {
  require_polygons(polygons, 0);
  std::vector<Triangle> triangles;
  const std::span<const Index> indices = polygons.indices;
  for (std::size_t f = 0; f < polygons.size(); ++f) {
    const std::size_t begin = polygons.offsets[f];
    triangulate_polygon(positions, indices.subspan(begin, polygons.offsets[f + 1] - begin),
                        triangles);
  }
  return triangles;
}

std::size_t face_count(const Mesh& mesh) {
  return mesh.polygons.empty() ? mesh.triangles.size() : mesh.polygons.size();
}

std::span<const Index> face_corners(const Mesh& mesh, std::size_t face) {
  require_face(mesh, face, face_count(mesh));
  if (mesh.polygons.empty()) return mesh.triangles[face];
  const std::size_t begin = mesh.polygons.offsets[face];
  return std::span(mesh.polygons.indices).subspan(begin, mesh.polygons.offsets[face + 1] - begin);
}

std::size_t first_corner(const Mesh& mesh, std::size_t face) {
  require_face(mesh, face, face_count(mesh) + 1);
  return mesh.polygons.empty() ? 3 * face : mesh.polygons.offsets[face];
}

void set_faces(Mesh& mesh, Polygons faces) {
  require_polygons(faces, 3);
  mesh.triangles.clear();
  mesh.polygons = {};
  if (faces.indices.size() == 3 * faces.size()) {
    mesh.triangles.reserve(faces.size());
    for (std::size_t i = 0; i < faces.indices.size(); i += 3) {
      mesh.triangles.push_back({faces.indices[i], faces.indices[i + 1], faces.indices[i + 2]});
    }
  } else {
    mesh.triangles = triangulate(mesh.positions, faces);
    mesh.polygons = std::move(faces);
  }
}

void set_vertex_ranges(Mesh& mesh) {
  for (std::size_t p = 0; p < mesh.parts.size(); ++p) {
    Part& part = mesh.parts[p];
    const std::size_t first = part.first_triangle, triangles = mesh.triangles.size();
    if (first > triangles || part.triangle_count > triangles - first) {
      throw InputError(formatted("part {}", p), "its range is not within the mesh");
    }
    Index low = 0, high = 0;
    for (Index t = 0; t < part.triangle_count; ++t) {
      for (const Index v : mesh.triangles[part.first_triangle + t]) {
        if (high == 0) low = v;
        low = std::min(low, v);
        high = std::max(high, v + 1);
      }
    }
    part.first_vertex = low;
    part.vertex_count = high - low;
  }
}

}  // namespace sinew
