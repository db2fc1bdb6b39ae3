// SPDX-License-Identifier: Apache-2.0
#include "sinew/image/detail/palette.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace sinew::images {
namespace {

struct Counted {
  std::array<std::uint8_t, 3> color;
  std::size_t count;
};

// The opaque colours of an area in ascending order.
std::vector<Counted> count_colors(const Image& image, const Area& area) {
  std::vector<std::uint32_t> all;
  for (int y = area.top; y < area.top + area.height; ++y) {
    for (int x = area.left; x < area.left + area.width; ++x) {
      const Pixel& p = image.at(x, y);
      if (p.a >= 128) all.push_back(std::uint32_t{p.r} << 16 | std::uint32_t{p.g} << 8 | p.b);
    }
  }
  std::sort(all.begin(), all.end());
  std::vector<Counted> colors;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0 && all[i] == all[i - 1]) {
      ++colors.back().count;
      continue;
    }
    colors.push_back(
        {{static_cast<std::uint8_t>(all[i] >> 16), static_cast<std::uint8_t>(all[i] >> 8 & 255),
          static_cast<std::uint8_t>(all[i] & 255)},
         1});
  }
  return colors;
}

// The channel in which the colours differ most, and by how much.
struct Spread {
  std::size_t channel = 0;
  int width = 0;
};

Spread spread(std::span<const Counted> colors) {
  Spread widest;
  for (std::size_t c = 0; c < 3; ++c) {
    const auto less = [c](const Counted& a, const Counted& b) { return a.color[c] < b.color[c]; };
    const auto [low, high] = std::minmax_element(colors.begin(), colors.end(), less);
    const int width = high->color[c] - low->color[c];
    if (width > widest.width) widest = {c, width};
  }
  return widest;
}

std::size_t total(std::span<const Counted> colors) {
  std::size_t sum = 0;
  for (const Counted& c : colors) sum += c.count;
  return sum;
}

std::array<std::uint8_t, 3> mean(std::span<const Counted> colors) {
  std::array<std::uint8_t, 3> result{};
  const std::size_t count = total(colors);
  for (std::size_t c = 0; c < 3; ++c) {
    std::size_t sum = 0;
    for (const Counted& color : colors) sum += color.count * color.color[c];
    result[c] = static_cast<std::uint8_t>((sum + count / 2) / count);
  }
  return result;
}

// Where to cut sorted colours so that both sides have about half of the pixels, and one colour.
std::size_t median(std::span<const Counted> colors) {
  const std::size_t half = total(colors) / 2;
  std::size_t sum = 0, cut = 0;
  while (cut + 2 < colors.size() && sum + colors[cut].count <= half) sum += colors[cut++].count;
  return cut + 1;
}

// The thresholds of Bayer's 4 x 4 pattern, in [-7.5, 7.5].
constexpr std::array<float, 16> thresholds{-7.5F, 0.5F, -5.5F, 2.5F, 4.5F, -3.5F, 6.5F, -1.5F,
                                           -4.5F, 3.5F, -6.5F, 1.5F, 7.5F, -0.5F, 5.5F, -2.5F};
constexpr float dither = 0.5F;  // levels for a step of the pattern: about what colours differ by

}  // namespace

Palette make_palette(const Image& image, const Area& area, std::size_t most) {
  std::vector<Counted> colors = count_colors(image, area);
  if (colors.empty()) return {{0, 0, 0}};
  struct Box {
    std::size_t first, count;
    Spread spread;
    double weight;
  };
  const auto make_box = [&](std::size_t first, std::size_t count) {
    const std::span<const Counted> part = std::span(colors).subspan(first, count);
    const Spread s = spread(part);
    // Both rare colours that differ much and common ones that differ little deserve an entry.
    return Box{first, count, s, s.width * std::sqrt(std::sqrt(static_cast<double>(total(part))))};
  };
  std::vector<Box> boxes{make_box(0, colors.size())};
  while (boxes.size() < most) {
    const auto widest = std::max_element(
        boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.weight < b.weight; });
    if (widest->spread.width == 0) break;
    const Box box = *widest;
    const auto begin = colors.begin() + static_cast<std::ptrdiff_t>(box.first);
    std::stable_sort(begin, begin + static_cast<std::ptrdiff_t>(box.count),
                     [&](const Counted& a, const Counted& b) {
                       return a.color[box.spread.channel] < b.color[box.spread.channel];
                     });
    const std::size_t cut = median(std::span(colors).subspan(box.first, box.count));
    *widest = make_box(box.first, cut);
    boxes.push_back(make_box(box.first + cut, box.count - cut));
  }
  Palette palette;
  for (const Box& box : boxes)
    palette.push_back(mean(std::span(colors).subspan(box.first, box.count)));
  return palette;
}

PaletteLookup::PaletteLookup(const Palette& palette) : palette_(palette) {}

std::uint8_t PaletteLookup::at(const Pixel& pixel, int x, int y) {
  const std::uint8_t plain = nearest(pixel.r, pixel.g, pixel.b);
  // A colour that the palette has stays as it is: plain areas have no pattern.
  if (palette_[plain] == std::array{pixel.r, pixel.g, pixel.b}) return plain;
  const float shift = dither * thresholds[y % 4 * 4 + x % 4];
  const auto moved = [&](std::uint8_t v) {
    return std::clamp(static_cast<int>(std::lround(static_cast<float>(v) + shift)), 0, 255);
  };
  return nearest(moved(pixel.r), moved(pixel.g), moved(pixel.b));
}

std::uint8_t PaletteLookup::nearest(int r, int g, int b) {
  const auto key = static_cast<std::uint32_t>(r << 16 | g << 8 | b);
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  std::uint8_t best = 0;
  int least = 1 << 30;
  for (std::size_t i = 0; i < palette_.size(); ++i) {
    const int dr = r - palette_[i][0], dg = g - palette_[i][1], db = b - palette_[i][2];
    const int distance = 3 * dr * dr + 6 * dg * dg + db * db;
    if (distance >= least) continue;
    least = distance;
    best = static_cast<std::uint8_t>(i);
  }
  known_.emplace(key, best);
  return best;
}

}  // namespace sinew::images
