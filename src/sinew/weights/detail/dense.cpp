// SPDX-License-Identifier: Apache-2.0
// clang-format off: what to build for must be said before Highway's headers.
#include "sinew/core/internal/vector_targets.h"
// clang-format on

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/weights/detail/dense.cpp"
#include <algorithm>
#include <cmath>
#include <vector>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "sinew/weights/detail/dense.h"
#include "sinew/weights/detail/doubles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::detail::HWY_NAMESPACE {

// A number of lanes that divides a group of right-hand sides.
using D = hn::CappedTag<double, side_group>;
using V = hn::Vec<D>;

HWY_INLINE std::size_t lanes() { return hn::Lanes(D()); }

// Rows of a tile, and how many columns it has: what fits into the registers.
constexpr std::size_t tile_vectors = 3;
constexpr std::size_t tile_columns = hn::MaxLanes(D());

// Packs n rows of A into strips of as many rows as a tile has, k columns of a strip one after the
// other, zeros below the last row.
void pack(const double* a, std::size_t a_stride, std::size_t n, std::size_t k,
          std::vector<double>& packed) {
  const std::size_t strip = tile_vectors * lanes();
  const std::size_t strips = (n + strip - 1) / strip;
  packed.resize(strips * strip * k);
  for (std::size_t s = 0; s < strips; ++s) {
    double* out = packed.data() + s * strip * k;
    const std::size_t rows = std::min(strip, n - s * strip);
    for (std::size_t j = 0; j < k; ++j) {
      const double* in = a + s * strip + j * a_stride;
      std::copy_n(in, rows, out + j * strip);
      std::fill(out + j * strip + rows, out + (j + 1) * strip, 0.0);
    }
  }
}

// The product of a strip with some rows of another: tile[j][i] for row i of the first.
HWY_INLINE void multiply_strips(const double* HWY_RESTRICT rows, const double* HWY_RESTRICT columns,
                                std::size_t k, std::size_t strip,
                                V (&sums)[tile_columns][tile_vectors]) {
  const D d;
  for (auto& column : sums) {
    for (V& sum : column) sum = hn::Zero(d);
  }
  for (std::size_t step = 0; step < k; ++step) {
    const V first = hn::LoadU(d, rows);
    const V second = hn::LoadU(d, rows + lanes());
    const V third = hn::LoadU(d, rows + 2 * lanes());
    HWY_UNROLL(8)
    for (std::size_t j = 0; j < tile_columns; ++j) {
      const V factor = hn::Set(d, columns[j]);
      sums[j][0] = hn::MulAdd(factor, first, sums[j][0]);
      sums[j][1] = hn::MulAdd(factor, second, sums[j][1]);
      sums[j][2] = hn::MulAdd(factor, third, sums[j][2]);
    }
    rows += strip;
    columns += strip;
  }
}

// C -= A A_top^T where it is on or below the diagonal: C is n x columns, A has n rows, packed.
void subtract_trapezoid(double* c, std::size_t c_stride, std::size_t n, std::size_t columns,
                        std::size_t k, const std::vector<double>& packed) {
  const D d;
  const std::size_t strip = tile_vectors * lanes();
  for (std::size_t i = 0; i < n; i += strip) {
    const double* rows = packed.data() + i * k;
    const std::size_t last = std::min(columns, i + strip);
    for (std::size_t j = 0; j < last; j += tile_columns) {
      V sums[tile_columns][tile_vectors];
      multiply_strips(rows, packed.data() + (j / strip) * strip * k + j % strip, k, strip, sums);
      if (j + tile_columns <= columns && i + strip <= n && j + tile_columns <= i + 1) {
        for (std::size_t q = 0; q < tile_columns; ++q) {
          double* out = c + i + (j + q) * c_stride;
          for (std::size_t v = 0; v < tile_vectors; ++v) {
            hn::StoreU(hn::Sub(hn::LoadU(d, out + v * lanes()), sums[q][v]), d, out + v * lanes());
          }
        }
        continue;
      }
      HWY_ALIGN double tile[tile_columns * tile_vectors * hn::MaxLanes(D())];
      for (std::size_t q = 0; q < tile_columns; ++q) {
        for (std::size_t v = 0; v < tile_vectors; ++v) {
          hn::StoreU(sums[q][v], d, tile + q * strip + v * lanes());
        }
      }
      for (std::size_t q = 0; q < tile_columns && j + q < columns; ++q) {
        for (std::size_t r = j + q > i ? j + q - i : 0; r < strip && i + r < n; ++r) {
          c[i + r + (j + q) * c_stride] -= tile[q * strip + r];
        }
      }
    }
  }
}

