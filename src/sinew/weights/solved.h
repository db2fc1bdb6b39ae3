// SPDX-License-Identifier: Apache-2.0
// Results of methods that solve equations, with notes on how the solve went.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/skin/weights.h"

namespace sinew {

// How a solve went. Whatever did not converge or had to be repaired appears in the report
// (weights/report.h).
struct SolveNotes {
  bool converged = true;
  double residual = 0;  // relative residual of the equations; for BBW, the duality gap
  // BBW: w^T Q w of all columns together (twice what is minimised), springs along bones included,
  // before weights are scaled to sum 1. 0 for other methods.
  double objective = 0;
  std::size_t unknowns = 0;
  std::size_t iterations = 0;  // 0 for direct solvers
  // BBW: vertices in parts without a bone, with one nearer than any skin to take weights from.
  std::size_t adrift = 0;
  std::vector<std::string> repairs;  // irregularities and how they were handled, one sentence each
};

// Weights with every vertex covered and rows summing to 1.
struct SolvedWeights {
  Weights weights;
  SolveNotes notes;
};

// Endpoint weights in [0, 1], one for each influence of the bone weights that they belong to.
struct SolvedEndpoints {
  std::vector<double> endpoints;
  SolveNotes notes;
};

}  // namespace sinew
