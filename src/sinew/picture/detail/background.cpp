// SPDX-License-Identifier: Apache-2.0
#include "sinew/picture/detail/background.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/picture/detail/simple_point.h"

namespace sinew::detail {
namespace {

// Mixing is done as drawing programs do it: in sRGB.
Vec3 as_vector(const Pixel& p) { return {double(p.r), double(p.g), double(p.b)}; }

std::uint8_t byte(double value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}

Pixel as_pixel(const Vec3& v, double alpha) {
  return {byte(v.x), byte(v.y), byte(v.z), byte(255 * alpha)};
}

std::vector<Pixel> border_pixels(const Image& picture) {
  std::vector<Pixel> border;
  for (int x = 0; x < picture.width(); ++x) {
    border.push_back(picture.at(x, 0));
    border.push_back(picture.at(x, picture.height() - 1));
  }
  for (int y = 1; y + 1 < picture.height(); ++y) {
    border.push_back(picture.at(0, y));
    border.push_back(picture.at(picture.width() - 1, y));
  }
  return border;
}

// The colour of the figure around (x, y): the pixel least like the background within two pixels.
const Pixel* figure_color(const Image& picture, const Mask& figure, const Pixel& background, int x,
                          int y) {
  const Pixel* found = nullptr;
  double most = 0;
  for (int j = y - 2; j <= y + 2; ++j) {
    for (int i = x - 2; i <= x + 2; ++i) {
      if (!figure.at(i, j)) continue;
      const double difference = length_squared(as_vector(picture.at(i, j)) - as_vector(background));
      if (difference > most) {
        most = difference;
        found = &picture.at(i, j);
      }
    }
  }
  return found;
}

bool on_border(const Mask& figure, int x, int y) {
  const bool here = figure.at(x, y);
  for (std::size_t k = 0; k < 8; ++k) {
    if (figure.at(x + ring_x[k], y + ring_y[k]) != here) return true;
  }
  return false;
}

}  // namespace

double color_difference(const Pixel& a, const Pixel& b) {
  return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)}) / 255.0;
}

BorderColor border_color(const Image& picture, double tolerance) {
  const std::vector<Pixel> border = border_pixels(picture);
  // The fullest of 16 x 16 x 16 histogram bins is a good enough start.
  std::vector<int> drawers(4096, 0);
  const auto drawer = [](const Pixel& p) {
    return static_cast<std::size_t>((p.r >> 4) << 8 | (p.g >> 4) << 4 | p.b >> 4);
  };
  for (const Pixel& p : border) ++drawers[drawer(p)];
  const std::size_t fullest = std::max_element(drawers.begin(), drawers.end()) - drawers.begin();
  const auto mean = [&](auto&& counts) {
    Vec3 sum;
    std::size_t count = 0;
    for (const Pixel& p : border) {
      if (!counts(p)) continue;
      sum += as_vector(p);
      ++count;
    }
    BorderColor result;
    if (count > 0) result.color = as_pixel(sum / static_cast<double>(count), 1);
    result.share = static_cast<double>(count) / static_cast<double>(border.size());
    return result;
  };
  BorderColor found = mean([&](const Pixel& p) { return drawer(p) == fullest; });
  for (int round = 0; round < 3; ++round) {
    const Pixel center = found.color;
    const BorderColor moved =
        mean([&](const Pixel& p) { return color_difference(p, center) <= tolerance; });
    if (moved.share == 0) break;
    found = moved;
  }
  return found;
}

void keep_what_reaches_the_border(Mask& mask) {
  std::vector<std::uint32_t> stack;
  Mask unseen = mask;
  std::fill(mask.inside.begin(), mask.inside.end(), std::uint8_t{0});
  const auto push = [&](int x, int y) {
    if (!unseen.at(x, y)) return;
    const std::size_t i = unseen.index(x, y);
    unseen.inside[i] = 0;
    mask.inside[i] = 1;
    stack.push_back(static_cast<std::uint32_t>(i));
  };
  for (int x = 0; x < mask.width; ++x) {
    push(x, 0);
    push(x, mask.height - 1);
  }
  for (int y = 0; y < mask.height; ++y) {
    push(0, y);
    push(mask.width - 1, y);
  }
  while (!stack.empty()) {
    const int x = static_cast<int>(stack.back() % static_cast<std::uint32_t>(mask.width));
    const int y = static_cast<int>(stack.back() / static_cast<std::uint32_t>(mask.width));
    stack.pop_back();
    for (std::size_t k = 0; k < 8; k += 2) push(x + ring_x[k], y + ring_y[k]);
  }
}

Image cut_out(const Image& picture, const Mask& figure, const Pixel& background, double tolerance) {
  Image image(picture.width(), picture.height(), {0, 0, 0, 0});
  const Vec3 back = as_vector(background);
  for (int y = 0; y < picture.height(); ++y) {
    for (int x = 0; x < picture.width(); ++x) {
      const bool inside = figure.at(x, y);
      const Pixel pixel = picture.at(x, y);
      if (inside) image.at(x, y) = pixel;
      if (!on_border(figure, x, y)) continue;
      const Pixel* found = figure_color(picture, figure, background, x, y);
      if (!found) continue;
      const Vec3 color = as_vector(pixel), way = as_vector(*found) - back;
      const double alpha = std::clamp(dot(color - back, way) / length_squared(way), 0.0, 1.0);
      const Vec3 off = color - back - way * alpha;
      const double most = std::max({std::fabs(off.x), std::fabs(off.y), std::fabs(off.z)}) / 255;
      // Another colour than a mix of the two is the figure's own.
      if (inside && most > tolerance) continue;
      image.at(x, y) = alpha > 0 ? as_pixel(back + (color - back) / alpha, alpha * pixel.a / 255)
                                 : as_pixel(as_vector(*found), 0);
    }
  }
  return image;
}

}  // namespace sinew::detail
