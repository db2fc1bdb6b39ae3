// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/detail/surfaces.h"

#include <algorithm>
#include <optional>

#include "sinew/core/parallel.h"
#include "sinew/draw/detail/geometry.h"
#include "sinew/draw/detail/light.h"
#include "sinew/draw/detail/raster.h"
#include "sinew/draw/detail/texture.h"

namespace sinew::draw {
namespace {

// Where a ray meets the plane of a triangle, as shares of its corners.
struct Meeting {
  float shares[3];
  float depth = 0;
  bool front = true;  // the corners run counter-clockwise
};

// The shares are kept within the triangle: samples at its edge are not to look beyond it.
Meeting meet(const Ray& ray, const Vec3f& a, const Vec3f& b, const Vec3f& c) {
  const Vec3f ab = b - a, ac = c - a, from = ray.origin - a;
  const Vec3f p = cross(ray.direction, ac);
  const float det = dot(ab, p);
  float v = 1.0F / 3, w = 1.0F / 3;
  if (det != 0) {
    v = std::clamp(dot(from, p) / det, 0.0F, 1.0F);
    w = std::clamp(dot(ray.direction, cross(from, ab)) / det, 0.0F, 1.0F - v);
  }
  return {{1 - v - w, v, w}, -(a.z + ab.z * v + ac.z * w), det >= 0};
}

// The ellipse in the texture that a round pixel of diameter 1 covers.
struct Footprint {
  Vec2 longest;       // its longer axis
  double across = 0;  // the length of the other
};

// Of a triangle whose edges `b` and `c`, as seen, are `ab` and `ac` in the texture. Their map J has
// J J' = [ab ac] G^-1 [ab ac]' with the edges' products G; its eigenvalues are the squared axes.
Footprint footprint(const Vec3f& b, const Vec3f& c, const Vec2& ab, const Vec2& ac) {
  const double bb = dot(b, b), bc = dot(b, c), cc = dot(c, c), det = bb * cc - bc * bc;
  if (!(det > 0)) return {};
  const double xx = (cc * ab.x * ab.x - 2 * bc * ab.x * ac.x + bb * ac.x * ac.x) / det;
  const double yy = (cc * ab.y * ab.y - 2 * bc * ab.y * ac.y + bb * ac.y * ac.y) / det;
  const double xy = (cc * ab.x * ab.y - bc * (ab.x * ac.y + ab.y * ac.x) + bb * ac.x * ac.y) / det;
  const double middle = (xx + yy) / 2, off = (xx - yy) / 2, apart = std::sqrt(off * off + xy * xy);
  const Vec2 axis = off > 0 ? Vec2{apart + off, xy} : Vec2{xy, apart - off};
  const double size = std::sqrt(axis.x * axis.x + axis.y * axis.y);
  return {size > 0 ? axis * (std::sqrt(middle + apart) / size) : Vec2{std::sqrt(middle), 0},
          std::sqrt(std::max(middle - apart, 0.0))};
}

class Shader {
 public:
  Shader(std::span<const Drawable> surfaces, const Geometry& geometry, const Camera& camera,
         const Canvas& canvas)
      : surfaces_(surfaces), geometry_(geometry), rays_(camera, canvas.width, canvas.height) {
    for (const Drawable& surface : surfaces) {
      const bool textured = surface.texture && !surface.uvs.empty();
      textures_.push_back(textured ? std::optional<Texture>(*surface.texture) : std::nullopt);
    }
  }

  bool see_through(std::uint32_t surface) const {
    return textures_[surface] && textures_[surface]->see_through();
  }

  float opacity(std::uint32_t id, double x, double y) const {
    const Ray ray = rays_.at(static_cast<float>(x), static_cast<float>(y));
    return texel(id, meet(id, ray), ray).alpha;
  }

  // The light from triangle `id` at a place of the picture, and what is seen there.
  Rgb shade(std::uint32_t id, float x, float y, Seen& seen) const {
    const Ray ray = rays_.at(x, y);
    const Meeting m = meet(id, ray);
    const Triangle& t = geometry_.triangles[id];
    const Drawable& surface = surfaces_[geometry_.surface_of_triangle[id]];
    Vec3f normal;
    Rgb color;
    for (std::size_t i = 0; i < 3; ++i) {
      normal += geometry_.normals[t[i]] * m.shares[i];
      color += geometry_.colors[t[i]] * m.shares[i];
    }
    const Vec3f to_eye = normalized(-ray.direction);
    normal = normalized(m.front ? normal : -normal, to_eye);
    // Interpolated normals may look away at the silhouette.
    const float facing = dot(normal, to_eye);
    if (facing < 0.02F) normal = normalized(normal + to_eye * (0.02F - facing), to_eye);
    seen = {normal, m.depth};
    if (textures_[geometry_.surface_of_triangle[id]]) {
      const Light light = texel(id, m, ray);
      if (light.alpha > 0) color = scaled(color, light.color / light.alpha);
    }
    if (surface.lit) color = lit(color, normal, to_eye);
    if (surface.wire) color = lerp(color, surface.wire_color, wire(id, x, y, surface));
    return color;
  }

 private:
  Meeting meet(std::uint32_t id, const Ray& ray) const {
    const Triangle& t = geometry_.triangles[id];
    return draw::meet(ray, geometry_.positions[t[0]], geometry_.positions[t[1]],
                      geometry_.positions[t[2]]);
  }

