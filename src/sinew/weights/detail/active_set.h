// SPDX-License-Identifier: Apache-2.0
// Quadratic programs with bounds, solved by guessing which bounds are active.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "sinew/weights/detail/sparse_cholesky.h"
#include "sinew/weights/detail/whole_matrix.h"

namespace sinew::detail {

// An x in [0, 1]^n for x^T H x / 2 - b^T x.
struct ActiveSetColumn {
  std::vector<double> x;
  double objective = 0;
  double gap = 0;  // the objective is at most this far above the minimum; infinity: not known
};

// The primal-dual active set method (Hintermueller, Ito and Kunisch 2002): some unknowns (the
// active set) are held at their bounds and the energy is minimised over the others. Then unknowns
// outside their bounds join the active set, and those whose multiplier has the wrong sign leave it.
// Three to twenty steps suffice; each costs a factorisation over the free unknowns, which are few
// if weights are local. It may cycle, which is very rare.
class ActiveSet {
 public:
  // Both arguments must outlive the object.
  ActiveSet(const SymmetricMatrix& energy, const EliminationOrder& order);

  // Improves the column until the active set no longer changes, no x changes by more than 1e-5, or
  // enough(objective, gap) says so; in at most `steps` steps, and no longer than it helps. The
  // objective never increases: every iterate is clamped to the bounds and the best one is kept.
  // Returns the number of steps.
  using Enough = std::function<bool(double objective, double gap)>;
  std::size_t improve(std::span<const double> linear, std::size_t steps, const Enough& enough,
                      ActiveSetColumn& column) const;

 private:
  const SymmetricMatrix& energy_;
  const EliminationOrder& order_;
  WholeMatrix whole_;
};

}  // namespace sinew::detail
