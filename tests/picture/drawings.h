// SPDX-License-Identifier: Apache-2.0
// Drawings of 200 x 200 pixels as one meets them, with soft edges: things with gaps, ears and
// beaks.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>

#include "sinew/image/image.h"
#include "tests/picture/silhouettes.h"

namespace sinew {

// The colour at a place; nothing where the background is.
using Drawing = std::function<std::optional<Pixel>(double x, double y)>;

inline constexpr Pixel paper{255, 255, 255, 255}, ink{20, 20, 20, 255}, orange{230, 150, 60, 255};
inline constexpr Vec2 cat_head{85, 65}, cat_loop{145, 130};
inline constexpr double cat_head_radius = 31;

inline bool in_ellipse(double x, double y, Vec2 center, double a, double b) {
  return std::hypot((x - center.x) / a, (y - center.y) / b) <= 1;
}

inline bool in_triangle(double x, double y, Vec2 a, Vec2 b, Vec2 c) {
  const Vec2 p{x, y};
  const double u = cross(b - a, p - a), v = cross(c - b, p - b), w = cross(a - c, p - c);
  return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

// White, with a pupil in it.
inline std::optional<Pixel> eye(double x, double y, Vec2 center, double a, double b) {
  if (in_ellipse(x, y, center, 0.4 * a, 0.5 * b)) return ink;
  if (in_ellipse(x, y, center, a, b)) return paper;
  return std::nullopt;
}

// It sits, and its tail comes back to it in a loop. Its eyes are at (70, 60) and (100, 60), the
// tips of its ears at (54, 19) and (116, 19), its paws at (64, 182) and (106, 182).
inline std::optional<Pixel> cat(double x, double y) {
  for (const double at : {70.0, 100.0}) {
    if (const auto found = eye(x, y, {at, 60}, 7, 8)) return found;
  }
  const double side = std::fabs(x - 85);
  const bool inside =
      in_ellipse(x, y, cat_head, 36, 31) || in_triangle(side, y, {33, 55}, {10, 37}, {31, 19}) ||
      in_ellipse(x, y, {85, 135}, 35, 47) || near_path(side, y, {{20, 125}, {21, 182}}, 8.5) ||
      std::fabs(length(Vec2{x, y} - cat_loop) - 27.5) <= 6.5;
  return inside ? std::optional(orange) : std::nullopt;
}

// Hands on its hips and heels together: three gaps.
inline std::optional<Pixel> standing(double x, double y) {
  for (const double at : {94.0, 106.0}) {
    if (const auto found = eye(x, y, {at, 29}, 4.5, 4.5)) return found;
  }
  const double side = std::fabs(x - 100);
  const bool inside = in_ellipse(x, y, {100, 32}, 19, 21) ||
                      near_path(side, y, {{0, 50}, {0, 60}}, 7) ||
                      near_path(side, y, {{0, 72}, {0, 107}}, 19) ||
                      near_path(side, y, {{15, 65}, {47, 92}, {17, 112}}, 6.5) ||
                      near_path(side, y, {{11, 117}, {21, 177}}, 8.5) ||
                      near_path(side, y, {{0, 186}, {27, 186}}, 4.5);
  return inside ? std::optional<Pixel>({60, 110, 200, 255}) : std::nullopt;
}

// Its beak goes from (147, 62) to a tip at (193, 64), its feet are at y = 176.
inline std::optional<Pixel> bird(double x, double y) {
  if (const auto found = eye(x, y, {131, 59}, 5, 5)) return found;
  const bool inside = in_triangle(x, y, {145, 50}, {145, 73}, {193, 64}) ||
                      in_ellipse(x, y, {127, 62}, 25, 24) || in_ellipse(x, y, {90, 105}, 52, 35) ||
                      in_triangle(x, y, {10, 75}, {15, 98}, {55, 112}) ||
                      near_path(x, y, {{82, 135}, {80, 176}, {92, 176}}, 3) ||
                      near_path(x, y, {{102, 135}, {105, 176}, {117, 176}}, 3);
  return inside ? std::optional<Pixel>({70, 140, 190, 255}) : std::nullopt;
}

// Each pixel the mean of nine places. Where the background is, `back`, or nothing with alpha 0.
inline Image drawn_on(const Drawing& drawing, const Pixel& back = paper) {
  Image image(200, 200, {0, 0, 0, 0});
  for (int y = 0; y < 200; ++y) {
    for (int x = 0; x < 200; ++x) {
      double r = 0, g = 0, b = 0, a = 0;
      for (int k = 0; k < 9; ++k) {
        const auto color = drawing(x + (k % 3 + 0.5) / 3, y + (k / 3 + 0.5) / 3).value_or(back);
        r += color.r * color.a;
        g += color.g * color.a;
        b += color.b * color.a;
        a += color.a;
      }
      const auto byte = [](double v) { return static_cast<std::uint8_t>(std::lround(v)); };
      if (a > 0) image.at(x, y) = {byte(r / a), byte(g / a), byte(b / a), byte(a / 9)};
    }
  }
  return image;
}

inline constexpr Pixel nothing{0, 0, 0, 0};

}  // namespace sinew
