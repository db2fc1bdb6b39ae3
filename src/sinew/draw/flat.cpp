// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/flat.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/math.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

// Red, green and blue times alpha, and alpha: all from 0 to 255.
struct Premultiplied {
  std::array<float, 4> v{};

  void add(const Pixel& p, float share) {
    const float alpha = share * static_cast<float>(p.a);
    const float weight = alpha * (1.0F / 255);
    v[0] += weight * static_cast<float>(p.r);
    v[1] += weight * static_cast<float>(p.g);
    v[2] += weight * static_cast<float>(p.b);
    v[3] += alpha;
  }
  void lay_over(const Premultiplied& top) {
    const float left = 1 - top.v[3] * (1.0F / 255);
    for (std::size_t i = 0; i < 4; ++i) v[i] = v[i] * left + top.v[i];
  }
  Pixel straight() const {
    const float factor = v[3] > 0 ? 255 / v[3] : 0;
    const auto byte = [](float x) {
      return static_cast<std::uint8_t>(std::clamp(x + 0.5F, 0.0F, 255.0F));
    };
    return {byte(v[0] * factor), byte(v[1] * factor), byte(v[2] * factor), byte(v[3])};
  }
};

Image halved(const Image& image) {
  const int width = (image.width() + 1) / 2, height = (image.height() + 1) / 2;
  Image half(width, height);
  parallel_for(static_cast<std::size_t>(height), 16, [&](std::size_t begin, std::size_t end) {
    for (auto y = static_cast<int>(begin); y < static_cast<int>(end); ++y) {
      for (int x = 0; x < width; ++x) {
        Premultiplied sum;
        for (int j = 2 * y; j < std::min(2 * y + 2, image.height()); ++j) {
          for (int i = 2 * x; i < std::min(2 * x + 2, image.width()); ++i) {
            sum.add(image.at(i, j), 0.25F);
          }
        }
        half.at(x, y) = sum.straight();
      }
    }
  });
  return half;
}

// Between the four pixels around a place.
void add_bilinear(Premultiplied& sum, const Image& image, float x, float y, float share) {
  const float left = std::floor(x - 0.5F), top = std::floor(y - 0.5F);
  const float fx = x - 0.5F - left, fy = y - 0.5F - top;
  const int i = static_cast<int>(left), j = static_cast<int>(top);
  if (i < -1 || j < -1 || i >= image.width() || j >= image.height()) return;
  const bool inside = i >= 0 && j >= 0 && i + 1 < image.width() && j + 1 < image.height();
  const std::array<float, 4> shares{(1 - fx) * (1 - fy) * share, fx * (1 - fy) * share,
                                    (1 - fx) * fy * share, fx * fy * share};
  for (int k = 0; k < 4; ++k) {
    const int u = i + k % 2, v = j + k / 2;
    if (inside || (u >= 0 && v >= 0 && u < image.width() && v < image.height())) {
      sum.add(image.at(u, v), shares[k]);
    }
  }
}

// How the texture is read within one triangle: a place in it for each pixel of the view, and two
// levels to mix.
struct Reader {
  const Image *fine = nullptr, *coarse = nullptr;
  float coarse_share = 0;
  float fine_scale = 1, coarse_scale = 1;
  Vec2 origin, right, down;  // the place of pixel (0, 0)'s centre, and the steps from it

  Premultiplied at(int x, int y) const {
    const auto u = static_cast<float>(origin.x + right.x * x + down.x * y);
    const auto v = static_cast<float>(origin.y + right.y * x + down.y * y);
    Premultiplied sum;
    add_bilinear(sum, *fine, u * fine_scale, v * fine_scale, 1 - coarse_share);
    if (coarse_share > 0) {
      add_bilinear(sum, *coarse, u * coarse_scale, v * coarse_scale, coarse_share);
    }
    return sum;
  }
};

void choose_levels(Reader& reader, const FlatTexture& texture) {
  const auto levels = texture.levels();
  const double texels = std::abs(reader.right.x * reader.down.y - reader.right.y * reader.down.x);
  const double last = static_cast<double>(levels.size() - 1);
  const double level = std::clamp(0.5 * math::log2(std::max(texels, 1e-30)), 0.0, last);
  const auto fine = static_cast<std::size_t>(level);
  const std::size_t coarse = std::min(fine + 1, levels.size() - 1);
  reader.fine = &levels[fine];
  reader.coarse = &levels[coarse];
  reader.coarse_share = coarse == fine ? 0 : static_cast<float>(level - static_cast<double>(fine));
  reader.fine_scale = std::ldexp(1.0F, -static_cast<int>(fine));
  reader.coarse_scale = std::ldexp(1.0F, -static_cast<int>(coarse));
}

struct FlatTriangle {
  std::array<Vec2, 3> corners;  // in pixels of the view, from the top down
  Reader reader;
};

