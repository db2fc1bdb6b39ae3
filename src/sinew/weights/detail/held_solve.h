// SPDX-License-Identifier: Apache-2.0
// Functions of least Laplacian energy over parts of a domain, held along bones.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/weights/detail/bounded_least.h"
#include "sinew/weights/detail/domain.h"

namespace sinew::detail {

// A connected set of a domain's elements, its nodes in ascending order, and the samples in it.
struct Piece {
  std::vector<std::size_t> elements;
  std::vector<int> nodes;
  std::vector<std::size_t> samples;
};

// The connected pieces of the given elements, in the order of their first element.
std::vector<Piece> pieces_of(const Domain& domain, std::span<const std::size_t> elements);

// The value prescribed for a column at a sample; columns not listed are held at 0.
struct Target {
  std::size_t column = 0;
  double value = 0;
};

// A node with a prescribed value.
struct GivenNode {
  int node = 0;
  std::vector<Target> targets;
};

// The quadratic program for a piece.
struct HeldProblem {
  BoundedProblem bounded;
  std::vector<int> unknown;    // row of each node's unknown; `none` if the node is fixed
  std::vector<double> values;  // of node k in column j at [k * columns + j]; 0 for unknowns
};

// `targets` has the prescribed values for each of piece.samples, of which there must be at least
// one. A sample that is a node fixes that node; other samples are held by a stiff spring. `given`
// are further nodes of the piece to fix; a sample at the same node takes precedence.
HeldProblem held_problem(const Domain& domain, const Piece& piece, std::size_t columns,
                         const std::vector<std::vector<Target>>& targets,
                         std::span<const GivenNode> given);

struct HeldSolution {
  std::vector<double> values;  // of node k of the piece in column j at [k * columns + j]
  BoundedSolution notes;       // without its x
};

// The solution of held_problem.
HeldSolution solve_held(const Domain& domain, const Piece& piece, std::size_t columns,
                        const std::vector<std::vector<Target>>& targets,
                        std::span<const GivenNode> given, const BoundedOptions& options,
                        const Progress& progress);

}  // namespace sinew::detail
