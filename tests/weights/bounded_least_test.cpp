// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/bounded_least.h"

#include <cmath>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "tests/support/shapes.h"
#include "tests/support/weight_checks.h"

namespace sinew::detail {
namespace {

// Bending energy on a grid of side x side nodes, with springs that pull some of them to 0 or 1:
// column j to 1 at the spring of that number, to 0 at the others.
BoundedProblem bending(int side, const std::vector<int>& springs) {
  BoundedProblem problem;
  const int n = side * side;
  std::vector<Triplet> triplets;
  const auto add = [&](const std::vector<int>& nodes, const std::vector<double>& shares,
                       double strength) {
    for (std::size_t a = 0; a < nodes.size(); ++a) {
      for (std::size_t b = 0; b < nodes.size(); ++b) {
        if (nodes[a] >= nodes[b]) {
          triplets.push_back({nodes[a], nodes[b], strength * shares[a] * shares[b]});
        }
      }
    }
  };
  for (int i = 0; i < n; ++i) {
    problem.points.push_back({double(i % side), double(i / side), 0});
    std::vector<int> nodes{i};
    std::vector<double> shares{0};
    const auto link = [&](int other) {
      nodes.push_back(other);
      shares.push_back(-1);
      shares[0] += 1;
    };
    if (i % side > 0) link(i - 1);
    if (i % side < side - 1) link(i + 1);
    if (i >= side) link(i - side);
    if (i < n - side) link(i + side);
    add(nodes, shares, 1);
  }
  problem.count = springs.size();
  problem.linear.assign(static_cast<std::size_t>(n) * problem.count, 0.0);
  problem.constants.assign(problem.count, 0.0);
  constexpr double strength = 20;
  for (std::size_t j = 0; j < springs.size(); ++j) {
    triplets.push_back({springs[j], springs[j], strength});
    problem.linear[static_cast<std::size_t>(springs[j]) * problem.count + j] = strength;
    problem.constants[j] = strength / 2;
  }
  problem.energy = assemble(n, triplets);
  return problem;
}

double objective(const BoundedProblem& p, const std::vector<double>& x) {
  std::vector<double> hx(x.size());
  multiply(p.energy, x, p.count, hx);
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * (0.5 * hx[k] - p.linear[k]);
  for (const double c : p.constants) sum += c;
  return sum;
}

// Dense, with pivots on the diagonal; rows and columns of `fixed` values are left alone.
std::vector<double> solve_free(std::vector<double> h, std::vector<double> b,
                               const std::vector<std::optional<double>>& fixed) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      if (!fixed[i] && fixed[k]) b[i] -= h[i * n + k] * *fixed[k];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (fixed[i]) continue;
    for (std::size_t r = 0; r < n; ++r) {
      if (r == i || fixed[r]) continue;
      const double factor = h[r * n + i] / h[i * n + i];
      for (std::size_t c = 0; c < n; ++c) h[r * n + c] -= factor * h[i * n + c];
      b[r] -= factor * b[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) b[i] = fixed[i] ? *fixed[i] : b[i] / h[i * n + i];
  return b;
}

// Tries every choice of which unknowns are at 0, at 1 and free: the best that keeps the bounds.
std::vector<double> brute_force(const BoundedProblem& p, std::size_t column) {
  const std::size_t n = p.energy.size;
  std::vector<double> h(n * n, 0.0), b(n);
  for (std::size_t c = 0; c < n; ++c) {
    b[c] = p.linear[c * p.count + column];
    for (std::size_t k = p.energy.starts[c]; k < p.energy.starts[c + 1]; ++k) {
      const std::size_t r = p.energy.rows[k];
      h[r * n + c] = h[c * n + r] = p.energy.values[k];
    }
  }
  std::vector<double> best;
  double least = std::numeric_limits<double>::infinity();
  std::size_t choices = 1;
  for (std::size_t i = 0; i < n; ++i) choices *= 3;
  for (std::size_t choice = 0; choice < choices; ++choice) {
    std::vector<std::optional<double>> fixed(n);
    std::size_t left = choice;
    for (std::size_t i = 0; i < n; ++i, left /= 3) {
      if (left % 3 < 2) fixed[i] = static_cast<double>(left % 3);
    }
    const std::vector<double> x = solve_free(h, b, fixed);
    double energy = 0;
    bool inside = true;
    for (std::size_t i = 0; i < n; ++i) {
      inside = inside && x[i] >= -1e-12 && x[i] <= 1 + 1e-12;
      energy -= b[i] * x[i];
      for (std::size_t k = 0; k < n; ++k) energy += 0.5 * x[i] * h[i * n + k] * x[k];
    }
    if (inside && energy < least) {
      least = energy;
      best = x;
    }
  }
  return best;
}

TEST(BoundedLeast, small_problems_have_the_solution_of_brute_force) {
  Random random(4);
  for (int trial = 0; trial < 12; ++trial) {
    constexpr int n = 7;
    constexpr std::size_t columns = 3;
    BoundedProblem p;
    p.count = columns;
    std::vector<Triplet> triplets;
    for (int i = 0; i < n; ++i) {
      p.points.push_back(random.vector());
      triplets.push_back({i, i, 0.3});
    }
    // A sum of squares of random combinations.
    for (int k = 0; k < n; ++k) {
      std::vector<double> shares(n);
      for (double& share : shares) share = random.number();
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
          triplets.push_back({i, j, shares[i] * shares[j]});
        }
      }
    }
    p.energy = assemble(n, triplets);
    for (std::size_t k = 0; k < n * columns; ++k) p.linear.push_back(2 * random.number());
    p.constants.assign(columns, 100.0);
    const BoundedSolution solution = solve_bounded(p, {5000, 1e-13}, {});
    EXPECT_LT(solution.iterations, 600u);
    std::size_t at_bounds = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      const std::vector<double> expected = brute_force(p, j);
      ASSERT_EQ(expected.size(), std::size_t{n});
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_NEAR(solution.x[i * columns + j], expected[i], 1e-5) << trial;
        at_bounds += expected[i] <= 0 || expected[i] >= 1 ? 1 : 0;
      }
    }
    EXPECT_GT(at_bounds, 5u);
  }
}

