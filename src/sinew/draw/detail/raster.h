// SPDX-License-Identifier: Apache-2.0
// The visible triangle at each sample of each pixel: a z-buffer, computed tile by tile.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sinew::draw {

inline constexpr std::uint32_t no_triangle = ~std::uint32_t{0};
inline constexpr int tile_size = 64;

// Positions in pixels from the upper left corner. Nearness is any quantity that is linear in screen
// space and larger for nearer points.
struct ScreenTriangle {
  std::array<double, 3> x, y;
  std::array<double, 3> nearness;
  std::uint32_t id = 0;
  bool see_through = false;  // transparency from Raster::opacity
};

// The position of a sample in its pixel, from the upper left, in sixteenths.
struct SamplePlace {
  int x = 0, y = 0;
};
// For 1, 4 or 8 samples.
std::span<const SamplePlace> sample_places(int samples);

// The samples of one tile: those of pixel (x, y) start at ((y - top) * tile_size + x - left) *
// samples.
struct Tile {
  int left = 0, top = 0, right = 0, bottom = 0;
  int samples = 1;
  std::vector<std::uint32_t> ids;
  std::vector<float> nearness;  // valid for samples that have an id

  std::size_t first_sample(int x, int y) const {
    return static_cast<std::size_t>(((y - top) * tile_size + x - left) * samples);
  }
};

struct Raster {
  int width = 0, height = 0;
  int samples = 1;  // 1, 4 or 8
  // Opacity of a transparent triangle at a pixel position: (id, x, y) -> [0, 1].
  std::function<float(std::uint32_t id, double x, double y)> opacity;
  // Called for every tile, concurrently.
  std::function<void(const Tile& tile)> use;
};

// Corners are snapped to 1/256 of a pixel; coverage is then exact. A sample in a triangle or on its
// edge belongs to it, triangles without area cover nothing, and adjacent triangles leave no gap. Of
// equally near triangles the first is visible. Positions must be within 2^17 of 0. The result has
// the same bits for any number of threads.
void rasterize(std::span<const ScreenTriangle> triangles, const Raster& raster);

}  // namespace sinew::draw
