// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/bounded_least.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/core/parallel.h"
#include "sinew/weights/detail/active_set.h"
#include "sinew/weights/detail/numbers.h"

namespace sinew::detail {
namespace {

constexpr std::size_t memory = 5;       // steps that the acceleration looks back on
constexpr double relaxation = 1.6;      // of the splitting; below 2
constexpr double step_weight = 0.01;    // of the diagonal: larger is steadier and slower
constexpr std::size_t check_every = 4;  // iterations
constexpr std::size_t patience = 24;    // iterations without progress before it steps plainly
// An objective below this fraction of a column's constant may be rounding: a function that fits all
// prescribed values exactly has no energy, and no gap is below a fraction of 0.
constexpr double rounding = 1e-12;
// The gap to which the splitting continues before the active set, which then takes half as many
// steps; each step costs as much as tens of iterations of the splitting.
constexpr double near_enough = 1e-4;
constexpr std::size_t rows_per_block = 512;
// If more numbers than this are asked for, and no more than the tolerance, splitting is cheaper.
constexpr std::size_t most_direct = 2500;

double clamped(double x) { return x < 0 ? 0.0 : x > 1 ? 1.0 : x; }

// Calls body(first_row, end_row, sums) for blocks of rows and adds up what each leaves in its sums,
// in the order of the blocks.
template <class Body>
std::vector<double> sum_over_rows(std::size_t rows, std::size_t width, Body&& body) {
  const std::size_t blocks = (rows + rows_per_block - 1) / rows_per_block;
  std::vector<double> partial(blocks * width, 0.0);
  parallel_for(rows, rows_per_block, [&](std::size_t begin, std::size_t end) {
    body(begin, end, partial.data() + begin / rows_per_block * width);
  });
  std::vector<double> sums(width, 0.0);
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::size_t k = 0; k < width; ++k) sums[k] += partial[b * width + k];
  }
  return sums;
}

// Keeps some columns of a matrix that is stored row by row.
void keep_columns(std::vector<double>& matrix, std::size_t rows, std::size_t width,
                  const std::vector<std::size_t>& kept) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < kept.size(); ++j) {
      matrix[i * kept.size() + j] = matrix[i * width + kept[j]];
    }
  }
  matrix.resize(rows * kept.size());
}

// Solves the small symmetric system of column `system` for the combination of earlier steps, by
// elimination; a small diagonal term handles linearly dependent steps.
struct Mixing {
  std::array<std::array<double, memory>, memory> products{};
  std::array<double, memory> sides{};

  std::array<double, memory> solve(std::size_t used) const {
    auto a = products;
    auto x = sides;
    double trace = 0;
    for (std::size_t i = 0; i < used; ++i) trace += a[i][i];
    if (!(trace > 0)) return {};
    for (std::size_t i = 0; i < used; ++i) a[i][i] += 1e-10 * trace;
    for (std::size_t i = 0; i < used; ++i) {
      for (std::size_t r = i + 1; r < used; ++r) {
        const double factor = a[r][i] / a[i][i];
        for (std::size_t c = i; c < used; ++c) a[r][c] -= factor * a[i][c];
        x[r] -= factor * x[i];
      }
    }
    for (std::size_t i = used; i-- > 0;) {
      for (std::size_t c = i + 1; c < used; ++c) x[i] -= a[i][c] * x[c];
      x[i] /= a[i][i];
    }
    std::fill(x.begin() + static_cast<std::ptrdiff_t>(used), x.end(), 0.0);
    return x;
  }
};

