// SPDX-License-Identifier: Apache-2.0
#include "sinew/image/image.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/math.h"

namespace sinew {
namespace {

// Fine enough that neighbouring entries differ by at most one level in the dark.
constexpr int steps = 16384;

double decode(double srgb) {
  return srgb <= 0.04045 ? srgb / 12.92 : math::pow((srgb + 0.055) / 1.055, 2.4);
}

double encode(double linear) {
  return linear <= 0.0031308 ? linear * 12.92 : 1.055 * math::pow(linear, 1 / 2.4) - 0.055;
}

const std::array<float, 256>& decode_table() {
  static const auto table = [] {
    std::array<float, 256> values{};
    for (std::size_t i = 0; i < 256; ++i) {
      values[i] = static_cast<float>(decode(static_cast<double>(i) / 255));
    }
    return values;
  }();
  return table;
}

const std::array<std::uint8_t, steps + 1>& encode_table() {
  static const auto table = [] {
    std::array<std::uint8_t, steps + 1> values{};
    for (std::size_t i = 0; i <= steps; ++i) {
      values[i] =
          static_cast<std::uint8_t>(std::lround(255 * encode(static_cast<double>(i) / steps)));
    }
    return values;
  }();
  return table;
}

// Premultiplied sums of straight pixels.
struct PixelSum {
  Rgb color;
  float alpha = 0;

  void add(const Pixel& pixel, float share) {
    const float a = share * static_cast<float>(pixel.a) / 255;
    color += to_linear(pixel) * a;
    alpha += a;
  }
  Pixel pixel() const { return alpha > 0 ? to_srgb(color / alpha, alpha) : Pixel{0, 0, 0, 0}; }
};

}  // namespace

void check_image_size(int width, int height) {
  const auto good = [](int side) { return side >= 1 && side <= largest_image_side; };
  if (good(width) && good(height)) return;
  throw UsageError(fmt::format("a picture cannot be {} x {} pixels; each side goes from 1 to {}",
                               width, height, largest_image_side));
}

Image::Image(int width, int height, Pixel fill) : width_(width), height_(height) {
  check_image_size(width, height);
  pixels_.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), fill);
}

float to_linear(std::uint8_t srgb) { return decode_table()[srgb]; }

std::uint8_t to_srgb(float linear) {
  if (!(linear > 0)) return 0;
  return encode_table()[static_cast<int>(std::min(linear, 1.0F) * steps + 0.5F)];
}

Rgb to_linear(const Pixel& pixel) {
  return {to_linear(pixel.r), to_linear(pixel.g), to_linear(pixel.b)};
}

Pixel to_srgb(const Rgb& color, float alpha) {
  const float a = alpha > 0 ? std::min(alpha, 1.0F) : 0;
  return {to_srgb(color.x), to_srgb(color.y), to_srgb(color.z),
          static_cast<std::uint8_t>(a * 255 + 0.5F)};
}

void blend(Pixel& pixel, const Rgb& color, float alpha) {
  if (!(alpha > 0)) return;
  alpha = std::min(alpha, 1.0F);
  PixelSum light{color * alpha, alpha};
  light.add(pixel, 1 - alpha);
  pixel = light.pixel();
}

void paste(Image& target, const Image& source, int x, int y) {
  const int left = std::max(0, -x), right = std::min(source.width(), target.width() - x);
  const int top = std::max(0, -y), bottom = std::min(source.height(), target.height() - y);
  for (int row = top; row < bottom; ++row) {
    for (int column = left; column < right; ++column) {
      const Pixel& from = source.at(column, row);
      Pixel& to = target.at(x + column, y + row);
      if (from.a == 255) {
        to = from;
      } else {
        blend(to, to_linear(from), static_cast<float>(from.a) / 255);
      }
    }
  }
}

}  // namespace sinew