// Rows of a panel's block below its square: X L^T = B, in place.
HWY_INLINE void solve_rows(const double* square, std::size_t stride, std::size_t width, double* x,
                           std::size_t rows) {
  const D d;
  std::size_t r = 0;
  for (; r + lanes() <= rows; r += lanes()) {
    for (std::size_t j = 0; j < width; ++j) {
      V sum = hn::LoadU(d, x + r + j * stride);
      for (std::size_t k = 0; k < j; ++k) {
        sum = hn::NegMulAdd(hn::Set(d, square[j + k * stride]), hn::LoadU(d, x + r + k * stride),
                            sum);
      }
      hn::StoreU(hn::Div(sum, hn::Set(d, square[j + j * stride])), d, x + r + j * stride);
    }
  }
  const hn::CappedTag<double, 1> one;
  for (; r < rows; ++r) {
    for (std::size_t j = 0; j < width; ++j) {
      auto sum = hn::LoadU(one, x + r + j * stride);
      for (std::size_t k = 0; k < j; ++k) {
        sum = hn::NegMulAdd(hn::Set(one, square[j + k * stride]),
                            hn::LoadU(one, x + r + k * stride), sum);
      }
      hn::StoreU(hn::Div(sum, hn::Set(one, square[j + j * stride])), one, x + r + j * stride);
    }
  }
}

// The square itself, on and below the diagonal.
std::size_t factor_square(double* square, std::size_t stride, std::size_t width,
                          const double* least) {
  for (std::size_t j = 0; j < width; ++j) {
    double* column = square + j * stride;
    for (std::size_t k = 0; k < j; ++k) {
      const double* before = square + k * stride;
      const double factor = before[j];
      for (std::size_t i = j; i < width; ++i) column[i] -= factor * before[i];
    }
    if (!(column[j] > least[j])) return j;
    const double root = std::sqrt(column[j]);
    column[j] = root;
    for (std::size_t i = j + 1; i < width; ++i) column[i] /= root;
  }
  return width;
}

std::size_t factor(double* panel, std::size_t height, std::size_t width, double least) {
  constexpr std::size_t block = 48;
  std::vector<double> limits(width), packed;
  for (std::size_t j = 0; j < width; ++j) limits[j] = least * panel[j + j * height];
  for (std::size_t j = 0; j < width; j += block) {
    const std::size_t columns = std::min(block, width - j);
    double* square = panel + j + j * height;
    const std::size_t good = factor_square(square, height, columns, limits.data() + j);
    if (good < columns) return j + good;
    const std::size_t rows = height - j - columns;
    solve_rows(square, height, columns, square + columns, rows);
    if (j + columns == width || rows == 0) continue;
    pack(square + columns, height, rows, columns, packed);
    subtract_trapezoid(square + columns + columns * height, height, rows, width - j - columns,
                       columns, packed);
  }
  return width;
}

void subtract(double* c, std::size_t n, const double* a, std::size_t a_stride, std::size_t k) {
  constexpr std::size_t block = 96;
  std::vector<double> packed;
  for (std::size_t j = 0; j < k; j += block) {
    const std::size_t columns = std::min(block, k - j);
    pack(a + j * a_stride, a_stride, n, columns, packed);
    subtract_trapezoid(c, n, n, n, columns, packed);
  }
}

// out = A x (or out -= A x) for `rows` rows of A, whose element i, k stands at
// [i * row_step + k * column_step], and some sides; rows of x and of out lie `x_step` and
// `out_step` apart.
template <bool subtracting, std::size_t rows, std::size_t vectors>
HWY_INLINE void multiply_tile(const double* HWY_RESTRICT a, std::size_t row_step,
                              std::size_t column_step, std::size_t k, const double* HWY_RESTRICT x,
                              std::size_t x_step, double* HWY_RESTRICT out, std::size_t out_step) {
  const D d;
  V sums[rows][vectors];
  for (auto& row : sums) {
    for (V& sum : row) sum = hn::Zero(d);
  }
  for (std::size_t step = 0; step < k; ++step) {
    V values[vectors];
    for (std::size_t v = 0; v < vectors; ++v) values[v] = hn::LoadU(d, x + v * lanes());
    HWY_UNROLL(8)
    for (std::size_t i = 0; i < rows; ++i) {
      const V factor = hn::Set(d, a[i * row_step]);
      for (std::size_t v = 0; v < vectors; ++v) {
        sums[i][v] = hn::MulAdd(factor, values[v], sums[i][v]);
      }
    }
    a += column_step;
    x += x_step;
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t v = 0; v < vectors; ++v) {
      double* to = out + i * out_step + v * lanes();
      V sum = sums[i][v];
      if constexpr (subtracting) sum = hn::Sub(hn::LoadU(d, to), sum);
      hn::StoreU(sum, d, to);
    }
  }
}

