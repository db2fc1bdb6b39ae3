// SPDX-License-Identifier: Apache-2.0
// Quadratic programs with bounds: what bounded biharmonic weights are the solutions of.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/core/vec.h"
#include "sinew/weights/detail/sparse_cholesky.h"

namespace sinew::detail {

// For each of `count` columns: the x in [0, 1]^n with the least x^T H x / 2 - b^T x + constant.
struct BoundedProblem {
  SymmetricMatrix energy;         // H, positive definite
  std::vector<Vec3> points;       // where the unknowns lie
  std::size_t count = 0;          // columns
  std::vector<double> linear;     // b, element v of column j at [v * count + j]
  std::vector<double> constants;  // one per column, so that no objective is negative
};

struct BoundedSolution {
  std::vector<double> x;  // as `linear`, within the bounds exactly
  double objective = 0;   // of all columns together
  double gap = 0;  // no more than this share of it (see BoundedOptions) could still be gained
  std::size_t iterations = 0;  // of the column that took most
};

struct BoundedOptions {
  std::size_t iterations = 200;
  double tolerance = 1e-4;  // of the gap
  // The gap is a share of a column's objective, or of this where the objective is less: one that
  // vanishes could never be reached.
  double least_objective = 0;
  // The most that the active set may take for each column, once its gap is within the tolerance. It
  // ends when it has converged, mostly after three or four. 0: no active set.
  std::size_t active_set_steps = 40;
};

// The splitting of Douglas and Rachford 1956 (ADMM in one variable) with one factor for all
// columns, accelerated as by Anderson 1965, until the gap is within the tolerance; then the active
// set, column by column. For its sake the splitting first goes on to a gap of 1e-4, by half as many
// iterations again at the most. Each iterate comes with a point of the dual problem, so that the
// gap is a bound, not a guess.
BoundedSolution solve_bounded(const BoundedProblem& problem, const BoundedOptions& options,
                              const Progress& progress);

}  // namespace sinew::detail
