// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/detail/occlusion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "sinew/core/math.h"
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
      patterns[p][k] = {static_cast<float>(r * math::cos(angle)),
                        static_cast<float>(r * math::sin(angle))};
    }
  }
  return patterns;
}

// Rounds to the nearest integer; the library function would dominate the cost.
int rounded(float value) { return static_cast<int>(value + 8192.5F) - 8192; }

// How much light reaches what is seen at a pixel, in (0, 1].
float openness(const Canvas& canvas, const Rays& rays, int x, int y, float largest_radius) {
  static const auto patterns = make_patterns();
  const auto place_of = [&](int u, int v, float depth) {
    const Ray ray = rays.at(static_cast<float>(u) + 0.5F, static_cast<float>(v) + 0.5F);
    return ray.origin + ray.direction * depth;
  };
  const Seen& seen = canvas.seen[canvas.index(x, y)];
  const Vec3f p = place_of(x, y, seen.depth);
  const float pixel = rays.pixel(seen.depth);
  // A model larger than the picture gets no darker than one that fits in it.
  const float widest = 0.06F * static_cast<float>(std::max(canvas.width, canvas.height));
  const float reach = std::min(largest_radius / pixel, widest);
  const float radius = reach * pixel, radius_squared = radius * radius;
  float sum = 0;
  for (const Offset& offset : patterns[y % cell * cell + x % cell]) {
    const int u = x + rounded(offset.x * reach);
    const int v = y + rounded(offset.y * reach);
    if (u < 0 || v < 0 || u >= canvas.width || v >= canvas.height) continue;
    const float depth = canvas.seen[canvas.index(u, v)].depth;
    if (std::isinf(depth)) continue;
    const Vec3f q = place_of(u, v, depth) - p;
    const float squared = dot(q, q), left = radius_squared - squared;
    // Some slack, so that the facets of a round surface do not darken each other.
    const float rise = dot(q, seen.normal) - pixel;
    if (left <= 0 || rise <= 0) continue;
    const float above = rise - 0.16F * std::sqrt(squared);
    if (above <= 0) continue;
    sum += left * left * left * above / (squared + pixel * pixel);
  }
  // No place is so hidden that no light finds it.
  return 1 / (1 + 9 * radius * sum / (radius_squared * radius_squared * radius_squared * taps));
}

// Calls body(x, y) for every pixel where something is seen.
template <class Body>
void for_each_seen(const Canvas& canvas, const Body& body) {
  parallel_for(static_cast<std::size_t>(canvas.height), 16,
               [&](std::size_t begin, std::size_t end) {
                 for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y) {
                   for (int x = 0; x < canvas.width; ++x) {
                     if (!std::isinf(canvas.seen[canvas.index(x, y)].depth)) body(x, y);
                   }
                 }
               });
}

}  // namespace

void darken_folds(Canvas& canvas, const Rays& rays, float radius, float strength) {
  if (!(radius > 0) || !(strength > 0)) return;
  std::vector<float> open(canvas.seen.size(), 1);
  for_each_seen(canvas, [&](int x, int y) {
    open[canvas.index(x, y)] = openness(canvas, rays, x, y, radius);
  });
  for_each_seen(canvas, [&](int x, int y) {
    // Over one cell of patterns, and not across edges.
    const float near_enough = 0.5F * radius;
    const std::size_t i = canvas.index(x, y);
    float sum = 0;
    int count = 0;
    for (int v = std::max(0, y - 2); v < std::min(canvas.height, y + 2); ++v) {
      for (int u = std::max(0, x - 2); u < std::min(canvas.width, x + 2); ++u) {
        const std::size_t j = canvas.index(u, v);
        if (!(std::fabs(canvas.seen[j].depth - canvas.seen[i].depth) < near_enough)) continue;
        sum += open[j];
        ++count;
      }
    }
    canvas.light[i].color *= 1 - strength * (1 - sum / static_cast<float>(count));
  });
}

}  // namespace sinew::draw
