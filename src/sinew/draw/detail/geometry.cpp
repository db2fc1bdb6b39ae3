// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/detail/geometry.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew::draw {
namespace {

constexpr double furthest_out = 100000;  // pixels: what the raster can count exactly, and then some

// A corner in view space; w is what its place is divided by.
struct Corner {
  double x, y, z, w;
};

Corner between(const Corner& a, const Corner& b, double t) {
  return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t,
          a.w + (b.w - a.w) * t};
}

// At most three corners and one more for each plane that cuts.
struct Polygon {
  std::array<Corner, 8> corners;
  std::size_t count = 0;
};

template <class Inside>
void cut(Polygon& polygon, const Inside& inside) {
  Polygon rest;
  for (std::size_t i = 0; i < polygon.count; ++i) {
    const Corner& a = polygon.corners[i];
    const Corner& b = polygon.corners[(i + 1) % polygon.count];
    const double da = inside(a), db = inside(b);
    if (da >= 0) rest.corners[rest.count++] = a;
    if ((da >= 0) != (db >= 0)) rest.corners[rest.count++] = between(a, b, da / (da - db));
  }
  polygon = rest;
}

void check_length(const char* name, std::size_t length, std::size_t wanted) {
  if (length == 0 || length == wanted) return;
  throw InputError(name, fmt::format("there are {} for a surface of {}", length, wanted));
}

template <class T, class Fill>
void resize_and_fill(std::vector<T>& out, std::size_t first, std::size_t count, const Fill& fill) {
  out.resize(first + count);
  parallel_for(count, 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out[first + i] = fill(i);
  });
}

}  // namespace

void validate(const Drawable& surface) {
  const std::size_t vertices = surface.positions.size();
  check_length("normals", surface.normals.size(), vertices);
  check_length("colors", surface.colors.size(), vertices);
  check_length("uvs", surface.uvs.size(), vertices);
  check_length("edges", surface.edges.size(), surface.triangles.size());
  for (std::size_t v = 0; v < vertices; ++v) {
    if (!is_finite(surface.positions[v])) {
      throw InputError(fmt::format("vertex {}", v), "its position is not a finite number");
    }
  }
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    for (const Index v : surface.triangles[t]) {
      if (v < vertices) continue;
      throw InputError(fmt::format("triangle {}", t),
                       fmt::format("there is no vertex {}; the last one is {}", v, vertices - 1));
    }
  }
}

Geometry::Geometry(std::span<const Drawable> surfaces, const Camera& camera, int width, int height)
    : camera_(camera), width_(width), height_(height) {
  for (const Drawable& surface : surfaces) append(surface);
}

void Geometry::append(const Drawable& surface) {
  const std::size_t first = positions.size(), count = surface.positions.size();
  const auto s = static_cast<std::uint32_t>(first_vertex.size());
  first_vertex.push_back(static_cast<Index>(first));
  first_triangle.push_back(static_cast<Index>(triangles.size()));
  resize_and_fill(positions, first, count,
                  [&](std::size_t v) { return to_float(to_view(camera_, surface.positions[v])); });
  resize_and_fill(places, first, count, [&](std::size_t v) {
    const Projected p = project(camera_, surface.positions[v], width_, height_);
    const bool in_front = p.depth > camera_.near || !camera_.perspective;
    return in_front ? to_float({p.x, p.y, 1}) : Vec3f{};
  });
  const Mat3 turn = transpose(camera_.axes);
  const std::vector<Vec3> computed = surface.normals.empty()
                                         ? vertex_normals(surface.positions, surface.triangles)
                                         : std::vector<Vec3>();
  const std::vector<Vec3>& source = surface.normals.empty() ? computed : surface.normals;
  resize_and_fill(normals, first, count, [&](std::size_t v) { return to_float(turn * source[v]); });
  resize_and_fill(colors, first, count, [&](std::size_t v) {
    return surface.colors.empty() ? surface.color : surface.colors[v];
  });
  const std::size_t before = triangles.size();
  resize_and_fill(triangles, before, surface.triangles.size(), [&](std::size_t t) {
    const Triangle& triangle = surface.triangles[t];
    const auto offset = static_cast<Index>(first);
    return Triangle{triangle[0] + offset, triangle[1] + offset, triangle[2] + offset};
  });
  surface_of_triangle.resize(triangles.size(), s);
}

std::vector<ScreenTriangle> Geometry::screen_triangles() const {
  const double scale = 0.5 * height_ / camera_.half_height;
  const double middle_x = 0.5 * width_, middle_y = 0.5 * height_;
  const auto corner = [&](Index v) {
    const Vec3f& p = positions[v];
    return Corner{p.x, p.y, p.z, camera_.perspective ? -p.z : 1.0};
  };
  const auto cut_to_view = [&](Polygon& polygon) {
    if (camera_.perspective) {
      cut(polygon, [&](const Corner& c) { return c.w - camera_.near; });
    }
    for (const double side : {-1.0, 1.0}) {
      cut(polygon, [&](const Corner& c) { return furthest_out * c.w + side * scale * c.x; });
      cut(polygon, [&](const Corner& c) { return furthest_out * c.w + side * scale * c.y; });
    }
  };
  const auto is_in_view = [&](const Corner& c) {
    const double limit = furthest_out * c.w;
    return (!camera_.perspective || c.w >= camera_.near) && std::fabs(scale * c.x) <= limit &&
           std::fabs(scale * c.y) <= limit;
  };
  // Block by block, so that the order does not depend on the threads.
  constexpr std::size_t grain = 4096;
  std::vector<std::vector<ScreenTriangle>> blocks((triangles.size() + grain - 1) / grain);
  parallel_for(triangles.size(), grain, [&](std::size_t begin, std::size_t end) {
    std::vector<ScreenTriangle>& out = blocks[begin / grain];
    out.reserve(end - begin);
    for (std::size_t t = begin; t < end; ++t) {
      Polygon polygon;
      polygon.count = 3;
      for (std::size_t i = 0; i < 3; ++i) polygon.corners[i] = corner(triangles[t][i]);
      if (!std::all_of(polygon.corners.begin(), polygon.corners.begin() + 3, is_in_view)) {
        cut_to_view(polygon);
      }
      for (std::size_t k = 2; k < polygon.count; ++k) {
        ScreenTriangle triangle;
        triangle.id = static_cast<std::uint32_t>(t);
        const std::array<std::size_t, 3> picked{0, k - 1, k};
        for (std::size_t i = 0; i < 3; ++i) {
          const Corner& c = polygon.corners[picked[i]];
          triangle.x[i] = middle_x + scale * c.x / c.w;
          triangle.y[i] = middle_y - scale * c.y / c.w;
          triangle.nearness[i] = camera_.perspective ? 1 / c.w : c.z;
        }
        out.push_back(triangle);
      }
    }
  });
  std::vector<ScreenTriangle> all;
  all.reserve(triangles.size());
  for (const auto& block : blocks) all.insert(all.end(), block.begin(), block.end());
  return all;
}

}  // namespace sinew::draw
