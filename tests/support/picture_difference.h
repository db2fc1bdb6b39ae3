// SPDX-License-Identifier: Apache-2.0
// How different two pictures look.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sinew/image/image.h"

namespace sinew {

// A CIE Lab colour: distances of about 2 are just visible.
inline Vec3 to_lab(const Vec3& linear) {
  const Vec3 xyz{(0.4124 * linear.x + 0.3576 * linear.y + 0.1805 * linear.z) / 0.9505,
                 0.2126 * linear.x + 0.7152 * linear.y + 0.0722 * linear.z,
                 (0.0193 * linear.x + 0.1192 * linear.y + 0.9505 * linear.z) / 1.089};
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  return {116 * f(xyz.y) - 16, 500 * (f(xyz.x) - f(xyz.y)), 200 * (f(xyz.y) - f(xyz.z))};
}

struct PictureDifference {
  double mean = 0;     // Lab distance over all pixels
  double visible = 0;  // the share of the pixels where it is above 5
  double changed = 0;  // the share of the pixels whose colour differs at all
  int largest = 0;     // the largest change of a channel, of 255
};

// Compares after blurring each pixel with its neighbours, since the eye does not see single pixels.
inline PictureDifference picture_difference(const Image& a, const Image& b) {
  const auto blurred = [](const Image& image, int x, int y) {
    Vec3 sum;
    double total = 0;
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const Rgb c = to_linear(image.at(std::clamp(x + dx, 0, image.width() - 1),
                                         std::clamp(y + dy, 0, image.height() - 1)));
        const double share = (dx == 0 ? 2 : 1) * (dy == 0 ? 2 : 1);
        sum += Vec3{c.x, c.y, c.z} * share;
        total += share;
      }
    }
    return to_lab(sum / total);
  };
  if (a.width() != b.width() || a.height() != b.height()) return {INFINITY, 1, 1, 255};
  PictureDifference difference;
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) {
      const double d = distance(blurred(a, x, y), blurred(b, x, y));
      difference.mean += d;
      difference.visible += d > 5;
      const Pixel &p = a.at(x, y), &q = b.at(x, y);
      difference.changed += p != q;
      difference.largest = std::max({difference.largest, std::abs(p.r - q.r), std::abs(p.g - q.g),
                                     std::abs(p.b - q.b), std::abs(p.a - q.a)});
    }
  }
  const auto pixels = static_cast<double>(a.pixels().size());
  difference.mean /= pixels;
  difference.visible /= pixels;
  difference.changed /= pixels;
  return difference;
}

// Allows only differences by rounding between two machines.
inline bool look_alike(const PictureDifference& d) { return d.mean < 0.15 && d.visible < 0.0005; }

}  // namespace sinew
