// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/detail/ground.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/draw/detail/light.h"
#include "sinew/draw/detail/raster.h"

namespace sinew::draw {
namespace {

constexpr double resolution = 320;  // cells along the longer side
constexpr double margin = 0.30;     // around what stands there, as a share of its size
constexpr Rgb shadow_color{0.015F, 0.015F, 0.025F};

// Shadows of what is low, of what is higher, and of everything; in shares of the scene's size.
struct Layer {
  double height, blur;
  float darkness;
};
constexpr std::array<Layer, 3> layers{
    {{0.05, 0.008, 0.60F}, {0.25, 0.03, 0.45F}, {1.5, 0.08, 0.60F}}};

using Grid = std::vector<float>;

void blur_lines(Grid& grid, std::size_t lines, std::size_t line_step, std::size_t count,
                std::size_t step, std::size_t radius) {
  std::vector<float> out(count);
  const float share = 1 / static_cast<float>(2 * radius + 1);
  for (std::size_t line = 0; line < lines; ++line) {
    float* values = grid.data() + line * line_step;
    float sum = 0;
    for (std::size_t i = 0; i < count + radius; ++i) {
      if (i < count) sum += values[i * step];
      if (i >= 2 * radius + 1) sum -= values[(i - 2 * radius - 1) * step];
      if (i >= radius) out[i - radius] = sum * share;
    }
    for (std::size_t i = 0; i < count; ++i) values[i * step] = out[i];
  }
}

// Three running means come close to a bell curve.
void blur(Grid& grid, std::size_t columns, std::size_t rows, std::size_t radius) {
  for (int pass = 0; pass < 3; ++pass) {
    blur_lines(grid, rows, columns, columns, 1, radius);
    blur_lines(grid, columns, 1, rows, columns, radius);
  }
}

}  // namespace

GroundShadow::GroundShadow(std::span<const Drawable> surfaces, double height,
                           const Vec3& to_light) {
  std::vector<Vec3> places;  // on the floor, y the height above it
  Vec3 low{INFINITY, 0, INFINITY}, high{-INFINITY, 0, -INFINITY};
  const double slope_x = to_light.x / to_light.y, slope_z = to_light.z / to_light.y;
  for (const Drawable& surface : surfaces) {
    for (const Vec3& p : surface.positions) {
      const double above = std::max(p.y - height, 0.0);
      places.push_back({p.x - slope_x * above, above, p.z - slope_z * above});
      low = component_min(low, places.back());
      high = component_max(high, places.back());
    }
  }
  if (places.empty()) return;
  const double size = distance(low, high);
  if (!(size > 0) || !std::isfinite(size)) return;
  const Vec3 extent = high - low;
  cell_ = (std::max(extent.x, extent.z) + 2 * margin * size) / resolution;
  left_ = low.x - margin * size;
  front_ = low.z - margin * size;
  columns_ = static_cast<int>((extent.x + 2 * margin * size) / cell_) + 1;
  rows_ = static_cast<int>((extent.z + 2 * margin * size) / cell_) + 1;

  std::vector<ScreenTriangle> triangles;
  std::size_t first = 0;
  for (const Drawable& surface : surfaces) {
    for (const Triangle& t : surface.triangles) {
      ScreenTriangle triangle;
      for (std::size_t i = 0; i < 3; ++i) {
        const Vec3& p = places[first + t[i]];
        triangle.x[i] = (p.x - left_) / cell_;
        triangle.y[i] = (p.z - front_) / cell_;
        triangle.nearness[i] = -p.y;
      }
      triangle.id = 0;
      triangles.push_back(triangle);
    }
    first += surface.positions.size();
  }
  const auto columns = static_cast<std::size_t>(columns_), rows = static_cast<std::size_t>(rows_);
  Grid heights(columns * rows, INFINITY);
  Raster raster{columns_, rows_, 1, {}, {}};
  raster.use = [&](const Tile& tile) {
    for (int y = tile.top; y < tile.bottom; ++y) {
      for (int x = tile.left; x < tile.right; ++x) {
        const std::size_t k = tile.first_sample(x, y);
        if (tile.ids[k] == no_triangle) continue;
        heights[static_cast<std::size_t>(y) * columns + static_cast<std::size_t>(x)] =
            -tile.nearness[k];
      }
    }
  };
  rasterize(triangles, raster);

  shade_.assign(heights.size(), 1);
  for (const Layer& layer : layers) {
    const auto reach = static_cast<float>(layer.height * size);
    Grid grid(heights.size());
    for (std::size_t i = 0; i < grid.size(); ++i) grid[i] = std::max(0.0F, 1 - heights[i] / reach);
    blur(grid, columns, rows, static_cast<std::size_t>(std::lround(layer.blur * size / cell_)));
    for (std::size_t i = 0; i < grid.size(); ++i) shade_[i] *= 1 - layer.darkness * grid[i];
  }
  for (float& value : shade_) value = 1 - value;
}

float GroundShadow::at(double x, double z) const {
  const double u = (x - left_) / cell_ - 0.5, v = (z - front_) / cell_ - 0.5;
  if (!(u >= 0 && v >= 0 && u < columns_ - 1 && v < rows_ - 1)) return 0;
  const auto column = static_cast<std::size_t>(u), row = static_cast<std::size_t>(v);
  const auto a = static_cast<float>(u - std::floor(u)), b = static_cast<float>(v - std::floor(v));
  const float* here = shade_.data() + row * static_cast<std::size_t>(columns_) + column;
  const float* below = here + columns_;
  return (1 - b) * ((1 - a) * here[0] + a * here[1]) + b * ((1 - a) * below[0] + a * below[1]);
}

void draw_ground(Canvas& canvas, std::span<const Drawable> surfaces, const Camera& camera,
                 double height) {
  // The light stays above: seen from high up, the camera's own would come from the side.
  Vec3 to_light = camera.axes * key_direction;
  to_light.y = 1.6;
  const GroundShadow shadow(surfaces, height, to_light);
  const double pixel = 2 * camera.half_height / canvas.height;
  parallel_for(
      static_cast<std::size_t>(canvas.height), 16, [&](std::size_t begin, std::size_t end) {
        for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y) {
          for (int x = 0; x < canvas.width; ++x) {
            Light& light = canvas.light[canvas.index(x, y)];
            if (light.alpha >= 1) continue;
            const Vec3 offset = camera.axes.x * ((x + 0.5 - 0.5 * canvas.width) * pixel) +
                                camera.axes.y * ((0.5 * canvas.height - y - 0.5) * pixel);
            const Vec3 from = camera.perspective ? camera.eye : camera.eye + offset;
            const Vec3 along = camera.perspective ? offset - camera.axes.z : -camera.axes.z;
            if (!(along.y < -1e-6) || !(from.y > height)) continue;
            const Vec3 p = from + along * ((height - from.y) / along.y);
            const float alpha = shadow.at(p.x, p.z) * (1 - light.alpha);
            light.color += shadow_color * alpha;
            light.alpha += alpha;
          }
        }
      });
}

}  // namespace sinew::draw
