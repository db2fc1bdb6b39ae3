// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/camera.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/internal/text.h"
#include "sinew/core/math.h"
#include "sinew/core/quat.h"

namespace sinew {
namespace {

constexpr std::array<std::pair<std::string_view, View>, 8> named_views{
    {{"front", {0, 0}},
     {"back", {180, 0}},
     {"left", {90, 0}},
     {"side", {90, 0}},
     {"right", {-90, 0}},
     {"top", {0, 90}},
     {"bottom", {0, -90}},
     {"three-quarter", {35, 15}}}};

Mat3 view_axes(const View& view) {
  const double a = radians(view.azimuth), e = radians(view.elevation);
  const Vec3 back{math::sin(a) * math::cos(e), math::sin(e), math::cos(a) * math::cos(e)};
  const Vec3 right{math::cos(a), 0, -math::sin(a)};
  return {right, cross(back, right), back};
}

// How far points reach, along one axis of the picture.
struct Reach {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double from, double to) {
    low = std::min(low, from);
    high = std::max(high, to);
  }
  double middle() const { return 0.5 * (low + high); }
  double size() const { return high - low; }
};

}  // namespace

View view_from_name(std::string_view name) {
  for (const auto& [known, view] : named_views) {
    if (known == name) return view;
  }
  const std::size_t comma = name.find(',');
  if (comma != std::string_view::npos) {
    const auto azimuth = text::parse_number(name.substr(0, comma));
    const auto elevation = text::parse_number(name.substr(comma + 1));
    if (azimuth && elevation) return {*azimuth, *elevation};
  }
  std::string all;
  for (const auto& [known, unused] : named_views) all += fmt::format("{}, ", known);
  throw UsageError(
      fmt::format("there is no view '{}'; there are {}or azimuth,elevation in degrees", name, all));
}

Camera frame(const View& view, std::span<const Vec3> points, double aspect, const Lens& lens) {
  if (!(lens.field_of_view >= 0 && lens.field_of_view < 170)) {
    throw UsageError("a field of view is an angle from 0 to 170 degrees");
  }
  if (!(lens.margin >= 0 && lens.margin < 0.5)) {
    throw UsageError("a margin is a share of the picture from 0 to 0.5");
  }
  if (!(aspect > 0) || !std::isfinite(aspect)) {
    throw UsageError("a picture has a width and a height above 0");
  }
  Camera camera;
  camera.axes = view_axes(view);
  camera.perspective = lens.field_of_view > 0;
  const double shown = 1 - 2 * lens.margin;
  const double up_slope = camera.perspective ? math::tan(radians(lens.field_of_view) / 2) : 0;
  const double across_slope = up_slope * aspect;
  // In perspective a point is in the picture if it lies between lines that go out from the eye: the
  // further back the point, the further out the line may meet the eye's plane.
  Reach across, up, deep;
  for (const Vec3& point : points) {
    const Vec3 p = transpose(camera.axes) * point;
    across.add(p.x - shown * across_slope * p.z, p.x + shown * across_slope * p.z);
    up.add(p.y - shown * up_slope * p.z, p.y + shown * up_slope * p.z);
    deep.add(p.z, p.z);
  }
  if (points.empty()) across = up = deep = {0, 0};
  Vec3 eye{across.middle(), up.middle(), 0};
  if (camera.perspective) {
    const double distance =
        std::max(across.size() / (2 * shown * across_slope), up.size() / (2 * shown * up_slope));
    eye.z = std::max(distance, deep.high + 0.05 * deep.size());
    if (!(eye.z - deep.high > 1e-12 * std::fabs(eye.z))) eye.z = deep.high + 1;
    camera.half_height = up_slope;
    camera.near = 1e-3 * (eye.z - deep.low);
  } else {
    const double half = std::max(across.size() / aspect, up.size()) / (2 * shown);
    camera.half_height = half > 0 ? half : 1;
    eye.z = deep.high + std::max(deep.size(), camera.half_height);
  }
  camera.eye = camera.axes * eye;
  return camera;
}

Camera frame(const View& view, const Box& box, double aspect, const Lens& lens) {
  return frame(view, corners(box), aspect, lens);
}

std::vector<Vec3> corners(const Box& box) {
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i) {
    points.push_back({i & 1 ? box.high.x : box.low.x, i & 2 ? box.high.y : box.low.y,
                      i & 4 ? box.high.z : box.low.z});
  }
  return points;
}

Vec3 to_view(const Camera& camera, const Vec3& point) {
  return transpose(camera.axes) * (point - camera.eye);
}

Projected project(const Camera& camera, const Vec3& point, int width, int height) {
  const Vec3 p = to_view(camera, point);
  const double scale = 0.5 * height / (camera.half_height * (camera.perspective ? -p.z : 1));
  return {0.5 * width + p.x * scale, 0.5 * height - p.y * scale, -p.z};
}

Box joined(const Box& a, const Box& b) {
  return {component_min(a.low, b.low), component_max(a.high, b.high)};
}

}  // namespace sinew
