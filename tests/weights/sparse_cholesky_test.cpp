// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/sparse_cholesky.h"

#include <functional>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/kernels/targets.h"
#include "tests/support/refusals.h"
#include "tests/support/shapes.h"
#include "tests/support/weight_checks.h"

namespace sinew::detail {
namespace {

struct System {
  SymmetricMatrix matrix;
  std::vector<Vec3> points;
};

// Springs of random strength between points that are near, and a weak one to the ground at each.
System random_system(int size, std::uint64_t seed, double reach) {
  Random random(seed);
  System system;
  std::vector<Triplet> triplets;
  for (int i = 0; i < size; ++i) {
    system.points.push_back(random.vector());
    triplets.push_back({i, i, 0.1 + 0.05 * random.number()});
    for (int j = 0; j < i; ++j) {
      const Vec3& other = system.points[j];
      if (distance(system.points.back(), other) > reach) continue;
      const double strength = 1 + 0.9 * random.number();
      triplets.push_back({i, i, strength});
      triplets.push_back({j, j, strength});
      triplets.push_back({i, j, -strength});
    }
  }
  system.matrix = assemble(size, triplets);
  return system;
}

std::vector<double> random_sides(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> sides(count);
  for (double& value : sides) value = random.number();
  return sides;
}

// How far the solutions are from those that the right-hand sides were made with.
double error_of(const SparseCholesky& cholesky, const SymmetricMatrix& a, std::size_t count) {
  const std::size_t n = a.size;
  const std::vector<double> expected = random_sides(n * count, 11);
  std::vector<double> x(n * count);
  multiply(a, expected, count, x);
  cholesky.solve(x, count);
  return largest_difference(x, expected);
}

class SparseCholeskyTargets : public testing::Test {
 protected:
  ~SparseCholeskyTargets() override { use_kernel_target(""); }
};

TEST_F(SparseCholeskyTargets, each_one_solves_for_any_number_of_sides) {
  for (const std::string& target : kernel_targets()) {
    use_kernel_target(target);
    for (const int size : {1, 2, 9, 40, 333, 1200}) {
      const System system = random_system(size, 5, 0.3);
      const SparseCholesky cholesky(system.matrix, system.points);
      for (const std::size_t count : {1u, 7u, 24u, 57u}) {
        EXPECT_LT(error_of(cholesky, system.matrix, count), 1e-10)
            << target << ", " << size << " unknowns, " << count << " sides";
      }
    }
  }
}

TEST_F(SparseCholeskyTargets, each_one_solves_where_all_elements_are_there) {
  for (const std::string& target : kernel_targets()) {
    use_kernel_target(target);
    const System system = random_system(150, 6, 10);
    const SparseCholesky cholesky(system.matrix, system.points);
    EXPECT_EQ(system.matrix.values.size(), 150u * 151 / 2);
    EXPECT_LT(error_of(cholesky, system.matrix, 3), 1e-10) << target;
  }
}

TEST(SparseCholesky, elements_are_summed_and_products_use_both_triangles) {
  const SymmetricMatrix a = assemble(2, {{1, 0, 2}, {0, 0, 1}, {1, 1, 7}, {1, 0, 1}, {0, 0, 4}});
  EXPECT_EQ(a.rows, (std::vector<int>{0, 1, 1}));
  EXPECT_EQ(a.values, (std::vector<double>{5, 3, 7}));
  std::vector<double> y(4);
  multiply(a, std::vector<double>{1, 10, 2, 20}, 2, y);
  EXPECT_EQ(y, (std::vector<double>{11, 110, 17, 170}));
}

TEST(SparseCholesky, parts_that_do_not_hang_together_are_solved_at_once) {
  // Some of them single unknowns, and all points of a part at one place.
  const System one = random_system(120, 7, 0.4);
  std::vector<Triplet> triplets;
  std::vector<Vec3> points;
  for (int part = 0; part < 4; ++part) {
    const int first = part * 121;
    for (int c = 0; c < 120; ++c) {
      const std::size_t column = c;
      for (std::size_t k = one.matrix.starts[column]; k < one.matrix.starts[column + 1]; ++k) {
        triplets.push_back({first + one.matrix.rows[k], first + c, one.matrix.values[k]});
      }
      points.push_back(part == 3 ? Vec3{9, 9, 9} : one.points[column] + Vec3{5.0 * part, 0, 0});
    }
    triplets.push_back({first + 120, first + 120, 3});
    points.push_back({0, 0, 0});
  }
  const SymmetricMatrix a = assemble(4 * 121, triplets);
  EXPECT_LT(error_of(SparseCholesky(a, points), a, 5), 1e-10);
}

TEST(SparseCholesky, another_matrix_of_the_same_shape_can_be_factored) {
  System system = random_system(400, 8, 0.3);
  SparseCholesky cholesky(system.matrix, system.points);
  const std::size_t size = cholesky.factor_size();
  for (std::size_t c = 0; c < 400; ++c) {
    system.matrix.values[system.matrix.starts[c]] *= 1.5 + 0.001 * double(c);
  }
  EXPECT_GT(error_of(cholesky, system.matrix, 2), 5);
  cholesky.refactor(system.matrix);
  EXPECT_LT(error_of(cholesky, system.matrix, 2), 1e-10);
  EXPECT_EQ(cholesky.factor_size(), size);
}

// Whatever is left of a matrix: a piece of it, scattered unknowns, next to none.
TEST(SparseCholesky, parts_of_a_matrix_are_solved_in_the_order_of_the_whole) {
  const System system = random_system(400, 9, 0.3);
  const EliminationOrder whole(system.matrix, system.points);
  EXPECT_EQ(whole.size(), 400u);
  const auto near = [&](int k) { return system.points[k].x < 0.5; };
  const auto scattered = [](int k) { return k * 7 % 5 < 2; };
  const auto few = [](int k) { return k == 17 || k == 230; };
  for (const std::function<bool(int)>& kept :
       {std::function<bool(int)>(near), {scattered}, {few}}) {
    std::vector<int> unknowns, place(400, -1);
    for (int k = 0; k < 400; ++k) {
      if (!kept(k)) continue;
      place[k] = static_cast<int>(unknowns.size());
      unknowns.push_back(k);
    }
    std::vector<Triplet> triplets;
    for (const int c : unknowns) {
      for (std::size_t k = system.matrix.starts[c]; k < system.matrix.starts[c + 1]; ++k) {
        const int row = place[system.matrix.rows[k]];
        if (row >= 0) triplets.push_back({row, place[c], system.matrix.values[k]});
      }
    }
    const SymmetricMatrix part = assemble(static_cast<int>(unknowns.size()), triplets);
    const SparseCholesky cholesky(part, whole.part(unknowns));
    EXPECT_LT(error_of(cholesky, part, 3), 1e-10) << unknowns.size();
    EXPECT_LE(cholesky.factor_size(), SparseCholesky(system.matrix, whole).factor_size());
  }
  EXPECT_EQ(wrong_usage([&] {
              SparseCholesky(system.matrix, whole.part(std::vector<int>{1, 2}));
            }),
            "a matrix whose size is not that of the order");
}

TEST(SparseCholesky, a_matrix_that_is_not_positive_is_refused) {
  // Springs alone, with nothing that holds them.
  System loose = random_system(60, 9, 0.8);
  std::vector<double> ones(60, 1.0), sums(60);
  multiply(loose.matrix, ones, 1, sums);
  const System held = loose;
  for (std::size_t c = 0; c < 60; ++c) loose.matrix.values[loose.matrix.starts[c]] -= sums[c];
  // Which unknown is the first without a pivot depends on the order of elimination.
  const std::string message = "the system of equations has no unique solution (at unknown ";
  EXPECT_EQ(refusal<Error>([&] { SparseCholesky(loose.matrix, loose.points); }).find(message), 0u);
  EXPECT_EQ(refusal<Error>([&] {
              SparseCholesky(assemble(1, {{0, 0, 0}}), std::vector<Vec3>{{}});
            }),
            message + "0)");
  EXPECT_EQ(
      refusal<Error>([&] {
        SparseCholesky(assemble(2, {{0, 0, 1}, {1, 0, 2}, {1, 1, 1}}), std::vector<Vec3>{{}, {}});
      }).find(message),
      0u);
  SparseCholesky cholesky(held.matrix, held.points);
  EXPECT_EQ(refusal<Error>([&] { cholesky.refactor(loose.matrix); }).find(message), 0u);
}

TEST(SparseCholesky, sides_in_the_order_of_elimination_get_the_same_bits) {
  constexpr std::size_t n = 400, count = 29;
  const System system = random_system(n, 6, 0.25);
  const EliminationOrder order(system.matrix, system.points);
  const SparseCholesky cholesky(system.matrix, order);
  const std::size_t step = SparseCholesky::padded_sides(count);
  ASSERT_GE(step, count);
  // Most of each side is 0, as heat is.
  std::vector<double> sides(n * count, 0.0), in_order(n * step, 0.0);
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t v = 13 * j; v < 13 * j + 3; ++v) {
      sides[v * count + j] = in_order[std::size_t(order.places()[v]) * step + j] = 1.0 + double(v);
    }
  }
  cholesky.solve(sides, count);
  cholesky.solve_in_order(in_order, count);
  for (std::size_t v = 0; v < n; ++v) {
    for (std::size_t j = 0; j < count; ++j) {
      ASSERT_EQ(in_order[std::size_t(order.places()[v]) * step + j], sides[v * count + j]);
    }
  }
  EXPECT_EQ(wrong_usage([&] { cholesky.solve_in_order(in_order, count + 8); }),
            "right-hand sides of the wrong length");
}