// The columns that are still being worked on.
class Splitting {
 public:
  Splitting(const BoundedProblem& problem, const EliminationOrder& order, const Progress& progress)
      : problem_(problem),
        rows_(at(problem.energy.size)),
        width_(problem.count),
        step_(rows_),
        factor_(problem.energy, order, progress.part(0, 0.6)),
        b_(problem.linear),
        v_(problem.linear),
        z_(b_.size()),
        x_(b_.size()),
        f_(b_.size()),
        g_(b_.size()),
        columns_(width_),
        mixing_(width_),
        history_(width_, 0),
        stalled_(width_, 0),
        converged_after_(width_, 0),
        least_residual_(width_, std::numeric_limits<double>::infinity()),
        objective_(width_, std::numeric_limits<double>::infinity()),
        bound_(width_, -std::numeric_limits<double>::infinity()),
        left_(width_) {
    std::iota(columns_.begin(), columns_.end(), std::size_t{0});
    // Starts from the clamped unconstrained minimum: nothing else was found to converge as
    // reliably.
    factor_.solve(v_, width_);
    for (double& value : v_) value = clamped(value);
    solution_ = v_;
    SymmetricMatrix damped = problem.energy;
    for (std::size_t i = 0; i < rows_; ++i) {
      double& diagonal = damped.values[damped.starts[i]];
      step_[i] = step_weight * diagonal;
      diagonal += step_[i];
    }
    factor_.refactor(damped, progress.part(0.6, 1));
    for (auto& past : past_f_) past.assign(b_.size(), 0.0);
    for (auto& past : past_g_) past.assign(b_.size(), 0.0);
  }

  bool done() const { return width_ == 0; }

