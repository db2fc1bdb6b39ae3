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

// Some elements of a domain that hang together, their nodes in ascending order, and the samples
// that lie among those.
struct Piece {
  std::vector<std::size_t> elements;
  std::vector<int> nodes;
  std::vector<std::size_t> samples;
};

// The pieces that the given elements fall into, in the order of their first element.
std::vector<Piece> pieces_of(const Domain& domain, std::span<const std::size_t> elements);

// What a column is to be at a sample; 0 where it is not named.
struct Target {
  std::size_t column = 0;
  double value = 0;
};

// A node whose value is known.
struct GivenNode {
  int node = 0;
  std::vector<Target> targets;
};

// What there is to solve for in a piece.
struct HeldProblem {
  BoundedProblem bounded;
  std::vector<int> unknown;    // for each of the piece's nodes the row of its unknown, or none
  std::vector<double> values;  // of node k in column j at [k * columns + j]; 0 for unknowns
};

// `targets` has what to hold for each of piece.samples, of which there is at least one. Samples
// that are a node fix it, the others are held by a stiff spring. `given` are further nodes of the
// piece to fix, where no sample does.
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
