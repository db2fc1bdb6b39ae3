// SPDX-License-Identifier: Apache-2.0
// Dense double-precision building blocks of the sparse factorisation, for what the CPU has.
#pragma once

#include <cstddef>

namespace sinew::detail {

// Every element is a sum taken in the order of its index, so that machines with fused
// multiply-add agree to the bit whatever the width of their vectors.

// A panel is `height` x `width`, column by column with stride `height`, of which the part on and
// below the diagonal counts. Factors its top square (L L^T) and solves for the rows below. Returns
// the column whose pivot was not above `least` times what it was at first, or `width`.
std::size_t factor_panel(double* panel, std::size_t height, std::size_t width, double least);

// C -= A A^T on and below the diagonal: C is n x n, stride n; A is n x k, stride `a_stride`.
void subtract_square(double* c, std::size_t n, const double* a, std::size_t a_stride,
                     std::size_t k);

// Right-hand sides stand side by side: element i of side j at [i * sides + j]; `sides` is a
// multiple of this.
inline constexpr std::size_t side_group = 8;

// With a panel as factored: x (its `width` rows) becomes L^-1 x, and `below` (the rest) L_below x.
void solve_forward(const double* panel, std::size_t height, std::size_t width, std::size_t sides,
                   double* x, double* below);
// x becomes L^-T (x - L_below^T below).
void solve_backward(const double* panel, std::size_t height, std::size_t width, std::size_t sides,
                    double* x, const double* below);

}  // namespace sinew::detail
