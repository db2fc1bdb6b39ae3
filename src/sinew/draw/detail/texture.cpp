// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/detail/texture.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/math.h"

namespace sinew::draw {
namespace {

Canvas half_of(const Canvas& full) {
  Canvas half((full.width + 1) / 2, (full.height + 1) / 2);
  for (int y = 0; y < half.height; ++y) {
    for (int x = 0; x < half.width; ++x) {
      Light& sum = half.light[half.index(x, y)];
      for (int k = 0; k < 4; ++k) {
        const Light& one = full.light[full.index(std::min(2 * x + k % 2, full.width - 1),
                                                 std::min(2 * y + k / 2, full.height - 1))];
        sum.color += one.color * 0.25F;
        sum.alpha += one.alpha * 0.25F;
      }
    }
  }
  return half;
}

// `place` in [0, 1) of `count` pixels, between two of them; the last is followed by the first.
struct Between {
  int first = 0, second = 0;
  float share = 0;  // of the second

  Between(double place, int count) {
    const double at = (place - std::floor(place)) * count - 0.5;
    const double low = std::floor(at);
    share = static_cast<float>(at - low);
    first = (static_cast<int>(low) + count) % count;
    second = (first + 1) % count;
  }
};

}  // namespace

Texture::Texture(const Image& image) {
  Canvas& full = sizes_.emplace_back(image.width(), image.height());
  for (std::size_t i = 0; i < full.light.size(); ++i) {
    const Pixel& pixel = image.pixels()[i];
    const float alpha = static_cast<float>(pixel.a) / 255;
    full.light[i] = {to_linear(pixel) * alpha, alpha};
    see_through_ = see_through_ || pixel.a != 255;
  }
  while (sizes_.back().width > 1 || sizes_.back().height > 1)
    sizes_.push_back(half_of(sizes_.back()));
}

Light Texture::over(const Vec2& place, const Vec2& axis, double across) const {
  constexpr double most = 8;
  const double along = std::sqrt(axis.x * axis.x + axis.y * axis.y);
  const double pixel = 1.0 / std::max(sizes_[0].width, sizes_[0].height);
  const double ratio = along / std::max(across, pixel);
  if (!(ratio >= 2)) return at(place.x, place.y, std::sqrt(along * across));
  const int count = static_cast<int>(std::min(ratio, most));
  Light sum;
  for (int i = 0; i < count; ++i) {
    const Vec2 one = place + axis * ((i + 0.5) / count - 0.5);
    const Light light = at(one.x, one.y, std::max(along / count, across));
    sum.color += light.color * (1.0F / static_cast<float>(count));
    sum.alpha += light.alpha * (1.0F / static_cast<float>(count));
  }
  return sum;
}

Light Texture::at(double u, double v, double step) const {
  if (!std::isfinite(u) || !std::isfinite(v)) return {};
  const int side = std::max(sizes_[0].width, sizes_[0].height);
  const double level = step * side > 1 ? std::floor(math::log2(step * side) + 0.5) : 0;
  const Canvas& canvas = sizes_[std::min(static_cast<std::size_t>(level), sizes_.size() - 1)];
  const Between x(u, canvas.width), y(1 - v, canvas.height);
  Light sum;
  for (int k = 0; k < 4; ++k) {
    const Light& one =
        canvas.light[canvas.index(k % 2 ? x.second : x.first, k / 2 ? y.second : y.first)];
    const float share = (k % 2 ? x.share : 1 - x.share) * (k / 2 ? y.share : 1 - y.share);
    sum.color += one.color * share;
    sum.alpha += one.alpha * share;
  }
  return sum;
}

}  // namespace sinew::draw
