// SPDX-License-Identifier: Apache-2.0
// Images with 8-bit sRGB and straight alpha per pixel, and conversion to linear light and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew {

// Red, green and blue in linear light, in [0, 1].
using Rgb = Vec3f;

// sRGB and straight alpha, 8 bits each.
struct Pixel {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
  friend bool operator==(const Pixel&, const Pixel&) = default;
};

// In pixels, of pictures that are made, read or written.
inline constexpr int largest_image_side = 16384;

// Rows from the top down. Empty only if default-constructed.
class Image {
 public:
  Image() = default;
  // Throws UsageError if a side is not in [1, largest_image_side].
  Image(int width, int height, Pixel fill = {255, 255, 255, 255});

  // In pixels.
  int width() const { return width_; }
  int height() const { return height_; }
  // x and y must be within the picture.
  Pixel& at(int x, int y) { return pixels_[index(x, y)]; }
  const Pixel& at(int x, int y) const { return pixels_[index(x, y)]; }
  const std::vector<Pixel>& pixels() const { return pixels_; }

  friend bool operator==(const Image&, const Image&) = default;

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }

  int width_ = 0, height_ = 0;
  std::vector<Pixel> pixels_;
};

// Throws UsageError if a side is not in [1, largest_image_side].
void check_image_size(int width, int height);

// Convert between 8-bit sRGB and linear light; values outside [0, 1] are clamped, NaN becomes 0.
float to_linear(std::uint8_t srgb);
std::uint8_t to_srgb(float linear);
Rgb to_linear(const Pixel& pixel);
Pixel to_srgb(const Rgb& color, float alpha = 1);

// Lays `color` over a pixel, in linear light; alpha in [0, 1].
void blend(Pixel& pixel, const Rgb& color, float alpha);

// Lays `source` over `target`, its upper left corner at (x, y); what does not fit is cut off.
void paste(Image& target, const Image& source, int x, int y);

}  // namespace sinew
