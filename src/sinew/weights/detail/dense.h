// SPDX-License-Identifier: Apache-2.0
// Dense double-precision kernels of the sparse factorisation, using the CPU's vector instructions.
#pragma once

#include <cstddef>

namespace sinew::detail {

// Every element is summed in index order, so all machines with fused multiply-add give the same
// bits whatever their vector width.

// A panel is `height` x `width`, column-major with stride `height`; only the part on and below the
// diagonal is used. Factors its top square (L L^T) and solves for the rows below. Returns the first
// column whose pivot is not above `least` times its original value, or `width` on success.
std::size_t factor_panel(double* panel, std::size_t height, std::size_t width, double least);

// C -= A A^T on and below the diagonal: C is n x n, stride n; A is n x k, stride `a_stride`.
void subtract_square(double* c, std::size_t n, const double* a, std::size_t a_stride,
                     std::size_t k);

// Right-hand sides are interleaved: element i of side j is at [i * step + j] of x, and at
// [i * sides + j] of `below`. `sides` must be a multiple of this.
inline constexpr std::size_t side_group = 8;

// With a factored panel: x (its `width` rows) becomes L^-1 x, and `below` (the other rows) L_below
// x.
void solve_forward(const double* panel, std::size_t height, std::size_t width, std::size_t sides,
                   double* x, std::size_t step, double* below);
// x becomes L^-T (x - L_below^T below).
void solve_backward(const double* panel, std::size_t height, std::size_t width, std::size_t sides,
                    double* x, std::size_t step, const double* below);

}  // namespace sinew::detail
