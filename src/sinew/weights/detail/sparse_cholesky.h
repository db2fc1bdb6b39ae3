// SPDX-License-Identifier: Apache-2.0
// A direct solver for sparse symmetric positive definite systems with many right-hand sides.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/core/vec.h"

namespace sinew::detail {

struct Triplet {
  int row = 0, column = 0;
  double value = 0;
};

// The lower triangle with the diagonal, column by column, rows ascending: the elements of column c
// are rows[starts[c]] to rows[starts[c + 1] - 1]. Every diagonal element is present.
struct SymmetricMatrix {
  int size = 0;
  std::vector<std::size_t> starts{0};
  std::vector<int> rows;
  std::vector<double> values;
};

// Builds a matrix column by column.
class ColumnSums {
 public:
  explicit ColumnSums(int size);
  // Adds to the current column; the row must not be above the diagonal.
  void add(int row, double value);
  // Goes on to the next column.
  void next();
  SymmetricMatrix take() { return std::move(matrix_); }

 private:
  SymmetricMatrix matrix_;
  int column_ = 0;
  std::vector<double> sums_;
  // seen_[row]: the last column with an element in that row; rows_: rows of the current column.
  std::vector<int> seen_, rows_;
};

// Sums the triplets; duplicates are added in their order. Throws UsageError for a triplet above the
// diagonal.
SymmetricMatrix assemble(int size, const std::vector<Triplet>& triplets);

// y = A x for `count` vectors, element v of vector j at [v * count + j].
void multiply(const SymmetricMatrix& a, std::span<const double> x, std::size_t count,
              std::span<double> y);

// In which order unknowns are eliminated, and where the factor of a matrix then has elements. By
// nested dissection, which uses the positions `points` of the unknowns (in up to three dimensions).
// Copies share what they hold.
class EliminationOrder {
 public:
  // Of the matrix's pattern; its values do not matter.
  EliminationOrder(const SymmetricMatrix& pattern, std::span<const Vec3> points);

  std::size_t size() const;  // unknowns
  // The place of each unknown in the order.
  std::span<const int> places() const;

  // The order of some of the unknowns alone, ascending; the k-th of them is unknown k of the
  // result. It is not searched for anew: separators still separate what is left. The factor has no
  // more elements than the whole one has in these rows and columns.
  EliminationOrder part(std::span<const int> unknowns) const;

 private:
  friend class SparseCholesky;
  struct Structure;
  explicit EliminationOrder(std::shared_ptr<const Structure> structure);
  std::shared_ptr<const Structure> structure_;
};

// A = L L^T. The same matrix gives the same bits for any thread count.
class SparseCholesky {
 public:
  // Throws Error if a pivot is not positive (the matrix is singular to rounding).
  SparseCholesky(const SymmetricMatrix& a, std::span<const Vec3> points,
                 const Progress& progress = {});
  // In an order that was found before; the matrix has no elements that its pattern has not.
  SparseCholesky(const SymmetricMatrix& a, EliminationOrder order, const Progress& progress = {});
  ~SparseCholesky();
  SparseCholesky(SparseCholesky&&) noexcept;
  SparseCholesky& operator=(SparseCholesky&&) noexcept;

  // Factorises another matrix with the same sparsity pattern.
  void refactor(const SymmetricMatrix& a, const Progress& progress = {});

  // Solves for `count` right-hand sides in place, element v of side j at [v * count + j].
  void solve(std::span<double> sides, std::size_t count) const;

  // The same where they are in the order of elimination: element v of side j at
  // [places()[v] * step + j], which `step` is padded_sides(count), zeros from `count` on.
  void solve_in_order(std::span<double> sides, std::size_t count) const;
  static std::size_t padded_sides(std::size_t count);

  std::size_t factor_size() const;  // stored numbers

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace sinew::detail
