// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/active_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/weights/detail/numbers.h"

namespace sinew::detail {
namespace {

// Unknowns that start no farther than this from a bound are held there. Where a weight has decayed
// it continues in ever smaller oscillations, which would keep nearly all unknowns free.
constexpr double negligible = 1e-6;
// A held unknown is released if, on its own, it would move by more than this. Together they move
// about a hundred times as far.
constexpr double least_move = 1e-7;
// Violations of bounds up to this are rounding.
constexpr double least_outside = 1e-12;
// The last steps release oscillations too small to matter, ring after ring.
constexpr double least_change = 1e-5;

// After as many steps without a smaller gap it cycles.
constexpr std::size_t most_stalled = 8;

enum class Held : char { no, low, high };

}  // namespace

ActiveSet::ActiveSet(const SymmetricMatrix& energy, const EliminationOrder& order)
    : energy_(energy), order_(order), whole_(energy) {}

std::size_t ActiveSet::improve(std::span<const double> linear, std::size_t steps,
                               const Enough& enough, ActiveSetColumn& column) const {
  const std::size_t n = at(energy_.size);
  std::vector<Held> held(n, Held::no);
  for (std::size_t i = 0; i < n; ++i) {
    if (column.x[i] <= negligible) held[i] = Held::low;
    if (column.x[i] >= 1 - negligible) held[i] = Held::high;
  }
  std::vector<double> x(n), slope(n), correction(n), last = column.x;
  std::vector<int> place(n);
  double least_gap = std::numeric_limits<double>::infinity();
  std::size_t stalled = 0;
  SymmetricMatrix free_energy;
  std::vector<int> unknowns;
  std::vector<double> side;
  for (std::size_t step = 0; step < steps; ++step) {
    unknowns.clear();
    for (std::size_t i = 0; i < n; ++i) {
      place[i] = none;
      x[i] = held[i] == Held::high ? 1 : 0;
      slope[i] = -linear[i];
      if (held[i] != Held::no) continue;
      place[i] = static_cast<int>(unknowns.size());
      unknowns.push_back(static_cast<int>(i));
    }
    free_energy.size = static_cast<int>(unknowns.size());
    free_energy.starts.resize(1);
    free_energy.rows.clear();
    free_energy.values.clear();
    for (const int c : unknowns) {
      for (std::size_t k = energy_.starts[c]; k < energy_.starts[at(c) + 1]; ++k) {
        const int r = place[energy_.rows[k]];
        if (r == none) continue;
        free_energy.rows.push_back(r);
        free_energy.values.push_back(energy_.values[k]);
      }
      free_energy.starts.push_back(free_energy.rows.size());
    }
    whole_.add_product(x, slope);
    side.resize(unknowns.size());
    for (std::size_t k = 0; k < side.size(); ++k) side[k] = -slope[unknowns[k]];
    if (!side.empty()) SparseCholesky(free_energy, order_.part(unknowns)).solve(side, 1);
    std::fill(correction.begin(), correction.end(), 0.0);
    for (std::size_t k = 0; k < side.size(); ++k) correction[unknowns[k]] = side[k];
    whole_.add_product(correction, slope);
    bool changed = false;
    double largest_change = 0;
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += correction[i];
      correction[i] = 0;
      const double move = slope[i] / energy_.values[energy_.starts[i]];
      Held now = held[i];
      if (held[i] != Held::no) {
        if (held[i] == Held::low ? move < -least_move : move > least_move) now = Held::no;
      } else if (x[i] < 0 || x[i] > 1) {
        const double inside = x[i] < 0 ? 0.0 : 1.0;
        correction[i] = inside - x[i];
        x[i] = inside;
        if (std::abs(correction[i]) > least_outside) now = inside == 0 ? Held::low : Held::high;
      }
      changed = changed || now != held[i];
      largest_change = std::max(largest_change, std::abs(x[i] - last[i]));
      last[i] = x[i];
      held[i] = now;
    }
    whole_.add_product(correction, slope);
    // The gradient at x serves as multipliers: with these, x minimises the Lagrangian.
    double objective = 0, gap = 0;
    for (std::size_t i = 0; i < n; ++i) {
      objective += 0.5 * x[i] * (slope[i] - linear[i]);
      gap += slope[i] > 0 ? slope[i] * x[i] : -slope[i] * (1 - x[i]);
    }
    if (objective < column.objective) {
      const bool known = column.gap < std::numeric_limits<double>::infinity();
      column.gap = known ? std::min(column.gap - (column.objective - objective), gap) : gap;
      column.objective = objective;
      column.x = x;
    }
    stalled = gap < least_gap ? 0 : stalled + 1;
    least_gap = std::min(least_gap, gap);
    if (!changed || largest_change < least_change || enough(column.objective, column.gap) ||
        stalled == most_stalled) {
      return step + 1;
    }
  }
  return steps;
}

}  // namespace sinew::detail
