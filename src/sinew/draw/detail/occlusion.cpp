// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/detail/occlusion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "sinew/core/parallel.h"

namespace sinew::draw {
namespace {

constexpr std::size_t taps = 14;
constexpr int cell = 4;  // neighbours look in different directions, which a blur of that size evens

struct Offset {
  float x, y;
};
using Pattern = std::array<Offset, taps>;

// Spirals, each turned by another sixteenth of the step between its arms.
std::array<Pattern, cell * cell> make_patterns() {
  // In this order no two neighbours have similar turns.
  constexpr std::array<int, cell * cell> order{0, 8,  2, 10, 12, 4, 14, 6,
                                               3, 11, 1, 9,  15, 7, 13, 5};
  std::array<Pattern, cell * cell> patterns{};
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    for (std::size_t k = 0; k < taps; ++k) {
      const double r = (static_cast<double>(k) + 0.5 + order[p] / 16.0 - 0.5) / taps + 0.02;
      const double angle =
          2 * std::numbers::pi * (static_cast<double>(k) * 0.381966 + order[p] / 16.0);
      patterns[p][k] = {static_cast<float>(r * std::cos(angle)),
                        static_cast<float>(r * std::sin(angle))};
    }
  }
  return patterns;
}

Vec3f place(const Ray& ray, float depth) { return ray.origin + ray.direction * depth; }

std::vector<float> openness(const Canvas& canvas, const Rays& rays, float radius) {
  static const auto patterns = make_patterns();
  std::vector<float> open(canvas.seen.size(), 1);
  const float radius_squared = radius * radius;
  const float scale = 5 / (radius_squared * radius_squared * radius_squared * taps);
  const float widest = 0.25F * static_cast<float>(std::max(canvas.width, canvas.height));
  parallel_for(
      static_cast<std::size_t>(canvas.height), 16, [&](std::size_t begin, std::size_t end) {
        for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y) {
          for (int x = 0; x < canvas.width; ++x) {
            const std::size_t i = canvas.index(x, y);
            const Seen& seen = canvas.seen[i];
            if (std::isinf(seen.depth)) continue;
            const Vec3f p = place(
                rays.at(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F), seen.depth);
            const float pixel = rays.pixel(seen.depth);
            const float reach = std::min(radius / pixel, widest);
            const Pattern& pattern = patterns[static_cast<std::size_t>(y % cell * cell + x % cell)];
            float sum = 0;
            for (const Offset& offset : pattern) {
              const int u = x + static_cast<int>(std::lrint(offset.x * reach));
              const int v = y + static_cast<int>(std::lrint(offset.y * reach));
              if (u < 0 || v < 0 || u >= canvas.width || v >= canvas.height) continue;
              const float depth = canvas.seen[canvas.index(u, v)].depth;
              if (std::isinf(depth)) continue;
              const Vec3f q =
                  place(rays.at(static_cast<float>(u) + 0.5F, static_cast<float>(v) + 0.5F),
                        depth) -
                  p;
              const float squared = dot(q, q), left = radius_squared - squared;
              // Some slack, so that the facets of a round surface do not darken each other.
              const float above = dot(q, seen.normal) - 0.16F * std::sqrt(squared) - pixel;
              if (left <= 0 || above <= 0) continue;
              sum += left * left * left * above / (squared + pixel * pixel);
            }
            open[i] = std::max(0.0F, 1 - sum * scale * radius);
          }
        }
      });
  return open;
}

}  // namespace

void darken_folds(Canvas& canvas, const Rays& rays, float radius, float strength) {
  if (!(radius > 0) || !(strength > 0)) return;
  const std::vector<float> open = openness(canvas, rays, radius);
  parallel_for(static_cast<std::size_t>(canvas.height), 16,
               [&](std::size_t begin, std::size_t end) {
                 for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y) {
                   for (int x = 0; x < canvas.width; ++x) {
                     const std::size_t i = canvas.index(x, y);
                     const float depth = canvas.seen[i].depth;
                     if (std::isinf(depth)) continue;
                     // Over one cell of patterns, and not across edges.
                     const float near_enough = 0.5F * radius;
                     float sum = 0;
                     int count = 0;
                     for (int v = std::max(0, y - 2); v < std::min(canvas.height, y + 2); ++v) {
                       for (int u = std::max(0, x - 2); u < std::min(canvas.width, x + 2); ++u) {
                         const std::size_t j = canvas.index(u, v);
                         if (!(std::fabs(canvas.seen[j].depth - depth) < near_enough)) continue;
                         sum += open[j];
                         ++count;
                       }
                     }
                     const float value = sum / static_cast<float>(count);
                     canvas.light[i].color *= 1 - strength * (1 - value);
                   }
                 }
               });
}

}  // namespace sinew::draw
