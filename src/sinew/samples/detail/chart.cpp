// SPDX-License-Identifier: Apache-2.0
#include "sinew/samples/detail/chart.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/image/png.h"

namespace sinew::samples {
namespace {

constexpr int side = 512;
constexpr double bands = 0.25;  // of the picture's height
// The face is seen from the front. Behind its edge at this z the picture goes on around the head,
// which is at most so wide.
constexpr double edge = 0.05, half_width = 0.078, around = 0.25;
// Pictures repeat: a margin keeps what is at one side from the other.
constexpr double margin = 0.02;

// About where a place of the picture is on the head.
Vec3 on_head(const Chart& chart, double u, double v) {
  const double across = std::max(0.0, (u - margin) / (1 - 2 * margin)) * around;
  const double y = chart.from + (chart.to - chart.from) * v;
  if (across > half_width) return {half_width, y, edge - (across - half_width)};
  const double up = std::clamp((y - chart.crown) / 0.1, 0.0, 1.0);
  const double front = 0.01 + 0.088 * std::sqrt(1 - up * up);
  const double back = std::clamp((across - 0.045) / (half_width - 0.045), 0.0, 1.0);
  return {across, y, front + std::min(0.0, edge - front) * back};
}

Vec3 color_at(const Chart& chart, double u, double v) {
  if (v >= bands) return chart.head(on_head(chart, u, (v - bands) / (1 - bands)));
  const double zone = v / bands * static_cast<double>(chart.zones.size());
  return chart.zones[std::min(static_cast<std::size_t>(zone), chart.zones.size() - 1)];
}

}  // namespace

Vec2 place_in(const Chart& chart, const Vec3& p, double zone) {
  const double turned = std::min((std::fabs(p.x) + std::max(0.0, edge - p.z)) / around, 1.0);
  const double u = margin + (1 - 2 * margin) * turned;
  if (p.y > chart.from) {
    const double t = std::min((p.y - chart.from) / (chart.to - chart.from), 1.0);
    return {u, bands + (1 - bands) * t};
  }
  return {u, bands * (zone + 0.5) / static_cast<double>(chart.zones.size())};
}

std::string picture_of(const Chart& chart) {
  Image image(side, side);
  constexpr int parts = 3;  // each pixel is the mean of so many squared
  parallel_for(side, 16, [&](std::size_t begin, std::size_t end) {
    for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y) {
      for (int x = 0; x < side; ++x) {
        Vec3 sum;
        for (int j = 0; j < parts; ++j) {
          const double v = 1 - (y + (j + 0.5) / parts) / side;
          for (int i = 0; i < parts; ++i) {
            sum += color_at(chart, (x + (i + 0.5) / parts) / side, v);
          }
        }
        sum = sum / double(parts * parts);
        image.at(x, y) = to_srgb(
            Rgb{static_cast<float>(sum.x), static_cast<float>(sum.y), static_cast<float>(sum.z)});
      }
    }
  });
  return encode_png(image);
}

}  // namespace sinew::samples
