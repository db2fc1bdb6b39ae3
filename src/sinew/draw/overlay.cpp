// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/overlay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/core/math.h"

namespace sinew {
namespace {

double distance_to(const Stroke& stroke, double x, double y) {
  const Vec2 along = stroke.to - stroke.from;
  const double squared = along.x * along.x + along.y * along.y;
  const double dx = x - stroke.from.x, dy = y - stroke.from.y;
  const double t = squared > 0 ? std::clamp((dx * along.x + dy * along.y) / squared, 0.0, 1.0) : 0;
  return math::hypot(dx - along.x * t, dy - along.y * t);
}

// The pixels from floor(low) to ceil(high), as far as there are any.
struct Range {
  int first, last;

  Range(double low, double high, int size)
      : first(static_cast<int>(std::clamp(std::floor(low), 0.0, static_cast<double>(size)))),
        last(static_cast<int>(std::clamp(std::ceil(high), 0.0, static_cast<double>(size)))) {}
};

// Faces of an own colour and an own flat normal each.
void add_face(Drawable& surface, const std::array<Vec3, 3>& corners, const Rgb& color,
              bool outlined) {
  const Vec3 normal = normalized(cross(corners[1] - corners[0], corners[2] - corners[0]));
  const auto first = static_cast<Index>(surface.positions.size());
  for (const Vec3& corner : corners) {
    surface.positions.push_back(corner);
    surface.normals.push_back(normal);
    surface.colors.push_back(color);
  }
  surface.triangles.push_back({first, first + 1, first + 2});
  surface.edges.push_back(outlined ? 7 : 0);
}

void add_ball(Drawable& surface, const Vec3& center, double radius, const Rgb& color) {
  constexpr Index rings = 6, sides = 12;
  const auto first = static_cast<Index>(surface.positions.size());
  for (Index ring = 0; ring <= rings; ++ring) {
    const double polar = std::numbers::pi * ring / rings;
    for (Index side = 0; side < sides; ++side) {
      const double angle = 2 * std::numbers::pi * side / sides;
      const Vec3 out{math::sin(polar) * math::cos(angle), math::cos(polar),
                     math::sin(polar) * math::sin(angle)};
      surface.positions.push_back(center + out * radius);
      surface.normals.push_back(out);
      surface.colors.push_back(color);
    }
  }
  for (Index ring = 0; ring < rings; ++ring) {
    for (Index side = 0; side < sides; ++side) {
      const Index a = first + ring * sides + side, b = first + ring * sides + (side + 1) % sides;
      surface.triangles.push_back({a, b, b + sides});
      surface.triangles.push_back({a, b + sides, a + sides});
      surface.edges.insert(surface.edges.end(), 2, 0);
    }
  }
}

}  // namespace

void draw_strokes(Image& image, std::span<const Stroke> strokes, const Rgb& color, float opacity) {
  if (strokes.empty()) return;
  double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
  for (const Stroke& s : strokes) {
    const double reach = 0.5 * s.width + 1;
    left = std::min({left, s.from.x - reach, s.to.x - reach});
    right = std::max({right, s.from.x + reach, s.to.x + reach});
    top = std::min({top, s.from.y - reach, s.to.y - reach});
    bottom = std::max({bottom, s.from.y + reach, s.to.y + reach});
  }
  if (!std::isfinite(right - left) || !std::isfinite(bottom - top)) return;
  const Range columns(left, right, image.width()), rows(top, bottom, image.height());
  if (columns.first >= columns.last || rows.first >= rows.last) return;
  const std::size_t width = columns.last - columns.first;
  std::vector<double> covered(width * static_cast<std::size_t>(rows.last - rows.first));
  const auto at = [&](int x, int y) -> double& {
    return covered[static_cast<std::size_t>(y - rows.first) * width +
                   static_cast<std::size_t>(x - columns.first)];
  };
  for (const Stroke& s : strokes) {
    // Lines thinner than a pixel get paler, not thinner.
    const double shown = std::max(s.width, 1.0), reach = 0.5 * shown + 1;
    const Range across(std::min(s.from.x, s.to.x) - reach, std::max(s.from.x, s.to.x) + reach,
                       image.width());
    const Range down(std::min(s.from.y, s.to.y) - reach, std::max(s.from.y, s.to.y) + reach,
                     image.height());
    for (int y = std::max(down.first, rows.first); y < std::min(down.last, rows.last); ++y) {
      for (int x = std::max(across.first, columns.first); x < std::min(across.last, columns.last);
           ++x) {
        const double inside = 0.5 * shown + 0.5 - distance_to(s, x + 0.5, y + 0.5);
        at(x, y) = std::max(at(x, y), std::clamp(inside, 0.0, 1.0) * std::min(s.width, 1.0));
      }
    }
  }
  for (int y = rows.first; y < rows.last; ++y) {
    for (int x = columns.first; x < columns.last; ++x) {
      blend(image.at(x, y), color, opacity * static_cast<float>(at(x, y)));
    }
  }
}

void fill_rectangle(Image& image, int left, int top, int width, int height, const Rgb& color,
                    float opacity) {
  const Range columns(left, double(left) + width, image.width());
  const Range rows(top, double(top) + height, image.height());
  for (int y = rows.first; y < rows.last; ++y) {
    for (int x = columns.first; x < columns.last; ++x) blend(image.at(x, y), color, opacity);
  }
}

Drawable bone_drawable(std::span<const BoneShape> bones, double thickness) {
  if (!(thickness > 0)) throw UsageError("a bone is drawn with a thickness above 0");
  Drawable surface;
  surface.wire = true;
  surface.wire_opacity = 0.5F;
  for (const BoneShape& bone : bones) {
    const Vec3 along = bone.tail - bone.head;
    const double size = length(along);
    if (!(size > 0)) continue;
    const Vec3 across = any_perpendicular(along / size), other = cross(along / size, across);
    const Vec3 waist = bone.head + along * 0.13;
    const double radius = 0.5 * thickness * size;
    std::array<Vec3, 4> ring;
    for (std::size_t i = 0; i < 4; ++i) {
      const double angle = std::numbers::pi * (0.5 * static_cast<double>(i) + 0.25);
      ring[i] = waist + (across * math::cos(angle) + other * math::sin(angle)) * radius;
    }
    for (std::size_t i = 0; i < 4; ++i) {
      add_face(surface, {ring[i], ring[(i + 1) % 4], bone.tail}, bone.color, true);
      add_face(surface, {ring[(i + 1) % 4], ring[i], bone.head}, bone.color, true);
    }
    add_ball(surface, bone.head, 0.36 * radius, bone.color);
    add_ball(surface, bone.tail, 0.30 * radius, bone.color);
  }
  return surface;
}

}  // namespace sinew