  // One step of the splitting, and the accelerated step computed from it and earlier ones.
  void advance(std::size_t iteration) {
    each_row([&](std::size_t i, std::size_t k) {
      z_[k] = clamped(v_[k]);
      x_[k] = b_[k] + step_[i] * (2 * z_[k] - v_[k]);
    });
    factor_.solve(x_, width_);
    const std::size_t slot = iteration % memory;
    // Per column: the residual, and the products of the newest difference with all others and of
    // all differences with the residual.
    const std::size_t stride = 1 + 2 * memory;
    const std::vector<double> sums =
        sum_over_rows(rows_, width_ * stride, [&](std::size_t begin, std::size_t end, double* sum) {
          for (std::size_t i = begin; i < end; ++i) {
            const double weight = step_[i];
            for (std::size_t j = 0; j < width_; ++j) {
              const std::size_t k = i * width_ + j;
              const double f = relaxation * (x_[k] - z_[k]), g = v_[k] + f;
              past_f_[slot][k] = f - f_[k];
              past_g_[slot][k] = g - g_[k];
              f_[k] = f;
              g_[k] = g;
              sum[j] += weight * f * f;
            }
            for (std::size_t a = 0; a < memory; ++a) {
              double* with_newest = sum + (1 + a) * width_;
              double* with_residual = sum + (1 + memory + a) * width_;
              const double* past = past_f_[a].data() + i * width_;
              const double* newest = past_f_[slot].data() + i * width_;
              const double* residual = f_.data() + i * width_;
              for (std::size_t j = 0; j < width_; ++j) {
                with_newest[j] += weight * past[j] * newest[j];
                with_residual[j] += weight * past[j] * residual[j];
              }
            }
          }
        });
    std::vector<double> mix(memory * width_);
    for (std::size_t j = 0; j < width_; ++j) {
      Mixing& mixing = mixing_[j];
      for (std::size_t a = 0; a < memory; ++a) {
        mixing.products[a][slot] = mixing.products[slot][a] = sums[(1 + a) * width_ + j];
        mixing.sides[a] = sums[(1 + memory + a) * width_ + j];
      }
      // Accelerated steps may cycle. Plain ones never diverge, so some of those follow before the
      // next attempt.
      stalled_[j] = sums[j] < least_residual_[j] && stalled_[j] < patience
                        ? 0
                        : (stalled_[j] + 1) % (3 * patience);
      const bool plain = stalled_[j] >= patience;
      // The first step has no predecessor, and after a jump the earlier steps are useless.
      if (plain || sums[j] > 4 * least_residual_[j] || iteration == 0) {
        history_[j] = 0;
      } else {
        history_[j] = std::min(history_[j] + 1, memory);
      }
      least_residual_[j] = std::min(least_residual_[j], sums[j]);
      const std::array<double, memory> shares = mixed(mixing, history_[j], slot);
      for (std::size_t a = 0; a < memory; ++a) mix[a * width_ + j] = shares[a];
    }
    parallel_for(rows_, rows_per_block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t k = i * width_;
        std::copy_n(g_.data() + k, width_, v_.data() + k);
        for (std::size_t a = 0; a < memory; ++a) {
          for (std::size_t j = 0; j < width_; ++j) {
            v_[k + j] -= mix[a * width_ + j] * past_g_[a][k + j];
          }
        }
      }
    });
  }

  // Evaluates the last step; columns whose gap is closed, or all if it was the last, leave.
  void check(const BoundedOptions& options, std::size_t iteration, bool last) {
    const double aim = options.active_set_steps > 0 && options.settle
                           ? std::min(options.tolerance, near_enough)
                           : options.tolerance;
    std::vector<double> energy(z_.size());
    multiply(problem_.energy, z_, width_, energy);
    // x minimises the Lagrangian with the multipliers s = H x - b, and s follows from the equation
    // that x solves: the lower bound costs nothing.
    const std::vector<double> sums =
        sum_over_rows(rows_, 2 * width_, [&](std::size_t begin, std::size_t end, double* sum) {
          for (std::size_t i = begin; i < end; ++i) {
            for (std::size_t j = 0; j < width_; ++j) {
              const std::size_t k = i * width_ + j;
              sum[j] += z_[k] * (0.5 * energy[k] - b_[k]);
              const double v = g_[k] - f_[k];
              const double s = step_[i] * (2 * z_[k] - v - x_[k]);
              sum[width_ + j] += 0.5 * x_[k] * (s - b_[k]) - s * x_[k] - std::max(-s, 0.0);
            }
          }
        });
    std::vector<std::size_t> kept;
    for (std::size_t j = 0; j < width_; ++j) {
      const double constant = problem_.constants[columns_[j]];
      if (sums[j] + constant < objective_[j]) {
        objective_[j] = sums[j] + constant;
        for (std::size_t i = 0; i < rows_; ++i) {
          solution_[i * problem_.count + columns_[j]] = z_[i * width_ + j];
        }
      }
      bound_[j] = std::max({bound_[j], sums[width_ + j] + constant, 0.0});
      const double gap = objective_[j] - bound_[j];
      const double whole = std::max(objective_[j], options.least_objective);
      const bool is_rounding = gap <= rounding * constant;
      const bool converged = is_rounding || gap <= options.tolerance * whole;
      if (converged && converged_after_[j] == 0) converged_after_[j] = iteration + 1;
      const bool near = is_rounding || gap <= aim * whole ||
                        (converged && 2 * (iteration + 1) >= 3 * converged_after_[j]);
      if (!last && !near) {
        kept.push_back(j);
        continue;
      }
      left_[columns_[j]] = {objective_[j], is_rounding ? 0.0 : gap, converged};
    }
    // Solving for a few sides costs as much as for eight.
    if (kept.size() < width_) keep(kept);
  }

  std::vector<double> take_solution() { return std::move(solution_); }
  // For each of the problem's columns what it had when it left.
  struct Left {
    double objective = 0, gap = 0;
    bool converged = false;
  };
  const std::vector<Left>& left() const { return left_; }

 private:
  template <class Body>
  void each_row(Body&& body) {
    parallel_for(rows_, rows_per_block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        for (std::size_t j = 0; j < width_; ++j) body(i, i * width_ + j);
      }
    });
  }

  // The shares of the `used` newest differences, which end at `slot`.
  static std::array<double, memory> mixed(const Mixing& mixing, std::size_t used,
                                          std::size_t slot) {
    Mixing newest;
    std::array<std::size_t, memory> slots{};
    for (std::size_t a = 0; a < used; ++a) slots[a] = (slot + memory - a) % memory;
    for (std::size_t a = 0; a < used; ++a) {
      newest.sides[a] = mixing.sides[slots[a]];
      for (std::size_t c = 0; c < used; ++c) {
        newest.products[a][c] = mixing.products[slots[a]][slots[c]];
      }
    }
    const std::array<double, memory> solved = newest.solve(used);
    std::array<double, memory> shares{};
    for (std::size_t a = 0; a < used; ++a) shares[slots[a]] = solved[a];
    return shares;
  }

  void keep(const std::vector<std::size_t>& kept) {
    for (auto* matrix : {&b_, &v_, &z_, &x_, &f_, &g_}) keep_columns(*matrix, rows_, width_, kept);
    for (auto& past : past_f_) keep_columns(past, rows_, width_, kept);
    for (auto& past : past_g_) keep_columns(past, rows_, width_, kept);
    const auto pick = [&](auto& values) {
      for (std::size_t j = 0; j < kept.size(); ++j) values[j] = values[kept[j]];
      values.resize(kept.size());
    };
    pick(columns_);
    pick(mixing_);
    pick(history_);
    pick(stalled_);
    pick(converged_after_);
    pick(least_residual_);
    pick(objective_);
    pick(bound_);
    width_ = kept.size();
  }

  const BoundedProblem& problem_;
  std::size_t rows_, width_;
  std::vector<double> step_;
  SparseCholesky factor_;
  // v is the iterate, z its clamped value, x the minimiser of the energy near 2 z - v; f is the
  // resulting step and g its end.
  std::vector<double> b_, v_, z_, x_, f_, g_;
  std::array<std::vector<double>, memory> past_f_, past_g_;  // differences of steps
  std::vector<std::size_t> columns_;                         // which of the problem's they are
  std::vector<Mixing> mixing_;
  // stalled_: iterations without progress; converged_after_: iterations to the tolerance, or 0.
  std::vector<std::size_t> history_, stalled_, converged_after_;
  std::vector<double> least_residual_, objective_, bound_;
  std::vector<double> solution_;
  std::vector<Left> left_;
};