template <bool subtracting>
void multiply_sides(const double* a, std::size_t row_step, std::size_t column_step,
                    std::size_t rows, std::size_t k, std::size_t sides, const double* x,
                    std::size_t x_step, double* out, std::size_t out_step) {
  constexpr std::size_t many = tile_columns >= 8 ? 8 : 4;
  const auto run = [&](auto vectors, std::size_t side) HWY_ATTR {
    constexpr std::size_t n = decltype(vectors)::value;
    std::size_t i = 0;
    for (; i + many <= rows; i += many) {
      multiply_tile<subtracting, many, n>(a + i * row_step, row_step, column_step, k, x + side,
                                          x_step, out + i * out_step + side, out_step);
    }
    for (; i < rows; ++i) {
      multiply_tile<subtracting, 1, n>(a + i * row_step, row_step, column_step, k, x + side, x_step,
                                       out + i * out_step + side, out_step);
    }
  };
  std::size_t side = 0;
  for (; side + 3 * lanes() <= sides; side += 3 * lanes()) {
    run(std::integral_constant<std::size_t, 3>(), side);
  }
  for (; side + 2 * lanes() <= sides; side += 2 * lanes()) {
    run(std::integral_constant<std::size_t, 2>(), side);
  }
  for (; side < sides; side += lanes()) run(std::integral_constant<std::size_t, 1>(), side);
}

constexpr std::size_t triangle_block = 16;

void forward(const double* panel, std::size_t height, std::size_t width, std::size_t sides,
             double* x, std::size_t step, double* below) {
  const D d;
  for (std::size_t start = 0; start < width; start += triangle_block) {
    const std::size_t end = std::min(width, start + triangle_block);
    for (std::size_t j = start; j < end; ++j) {
      const double* column = panel + j * height;
      const V root = hn::Set(d, column[j]);
      for (std::size_t side = 0; side < sides; side += lanes()) {
        const V value = hn::Div(hn::LoadU(d, x + j * step + side), root);
        hn::StoreU(value, d, x + j * step + side);
        for (std::size_t i = j + 1; i < end; ++i) {
          double* row = x + i * step + side;
          hn::StoreU(hn::NegMulAdd(hn::Set(d, column[i]), value, hn::LoadU(d, row)), d, row);
        }
      }
    }
    multiply_sides<true>(panel + end + start * height, 1, height, width - end, end - start, sides,
                         x + start * step, step, x + end * step, step);
  }
  multiply_sides<false>(panel + width, 1, height, height - width, width, sides, x, step, below,
                        sides);
}

void backward(const double* panel, std::size_t height, std::size_t width, std::size_t sides,
              double* x, std::size_t step, const double* below) {
  const D d;
  if (height > width) {
    multiply_sides<true>(panel + width, height, 1, width, height - width, sides, below, sides, x,
                         step);
  }
  for (std::size_t start = (width - 1) / triangle_block * triangle_block;;
       start -= triangle_block) {
    const std::size_t end = std::min(width, start + triangle_block);
    if (end < width) {
      multiply_sides<true>(panel + end + start * height, height, 1, end - start, width - end, sides,
                           x + end * step, step, x + start * step, step);
    }
    for (std::size_t j = end; j-- > start;) {
      const double* column = panel + j * height;
      const V root = hn::Set(d, column[j]);
      for (std::size_t side = 0; side < sides; side += lanes()) {
        V value = hn::LoadU(d, x + j * step + side);
        for (std::size_t i = j + 1; i < end; ++i) {
          value = hn::NegMulAdd(hn::Set(d, column[i]), hn::LoadU(d, x + i * step + side), value);
        }
        hn::StoreU(hn::Div(value, root), d, x + j * step + side);
      }
    }
    if (start == 0) break;
  }
}

}  // namespace sinew::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::detail {

HWY_EXPORT(factor);
HWY_EXPORT(subtract);
HWY_EXPORT(forward);
HWY_EXPORT(backward);

std::size_t factor_panel(double* panel, std::size_t height, std::size_t width, double least) {
  return HWY_DYNAMIC_DISPATCH(factor)(panel, height, width, least);
}

void subtract_square(double* c, std::size_t n, const double* a, std::size_t a_stride,
                     std::size_t k) {
  HWY_DYNAMIC_DISPATCH(subtract)(c, n, a, a_stride, k);
}

void solve_forward(const double* panel, std::size_t height, std::size_t width, std::size_t sides,
                   double* x, std::size_t step, double* below) {
  HWY_DYNAMIC_DISPATCH(forward)(panel, height, width, sides, x, step, below);
}

void solve_backward(const double* panel, std::size_t height, std::size_t width, std::size_t sides,
                    double* x, std::size_t step, const double* below) {
  HWY_DYNAMIC_DISPATCH(backward)(panel, height, width, sides, x, step, below);
}

}  // namespace sinew::detail
#endif
