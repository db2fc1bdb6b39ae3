// SPDX-License-Identifier: Apache-2.0
// Final phase of solving a quadratic program with bounds, once the active bounds are almost known.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/weights/detail/sparse_cholesky.h"
#include "sinew/weights/detail/whole_matrix.h"

namespace sinew::detail {

// An x in [0, 1]^n for x^T H x / 2 - b^T x.
struct ActiveSetColumn {
  std::vector<double> x;
  double objective = 0;
  double gap = 0;  // the objective is at most this far above the minimum
};

// The primal-dual active set method (Hintermueller, Ito and Kunisch 2002): some unknowns (the
// active set) are held at their bounds and the energy is minimised over the others. Then unknowns
// outside their bounds join the active set, and those whose multiplier has the wrong sign leave it.
// Starting near the solution, a few steps suffice; each costs a factorisation over the free
// unknowns, which are few if weights are local.
class ActiveSet {
 public:
  // Both arguments must outlive the object.
  ActiveSet(const SymmetricMatrix& energy, std::span<const Vec3> points);

  // Improves the column until the active set no longer changes or no x changes by more than 1e-5,
  // in at most `steps` steps. The objective never increases: every iterate is clamped to the bounds
  // and the best one is kept.
  void improve(std::span<const double> linear, std::size_t steps, ActiveSetColumn& column) const;

 private:
  const SymmetricMatrix& energy_;
  std::span<const Vec3> points_;
  WholeMatrix whole_;
};

}  // namespace sinew::detail