// What is known of a column.
using Known = Splitting::Left;

// The active-set method for all columns that `wanted` names. Returns the most steps of any.
std::size_t hold_and_release(const BoundedProblem& problem, const EliminationOrder& order,
                             const BoundedOptions& options, const std::vector<char>& wanted,
                             const Progress& progress, std::vector<double>& solution,
                             std::vector<Known>& known) {
  const std::size_t rows = at(problem.energy.size), width = problem.count;
  const ActiveSet active_set(problem.energy, order);
  const std::size_t most_steps = std::min(options.active_set_steps, options.iterations);
  std::vector<std::size_t> steps(width, 0);
  constexpr std::size_t batch = 64;  // columns differ much: threads wait at the end of each
  for (std::size_t first = 0; first < width; first += batch) {
    progress.report("solving", static_cast<double>(first) / static_cast<double>(width));
    parallel_for(std::min(batch, width - first), 1, [&](std::size_t begin, std::size_t) {
      const std::size_t j = first + begin;
      if (wanted[j] == 0) return;
      const double constant = problem.constants[j];
      ActiveSetColumn column{std::vector<double>(rows), known[j].objective - constant,
                             known[j].gap};
      std::vector<double> linear(rows);
      for (std::size_t i = 0; i < rows; ++i) {
        column.x[i] = solution[i * width + j];
        linear[i] = problem.linear[i * width + j];
      }
      const auto within = [&](double objective, double gap) {
        return gap < std::numeric_limits<double>::infinity() &&
               gap <= options.tolerance * std::max(objective + constant, options.least_objective);
      };
      const auto enough = [&](double objective, double gap) {
        return !options.settle && within(objective, gap);
      };
      steps[j] = active_set.improve(linear, most_steps, enough, column);
      for (std::size_t i = 0; i < rows; ++i) solution[i * width + j] = column.x[i];
      const double gap = column.gap <= rounding * constant ? 0.0 : column.gap;
      known[j] = {column.objective + constant, gap, within(column.objective, gap)};
    });
  }
  return *std::max_element(steps.begin(), steps.end());
}

// Some columns of a problem.
BoundedProblem columns_of(const BoundedProblem& problem, const std::vector<std::size_t>& columns) {
  BoundedProblem some = problem;
  some.count = columns.size();
  keep_columns(some.linear, at(problem.energy.size), problem.count, columns);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    some.constants[j] = problem.constants[columns[j]];
  }
  some.constants.resize(columns.size());
  return some;
}