// Rows or columns whose centres lie in [from, to), within [0, limit).
std::pair<int, int> centers_between(double from, double to, int limit) {
  const auto first = [&](double x) {
    return static_cast<int>(std::clamp(std::ceil(x - 0.5), 0.0, static_cast<double>(limit)));
  };
  return {first(from), first(to)};
}

bool above(const Vec2& a, const Vec2& b) { return std::pair(a.y, a.x) < std::pair(b.y, b.x); }

// Where an edge crosses a row. `a` is above `b`, so that both triangles of the edge get the same.
double crossing(const Vec2& a, const Vec2& b, double y) {
  return a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y));
}

std::vector<FlatTriangle> prepare(const FlatTexture& texture, std::span<const Vec2> places,
                                  std::span<const Vec3> positions,
                                  std::span<const Triangle> triangles, const FlatView& view) {
  std::vector<FlatTriangle> prepared;
  prepared.reserve(triangles.size());
  for (const Triangle& triangle : triangles) {
    FlatTriangle result;
    std::array<Vec2, 3> p, t;
    for (std::size_t i = 0; i < 3; ++i) {
      p[i] = to_pixels(view, positions[triangle[i]]);
      t[i] = places[triangle[i]];
    }
    const Vec2 a = p[1] - p[0], b = p[2] - p[0], s = t[1] - t[0], r = t[2] - t[0];
    const double area = a.x * b.y - a.y * b.x;
    if (!std::isfinite(1 / area)) continue;
    result.reader.right = (s * b.y - r * a.y) * (1 / area);
    result.reader.down = (r * a.x - s * b.x) * (1 / area);
    result.reader.origin =
        t[0] + result.reader.right * (0.5 - p[0].x) + result.reader.down * (0.5 - p[0].y);
    const double sum = result.reader.origin.x + result.reader.origin.y + result.reader.right.x +
                       result.reader.right.y + result.reader.down.x + result.reader.down.y;
    if (!std::isfinite(sum)) continue;
    choose_levels(result.reader, texture);
    std::sort(p.begin(), p.end(), above);
    result.corners = p;
    prepared.push_back(result);
  }
  return prepared;
}

void check(std::span<const Vec2> places, std::span<const Vec3> positions,
           std::span<const Triangle> triangles, const FlatView& view) {
  check_image_size(view.width, view.height);
  if (places.size() != positions.size()) {
    throw UsageError(
        fmt::format("{} places in the texture for {} positions", places.size(), positions.size()));
  }
  for (const Triangle& triangle : triangles) {
    for (const Index v : triangle) {
      if (v >= positions.size()) throw UsageError(fmt::format("there is no vertex {}", v));
    }
  }
}

}  // namespace

FlatTexture::FlatTexture(Image picture) {
  check_image_size(picture.width(), picture.height());
  levels_.push_back(std::move(picture));
  while (levels_.back().width() > 1 || levels_.back().height() > 1) {
    levels_.push_back(halved(levels_.back()));
  }
}

Image draw_flat(const FlatTexture& texture, std::span<const Vec2> places,
                std::span<const Vec3> positions, std::span<const Triangle> triangles,
                const FlatView& view, Pixel background) {
  check(places, positions, triangles, view);
  const std::vector<FlatTriangle> prepared = prepare(texture, places, positions, triangles, view);
  Image image(view.width, view.height);
  Premultiplied empty;
  empty.add(background, 1);
  // Bands of rows: the order of triangles is kept within each pixel whatever the threads.
  constexpr std::size_t band = 32;
  parallel_for(
      static_cast<std::size_t>(view.height), band, [&](std::size_t begin, std::size_t end) {
        const int top = static_cast<int>(begin), bottom = static_cast<int>(end);
        const std::size_t width = view.width;
        std::vector<Premultiplied> canvas(width * (end - begin), empty);
        for (const FlatTriangle& triangle : prepared) {
          const auto& [a, b, c] = triangle.corners;
          const auto [first, last] = centers_between(a.y, c.y, view.height);
          for (int y = std::max(first, top); y < std::min(last, bottom); ++y) {
            const double center = y + 0.5;
            const double one = crossing(a, c, center);
            const double other = center < b.y ? crossing(a, b, center) : crossing(b, c, center);
            const auto [from, to] =
                centers_between(std::min(one, other), std::max(one, other), view.width);
            Premultiplied* row = &canvas[static_cast<std::size_t>(y - top) * width];
            for (int x = from; x < to; ++x) row[x].lay_over(triangle.reader.at(x, y));
          }
        }
        for (int y = top; y < bottom; ++y) {
          const Premultiplied* row = &canvas[static_cast<std::size_t>(y - top) * width];
          for (int x = 0; x < view.width; ++x) image.at(x, y) = row[x].straight();
        }
      });
  return image;
}

}  // namespace sinew
