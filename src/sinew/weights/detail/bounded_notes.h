// SPDX-License-Identifier: Apache-2.0
// Summarises in a method's notes the quadratic programs it solved.
#pragma once

#include <algorithm>

#include "sinew/weights/detail/bounded_least.h"
#include "sinew/weights/solved.h"

namespace sinew::detail {

// Adds one solution; it has converged if its gap is at most `gap`.
inline void add_to_notes(SolveNotes& notes, const BoundedSolution& solution, std::size_t unknowns,
                         double gap) {
  notes.unknowns += unknowns;
  notes.iterations = std::max(notes.iterations, solution.iterations);
  notes.residual = std::max(notes.residual, solution.gap);
  notes.objective += 2 * solution.objective;
  if (solution.gap > gap) notes.converged = false;
}

}  // namespace sinew::detail