// By splitting, and then by the active set: the splitting converges slowly where little energy
// decides much, such as which bone a part without its own bone follows. Columns where it did not
// converge are left as they are: started from far away, an active-set method can cycle.
std::size_t split(const BoundedProblem& problem, const EliminationOrder& order,
                  const BoundedOptions& options, const Progress& progress,
                  std::vector<double>& solution, std::vector<Known>& known) {
  Splitting splitting(problem, order, progress.part(0, 0.3));
  const Progress solving = progress.part(0.3, 0.8);
  // At least one iteration is needed for a bound.
  const std::size_t iterations = std::max<std::size_t>(options.iterations, 1);
  std::size_t done = 0;
  for (std::size_t i = 0; i < iterations && !splitting.done(); ++i) {
    solving.report("solving", static_cast<double>(i) / static_cast<double>(iterations));
    splitting.advance(i);
    const bool last = i + 1 == iterations;
    if (last || i % check_every == check_every - 1) {
      splitting.check(options, i, last);
    }
    done = i + 1;
  }
  solution = splitting.take_solution();
  known = splitting.left();
  if (options.active_set_steps > 0 && options.settle) {
    std::vector<char> wanted;
    for (const Known& column : known) wanted.push_back(column.converged ? 1 : 0);
    hold_and_release(problem, order, options, wanted, progress.part(0.8, 1), solution, known);
  }
  return done;
}

// The active set from the clamped unconstrained minimum: usually all bounds of the optimum are
// among those that the minimum breaks, or next to them.
std::size_t solve_directly(const BoundedProblem& problem, const EliminationOrder& order,
                           const BoundedOptions& options, const Progress& progress,
                           std::vector<double>& solution, std::vector<Known>& known) {
  solution = problem.linear;
  SparseCholesky(problem.energy, order, progress.part(0, 0.2)).solve(solution, problem.count);
  for (double& x : solution) x = clamped(x);
  constexpr double unknown = std::numeric_limits<double>::infinity();
  known.assign(problem.count, {unknown, unknown, false});
  return hold_and_release(problem, order, options, std::vector<char>(problem.count, 1),
                          progress.part(0.2, 1), solution, known);
}

}  // namespace

BoundedSolution solve_bounded(const BoundedProblem& problem, const BoundedOptions& options,
                              const Progress& progress) {
  BoundedSolution result;
  if (problem.count == 0 || problem.energy.size == 0) {
    result.objective = std::accumulate(problem.constants.begin(), problem.constants.end(), 0.0);
    return result;
  }
  progress.report("ordering", 0);
  const EliminationOrder order =
      problem.order ? *problem.order : EliminationOrder(problem.energy, problem.points);
  std::vector<Known> known(problem.count);
  const bool direct =
      options.active_set_steps > 0 && (options.settle || problem.linear.size() <= most_direct);
  if (direct) {
    result.iterations =
        solve_directly(problem, order, options, progress.part(0, 0.8), result.x, known);
  }
  std::vector<std::size_t> rest;
  for (std::size_t j = 0; j < problem.count; ++j) {
    if (!known[j].converged) rest.push_back(j);
  }
  if (!rest.empty()) {
    std::vector<double> x;
    std::vector<Known> of_rest;
    const std::size_t iterations =
        split(columns_of(problem, rest), order, options, progress.part(0.8, 1), x, of_rest);
    result.iterations = std::max(result.iterations, iterations);
    result.x.resize(problem.linear.size());
    for (std::size_t k = 0; k < rest.size(); ++k) {
      Known& column = known[rest[k]];
      if (!of_rest[k].converged && direct && column.gap <= of_rest[k].gap) continue;
      column = of_rest[k];
      for (std::size_t i = 0; i < at(problem.energy.size); ++i) {
        result.x[i * problem.count + rest[k]] = x[i * rest.size() + k];
      }
    }
  }
  for (const Known& column : known) {
    result.objective += column.objective;
    result.gap += column.gap;
  }
  const double whole =
      std::max(result.objective, options.least_objective * static_cast<double>(problem.count));
  if (whole > 0) result.gap /= whole;
  return result;
}

}  // namespace sinew::detail
