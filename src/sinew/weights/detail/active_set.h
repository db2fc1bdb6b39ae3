// SPDX-License-Identifier: Apache-2.0
// The last part of a quadratic program with bounds, once it is known which of them hold, nearly.
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
  double gap = 0;  // no more than this could still be gained
};

// The primal-dual active set method (Hintermueller, Ito and Kunisch 2002): some unknowns are held
// at their bounds, the energy is least in the others, and who is held changes: what left its
// bounds is, what its bound pulls at no longer is. From near the solution a few steps lead to it;
// each costs a factor of the free unknowns, which are few where weights are local.
class ActiveSet {
 public:
  // Both have to outlive it.
  ActiveSet(const SymmetricMatrix& energy, std::span<const Vec3> points);

  // Improves the column until a step changes no more of who is held, or nothing in x by more than
  // 1e-5, in so many steps at most. It never gets worse: of all steps, each clamped, the one with
  // the least objective is kept.
  void improve(std::span<const double> linear, std::size_t steps, ActiveSetColumn& column) const;

 private:
  const SymmetricMatrix& energy_;
  std::span<const Vec3> points_;
  WholeMatrix whole_;
};

}  // namespace sinew::detail