  Light texel(std::uint32_t id, const Meeting& m, const Ray& ray) const {
    const std::uint32_t s = geometry_.surface_of_triangle[id];
    const Triangle& t = geometry_.triangles[id];
    const Vec2* uvs = surfaces_[s].uvs.data();
    const Index first = geometry_.first_vertex[s];
    Vec2 uv;
    for (std::size_t i = 0; i < 3; ++i)
      uv = uv + uvs[t[i] - first] * static_cast<double>(m.shares[i]);
    const Vec2 ab = uvs[t[1] - first] - uvs[t[0] - first],
               ac = uvs[t[2] - first] - uvs[t[0] - first];
    const Vec3f& a = geometry_.positions[t[0]];
    const auto seen_from_eye = [&](const Vec3f& edge) {
      const Vec3f d = normalized(ray.direction);
      return edge - d * dot(edge, d);
    };
    const Footprint pixel = footprint(seen_from_eye(geometry_.positions[t[1]] - a),
                                      seen_from_eye(geometry_.positions[t[2]] - a), ab, ac);
    const double size = rays_.pixel(m.depth);
    return textures_[s]->over(uv, pixel.longest * size, pixel.across * size);
  }

  // How much of the pixel the edges cover. Where triangles are so small that there would be nothing
  // but edges, these fade.
  float wire(std::uint32_t id, float x, float y, const Drawable& surface) const {
    const Triangle& t = geometry_.triangles[id];
    const std::uint32_t s = geometry_.surface_of_triangle[id];
    const std::uint8_t edges =
        surface.edges.empty() ? 7 : surface.edges[id - geometry_.first_triangle[s]];
    float nearest = 1e9F, longest = 0;
    Vec3f p[3];
    for (std::size_t i = 0; i < 3; ++i) {
      p[i] = geometry_.places[t[i]];
      if (!(p[i].z > 0)) return 0;
    }
    const float area =
        std::fabs((p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y));
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3f& a = p[i];
      const Vec3f& b = p[(i + 1) % 3];
      const float dx = b.x - a.x, dy = b.y - a.y, length = std::sqrt(dx * dx + dy * dy);
      longest = std::max(longest, length);
      if (!(edges >> i & 1) || !(length > 0)) continue;
      nearest = std::min(nearest, std::fabs(dx * (y - a.y) - dy * (x - a.x)) / length);
    }
    const float height = longest > 0 ? area / longest : 0;
    const float fade = std::clamp((height - 1) / 4, 0.15F, 1.0F);
    return surface.wire_opacity * fade * std::clamp(1.0F - nearest, 0.0F, 1.0F);
  }

  std::span<const Drawable> surfaces_;
  const Geometry& geometry_;
  Rays rays_;
  std::vector<std::optional<Texture>> textures_;
};

// One pixel from its samples: each triangle that has some is shaded once, in their middle.
void resolve(const Shader& shader, const Tile& tile, int x, int y, Light& light, Seen& seen) {
  const auto places = sample_places(tile.samples);
  const std::uint32_t* ids = tile.ids.data() + tile.first_sample(x, y);
  const std::size_t samples = tile.samples;
  unsigned done = 0;
  int most = 0;
  for (std::size_t k = 0; k < samples; ++k) {
    if (ids[k] == no_triangle || (done >> k & 1)) continue;
    int count = 0, sum_x = 0, sum_y = 0;
    for (std::size_t j = k; j < samples; ++j) {
      if (ids[j] != ids[k]) continue;
      done |= 1u << j;
      ++count;
      sum_x += places[j].x;
      sum_y += places[j].y;
    }
    const float share = static_cast<float>(count) / static_cast<float>(samples);
    const float to_pixels = 1 / (16 * static_cast<float>(count));
    Seen here;
    light.color +=
        shader.shade(ids[k], static_cast<float>(x) + static_cast<float>(sum_x) * to_pixels,
                     static_cast<float>(y) + static_cast<float>(sum_y) * to_pixels, here) *
        share;
    light.alpha += share;
    if (count > most) seen = here;
    most = std::max(most, count);
  }
}

}  // namespace

Rays::Rays(const Camera& camera, int width, int height)
    : perspective_(camera.perspective),
      middle_x_(0.5F * static_cast<float>(width)),
      middle_y_(0.5F * static_cast<float>(height)),
      pixel_(static_cast<float>(2 * camera.half_height / height)) {}

void draw_surfaces(std::span<const Drawable> surfaces, const Camera& camera, int samples,
                   Canvas& canvas) {
  const Geometry geometry(surfaces, camera, canvas.width, canvas.height);
  const Shader shader(surfaces, geometry, camera, canvas);
  std::vector<ScreenTriangle> triangles = geometry.screen_triangles();
  for (ScreenTriangle& t : triangles) {
    t.see_through = shader.see_through(geometry.surface_of_triangle[t.id]);
  }
  Raster raster{canvas.width, canvas.height, samples, {}, {}};
  raster.opacity = [&](std::uint32_t id, double x, double y) { return shader.opacity(id, x, y); };
  raster.use = [&](const Tile& tile) {
    Seen seen;
    for (int y = tile.top; y < tile.bottom; ++y) {
      for (int x = tile.left; x < tile.right; ++x) {
        const std::size_t i = canvas.index(x, y);
        resolve(shader, tile, x, y, canvas.light[i], canvas.seen.empty() ? seen : canvas.seen[i]);
      }
    }
  };
  rasterize(triangles, raster);
}

}  // namespace sinew::draw
