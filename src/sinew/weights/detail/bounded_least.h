// SPDX-License-Identifier: Apache-2.0
// Solves quadratic programs with bounds, as bounded biharmonic weights require.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/core/vec.h"
#include "sinew/weights/detail/sparse_cholesky.h"

namespace sinew::detail {

// For each of `count` columns: minimise x^T H x / 2 - b^T x + constant over x in [0, 1]^n.
struct BoundedProblem {
  SymmetricMatrix energy;                 // H, positive definite
  std::vector<Vec3> points;               // where the unknowns lie
  std::optional<EliminationOrder> order;  // of the unknowns; found from their points if not given
  std::size_t count = 0;                  // columns
  std::vector<double> linear;             // b, element v of column j at [v * count + j]
  std::vector<double> constants;          // one per column, so that no objective is negative
};

struct BoundedSolution {
  std::vector<double> x;  // laid out like `linear`; exactly within the bounds
  double objective = 0;   // of all columns together
  double gap = 0;  // relative duality gap (see BoundedOptions): how far it may be above the minimum
  std::size_t iterations = 0;  // of the slowest column: steps of either method
};

struct BoundedOptions {
  std::size_t iterations = 200;  // at most, of either method
  double tolerance = 1e-4;       // of the gap
  // The gap is relative to the column's objective, or to this if the objective is smaller: a gap
  // relative to an objective near 0 could never be reached.
  double least_objective = 0;
  // Maximum number of steps of the active-set method per column. 0: it is not used.
  std::size_t active_set_steps = 60;
  // Whether the active-set method goes on until it has settled, or ends within the tolerance.
  bool settle = true;
};

// The active-set method, column by column, from the clamped unconstrained minimum. For columns
// where it does not get within the tolerance: Douglas-Rachford splitting (ADMM in one variable)
// with one factorisation for all of them and Anderson acceleration (1965), which always converges,
// until the gap is within the tolerance; then the active-set method from there. To give that a good
// start, the splitting first continues to a gap of 1e-4, with at most half as many iterations
// again. Each iterate comes with a dual point, so the gap is a proven bound and not an estimate.
BoundedSolution solve_bounded(const BoundedProblem& problem, const BoundedOptions& options,
                              const Progress& progress);

}  // namespace sinew::detail