TEST(SparseCholesky, the_factor_of_a_grid_stays_small) {
  // In the order of rows it would be a band with 150 elements in each column.
  std::vector<Triplet> triplets;
  std::vector<Vec3> points;
  constexpr int side = 150;
  for (int i = 0; i < side * side; ++i) {
    points.push_back({double(i % side), double(i / side), 0});
    triplets.push_back({i, i, 4.1});
    if (i % side > 0) triplets.push_back({i, i - 1, -1});
    if (i >= side) triplets.push_back({i, i - side, -1});
  }
  const SymmetricMatrix a = assemble(side * side, triplets);
  const SparseCholesky cholesky(a, points);
  EXPECT_LT(cholesky.factor_size(), 75u * side * side);
  EXPECT_LT(error_of(cholesky, a, 4), 1e-10);
}

TEST(SparseCholesky, thread_count_changes_no_bit) {
  const System system = random_system(1500, 10, 0.25);
  std::vector<std::vector<double>> results;
  for (const int threads : {1, 2}) {
    set_thread_count(threads);
    results.push_back(random_sides(1500 * 30, 3));
    SparseCholesky(system.matrix, system.points).solve(results.back(), 30);
  }
  set_thread_count(0);
  EXPECT_EQ(results[0], results[1]);
}

TEST(SparseCholesky, wrong_sizes_are_refused_and_a_hook_can_cancel) {
  const System system = random_system(50, 12, 0.5);
  EXPECT_EQ(wrong_usage([&] {
              assemble(2, {{0, 1, 1}});
            }),
            "a matrix element lies outside of the lower triangle");
  EXPECT_EQ(wrong_usage([&] {
              assemble(2, {{2, 1, 1}});
            }),
            "a matrix element lies outside of the lower triangle");
  EXPECT_EQ(wrong_usage([&] { SparseCholesky(system.matrix, std::vector<Vec3>(49)); }),
            "as many points as unknowns are needed");
  const SparseCholesky cholesky(system.matrix, system.points);
  std::vector<double> sides(99);
  EXPECT_EQ(wrong_usage([&] { cholesky.solve(sides, 2); }), "right-hand sides of the wrong length");
  EXPECT_EQ(refusal<Cancelled>([&] {
              SparseCholesky(system.matrix, system.points,
                             Progress([](auto, double) { return false; }));
            }),
            "cancelled");
}

}  // namespace
}  // namespace sinew::detail