// One unknown after the other is put where the objective is least, over and over (projected
// Gauss-Seidel, overrelaxed): slow, simple and sure.
std::vector<double> relaxed(const BoundedProblem& p, std::size_t column, int sweeps) {
  const std::size_t n = p.energy.size;
  std::vector<std::vector<std::pair<std::size_t, double>>> rows(n);
  std::vector<double> diagonal(n), x(n, 0.0);
  for (std::size_t c = 0; c < n; ++c) {
    diagonal[c] = p.energy.values[p.energy.starts[c]];
    for (std::size_t k = p.energy.starts[c] + 1; k < p.energy.starts[c + 1]; ++k) {
      const std::size_t r = p.energy.rows[k];
      rows[c].emplace_back(r, p.energy.values[k]);
      rows[r].emplace_back(c, p.energy.values[k]);
    }
  }
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t i = 0; i < n; ++i) {
      double side = p.linear[i * p.count + column] - diagonal[i] * x[i];
      for (const auto& [k, value] : rows[i]) side -= value * x[k];
      x[i] = std::clamp(x[i] + 1.7 * side / diagonal[i], 0.0, 1.0);
    }
  }
  return x;
}

// What a rough splitting leaves far away from a spring is less than the tolerance in energy, but
// not in what has a weight there.
TEST(BoundedLeast, a_rough_tolerance_ends_at_the_optimum_of_an_independent_method) {
  const BoundedProblem p = bending(14, {17, 100, 178, 30});
  const BoundedSolution solution = solve_bounded(p, {400, 1e-2}, {});
  EXPECT_LT(solution.gap, 1e-6);
  const BoundedSolution rough = solve_bounded(p, {400, 1e-2, 0, 0}, {});
  double rough_error = 0;
  for (std::size_t j = 0; j < p.count; ++j) {
    const std::vector<double> expected = relaxed(p, j, 20000);
    std::size_t at_rest = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double x = solution.x[i * p.count + j];
      EXPECT_NEAR(x, expected[i], 1e-5) << i;
      EXPECT_EQ(x > 1e-4, expected[i] > 1e-4) << i;
      at_rest += expected[i] == 0 ? 1 : 0;
      rough_error = std::max(rough_error, std::fabs(rough.x[i * p.count + j] - expected[i]));
    }
    EXPECT_GT(at_rest, 10u);
  }
  EXPECT_GT(rough_error, 0.01);
}

TEST(BoundedLeast, the_gap_bounds_what_could_still_be_gained) {
  const BoundedProblem p = bending(14, {17, 100, 178, 30});
  const BoundedSolution best = solve_bounded(p, {4000, 1e-10}, {});
  EXPECT_LE(best.gap, 1e-10);
  EXPECT_NEAR(best.objective, objective(p, best.x), 1e-9 * best.objective);
  for (const std::size_t iterations : {1u, 2u, 4u, 8u, 16u, 32u, 64u}) {
    const BoundedSolution some = solve_bounded(p, {iterations, 0, 0, 0}, {});
    EXPECT_EQ(some.iterations, iterations);
    EXPECT_NEAR(some.objective, objective(p, some.x), 1e-9 * best.objective);
    EXPECT_GE(some.objective, best.objective * (1 - 1e-9));
    EXPECT_LE(some.objective * (1 - some.gap), best.objective * (1 + 1e-9)) << iterations;
  }
  for (const double tolerance : {1e-1, 1e-3, 1e-5}) {
    const BoundedSolution some = solve_bounded(p, {4000, tolerance}, {});
    EXPECT_LE(some.gap, tolerance);
    EXPECT_LE(some.objective, best.objective * (1 + 2 * tolerance));
    EXPECT_LE(some.objective * (1 - some.gap), best.objective * (1 + 1e-9));
  }
}

