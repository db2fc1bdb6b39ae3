// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/detail/raster.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/parallel.h"
#include "sinew/core/rows.h"

namespace sinew::draw {
namespace {

constexpr std::array<SamplePlace, 1> one_place{{{8, 8}}};
constexpr std::array<SamplePlace, 4> four_places{{{6, 2}, {14, 6}, {2, 10}, {10, 14}}};
// No two in one row or column of sixteenths.
constexpr std::array<SamplePlace, 8> eight_places{
    {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}}};

// Sums and products of places in 1/256 stay below 2^53: the edges' values are exact.
double snapped(double place) {
  return static_cast<int>(place * 256 + (place < 0 ? -0.5 : 0.5)) / 256.0;
}

struct Setup {
  std::array<double, 3> a, b, c;  // edge i: a x + b y + c, not below 0 inside
  double near_x = 0, near_y = 0, near_0 = 0;
  float nearest = 0, furthest = 0;
  int left = 0, top = 0, right = 0, bottom = 0;  // the pixels it may touch; empty: none
};

Setup set_up(const ScreenTriangle& t, const Raster& raster) {
  std::array<double, 3> x, y;
  for (std::size_t i = 0; i < 3; ++i) {
    x[i] = snapped(t.x[i]);
    y[i] = snapped(t.y[i]);
  }
  Setup s;
  const double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
  if (area == 0) return s;
  const double sign = area > 0 ? 1 : -1;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    s.a[i] = sign * (y[i] - y[j]);
    s.b[i] = sign * (x[j] - x[i]);
    s.c[i] = -(s.a[i] * x[i] + s.b[i] * y[i]);
  }
  const double n1 = t.nearness[1] - t.nearness[0], n2 = t.nearness[2] - t.nearness[0];
  s.near_x = (n1 * (y[2] - y[0]) - n2 * (y[1] - y[0])) / area;
  s.near_y = (n2 * (x[1] - x[0]) - n1 * (x[2] - x[0])) / area;
  s.near_0 = t.nearness[0] - s.near_x * x[0] - s.near_y * y[0];
  const auto [n_low, n_high] = std::minmax_element(t.nearness.begin(), t.nearness.end());
  s.furthest = static_cast<float>(*n_low);
  s.nearest = static_cast<float>(*n_high);
  const auto [x_low, x_high] = std::minmax_element(x.begin(), x.end());
  const auto [y_low, y_high] = std::minmax_element(y.begin(), y.end());
  s.left = std::max(0, static_cast<int>(std::floor(*x_low)));
  s.top = std::max(0, static_cast<int>(std::floor(*y_low)));
  s.right = std::min(raster.width, static_cast<int>(std::floor(*x_high)) + 1);
  s.bottom = std::min(raster.height, static_cast<int>(std::floor(*y_high)) + 1);
  return s;
}

bool is_empty(const Setup& s) { return s.left >= s.right || s.top >= s.bottom; }

// For each tile the triangles that may touch it, in order.
struct Bins {
  int columns = 0, rows = 0;
  Rows<std::uint32_t> triangles;
};

Bins bin(std::span<const Setup> setups, const Raster& raster) {
  Bins bins;
  bins.columns = (raster.width + tile_size - 1) / tile_size;
  bins.rows = (raster.height + tile_size - 1) / tile_size;
  bins.triangles = rows_by_key<std::uint32_t>(bins.columns * bins.rows, [&](const auto& add) {
    for (std::size_t i = 0; i < setups.size(); ++i) {
      const Setup& s = setups[i];
      if (is_empty(s)) continue;
      for (int row = s.top / tile_size; row <= (s.bottom - 1) / tile_size; ++row) {
        for (int column = s.left / tile_size; column <= (s.right - 1) / tile_size; ++column) {
          add(row * bins.columns + column, static_cast<std::uint32_t>(i));
        }
      }
    }
  });
  return bins;
}

template <int samples>
void draw(const Setup& s, const ScreenTriangle& triangle, const Raster& raster, Tile& tile) {
  const auto places = sample_places(samples);
  double edge_at[3][samples], near_at[samples], best[3];
  for (std::size_t k = 0; k < samples; ++k) {
    const double x = places[k].x / 16.0, y = places[k].y / 16.0;
    for (std::size_t i = 0; i < 3; ++i) edge_at[i][k] = s.a[i] * x + s.b[i] * y;
    near_at[k] = s.near_x * x + s.near_y * y;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    best[i] = *std::max_element(edge_at[i], edge_at[i] + samples);
  }
  const int left = std::max(s.left, tile.left), right = std::min(s.right, tile.right);
  const int top = std::max(s.top, tile.top), bottom = std::min(s.bottom, tile.bottom);
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x) {
      double e[3];
      for (std::size_t i = 0; i < 3; ++i) e[i] = s.a[i] * x + s.b[i] * y + s.c[i];
      if (e[0] + best[0] < 0 || e[1] + best[1] < 0 || e[2] + best[2] < 0) continue;
      const double n = s.near_x * x + s.near_y * y + s.near_0;
      const std::size_t first = tile.first_sample(x, y);
      std::uint32_t* ids = tile.ids.data() + first;
      float* nearness = tile.nearness.data() + first;
      float pass[samples];
      bool any = false;
      for (std::size_t k = 0; k < samples; ++k) {
        const bool inside =
            e[0] + edge_at[0][k] >= 0 && e[1] + edge_at[1][k] >= 0 && e[2] + edge_at[2][k] >= 0;
        pass[k] = std::clamp(static_cast<float>(n + near_at[k]), s.furthest, s.nearest);
        const bool seen = inside && (ids[k] == no_triangle || pass[k] > nearness[k]);
        if (!seen) pass[k] = std::numeric_limits<float>::quiet_NaN();
        any = any || seen;
      }
      if (!any) continue;
      // A share of the samples stands for a share of the light.
      const float hidden =
          triangle.see_through ? raster.opacity(triangle.id, x + 0.5, y + 0.5) * samples : samples;
      for (std::size_t k = 0; k < samples; ++k) {
        if (std::isnan(pass[k]) || !(static_cast<float>(k) + 0.5F < hidden)) continue;
        ids[k] = triangle.id;
        nearness[k] = pass[k];
      }
    }
  }
}

}  // namespace

std::span<const SamplePlace> sample_places(int samples) {
  if (samples == 8) return eight_places;
  if (samples == 4) return four_places;
  return one_place;
}

void rasterize(std::span<const ScreenTriangle> triangles, const Raster& raster) {
  std::vector<Setup> setups(triangles.size());
  parallel_for(triangles.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) setups[i] = set_up(triangles[i], raster);
  });
  const Bins bins = bin(setups, raster);
  const std::size_t size = tile_size * tile_size * raster.samples;
  parallel_for(bins.triangles.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      Tile tile;
      tile.left = static_cast<int>(b) % bins.columns * tile_size;
      tile.top = static_cast<int>(b) / bins.columns * tile_size;
      tile.right = std::min(tile.left + tile_size, raster.width);
      tile.bottom = std::min(tile.top + tile_size, raster.height);
      tile.samples = raster.samples;
      tile.ids.assign(size, no_triangle);
      tile.nearness.resize(size);
      for (const std::uint32_t t : bins.triangles[b]) {
        switch (raster.samples) {
          case 8:
            draw<8>(setups[t], triangles[t], raster, tile);
            break;
          case 4:
            draw<4>(setups[t], triangles[t], raster, tile);
            break;
          default:
            draw<1>(setups[t], triangles[t], raster, tile);
            break;
        }
      }
      raster.use(tile);
    }
  });
}

}  // namespace sinew::draw