TEST(BoundedLeast, bounds_hold_exactly_and_matter) {
  const BoundedProblem p = bending(14, {17, 100, 178, 30});
  std::vector<double> unbounded = p.linear;
  SparseCholesky(p.energy, p.points).solve(unbounded, p.count);
  EXPECT_LT(*std::min_element(unbounded.begin(), unbounded.end()), -0.01);
  for (const std::size_t iterations : {1u, 5u, 400u}) {
    for (const double x : solve_bounded(p, {iterations, 1e-6}, {}).x) {
      ASSERT_TRUE(x >= 0 && x <= 1);
    }
  }
}

TEST(BoundedLeast, columns_are_solved_as_if_each_were_alone) {
  const std::vector<int> springs = {17, 100, 178, 30};
  const BoundedProblem all = bending(14, springs);
  const BoundedSolution together = solve_bounded(all, {4000, 1e-9}, {});
  for (std::size_t j = 0; j < springs.size(); ++j) {
    BoundedProblem one = all;
    one.count = 1;
    one.linear.clear();
    one.constants = {all.constants[j]};
    for (std::size_t i = 0; i < all.points.size(); ++i) {
      one.linear.push_back(all.linear[i * springs.size() + j]);
    }
    const BoundedSolution alone = solve_bounded(one, {4000, 1e-9}, {});
    for (std::size_t i = 0; i < all.points.size(); ++i) {
      EXPECT_NEAR(alone.x[i], together.x[i * springs.size() + j], 1e-12);
    }
  }
}

// All that is given fits a constant, which has no energy: no share of that is left to gain.
TEST(BoundedLeast, a_solution_without_energy_is_found_and_proven) {
  const std::vector<int> springs = {17, 100, 178, 30};
  BoundedProblem p = bending(14, springs);
  constexpr double strength = 20;
  p.count = 12;
  p.linear.assign(p.points.size() * p.count, 0.0);
  p.constants.assign(p.count, 0.0);
  for (std::size_t j = 0; j < p.count; ++j) {
    const double value = 0.083 * static_cast<double>(j);
    for (const int v : springs) {
      p.linear[static_cast<std::size_t>(v) * p.count + j] = strength * value;
      p.constants[j] += strength / 2 * value * value;
    }
  }
  const BoundedSolution solution = solve_bounded(p, {}, {});
  EXPECT_EQ(solution.gap, 0);
  EXPECT_LT(solution.iterations, 10u);
  for (std::size_t k = 0; k < solution.x.size(); ++k) {
    EXPECT_NEAR(solution.x[k], 0.083 * static_cast<double>(k % p.count), 1e-5);
  }
}

TEST(BoundedLeast, nothing_to_solve_for_is_solved) {
  BoundedProblem p;
  p.count = 2;
  p.constants = {1, 2};
  const BoundedSolution solution = solve_bounded(p, {}, {});
  EXPECT_TRUE(solution.x.empty());
  EXPECT_EQ(solution.objective, 3);
  EXPECT_EQ(solution.gap, 0);
}

// One step of the active set leaves most bounds wrong.
TEST(BoundedLeast, where_the_active_set_does_not_end_splitting_does) {
  const BoundedProblem p = bending(14, {17, 100, 178, 30});
  const BoundedSolution best = solve_bounded(p, {4000, 1e-10}, {});
  const BoundedSolution split = solve_bounded(p, {4000, 1e-8, 0, 1}, {});
  EXPECT_GT(split.iterations, best.iterations);
  EXPECT_LE(split.gap, 1e-8);
  EXPECT_NEAR(split.objective, best.objective, 1e-7 * best.objective);
}

TEST(BoundedLeast, no_iterations_are_no_proof) {
  const BoundedSolution solution = solve_bounded(bending(6, {7, 28}), {0, 1e-3}, {});
  EXPECT_GT(solution.gap, 0.1);
}

TEST(BoundedLeast, thread_count_changes_no_bit) {
  const BoundedProblem p = bending(30, {35, 800, 420});
  set_thread_count(1);
  const std::vector<double> one = solve_bounded(p, {100, 1e-5}, {}).x;
  set_thread_count(2);
  const std::vector<double> two = solve_bounded(p, {100, 1e-5}, {}).x;
  set_thread_count(0);
  EXPECT_EQ(one, two);
}

}  // namespace
}  // namespace sinew::detail
