// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/held_solve.h"

#include <algorithm>
#include <map>

#include "sinew/core/internal/disjoint_sets.h"
#include "sinew/weights/detail/numbers.h"

namespace sinew::detail {
namespace {

// Unknowns, and values that are given, among the nodes of a piece.
struct Layout {
  std::vector<int> unknown;                       // for each node; none where it is fixed
  std::vector<const std::vector<Target>*> given;  // for each node, or null
  std::vector<Vec3> points;                       // of the unknowns
};

bool is_node(std::span<const Term> sample) { return sample.size() == 1; }

Layout lay_out(const Domain& domain, const Piece& piece, const std::vector<int>& local,
               const std::vector<std::vector<Target>>& targets, std::span<const GivenNode> given) {
  Layout layout;
  layout.unknown.assign(piece.nodes.size(), none);
  layout.given.assign(piece.nodes.size(), nullptr);
  for (const GivenNode& node : given) layout.given[local[node.node]] = &node.targets;
  for (std::size_t s = 0; s < piece.samples.size(); ++s) {
    const std::span<const Term> sample = domain.samples[piece.samples[s]];
    if (is_node(sample)) layout.given[local[sample[0].node]] = &targets[s];
  }
  int unknowns = 0;
  for (std::size_t k = 0; k < piece.nodes.size(); ++k) {
    if (layout.given[k] != nullptr) continue;
    layout.unknown[k] = unknowns++;
    layout.points.push_back(domain.points[piece.nodes[k]]);
  }
  return layout;
}

double& element(SymmetricMatrix& a, int i, int j) {
  const auto [column, row] = std::minmax(i, j);
  const auto begin = a.rows.begin() + static_cast<std::ptrdiff_t>(a.starts[column]);
  const auto end = a.rows.begin() + static_cast<std::ptrdiff_t>(a.starts[at(column) + 1]);
  const auto found = std::lower_bound(begin, end, row);
  return a.values[found - a.rows.begin()];
}

// Splits the energy over all nodes into that of the unknowns and what fixed nodes add to it.
BoundedProblem eliminate(const SymmetricMatrix& energy, Layout& layout, std::size_t columns) {
  BoundedProblem problem;
  problem.count = columns;
  problem.points = std::move(layout.points);
  problem.linear.assign(problem.points.size() * columns, 0.0);
  problem.constants.assign(columns, 0.0);
  problem.energy.size = static_cast<int>(problem.points.size());
  const auto pull = [&](int unknown, const std::vector<Target>& fixed, double value) {
    for (const Target& t : fixed)
      problem.linear[at(unknown) * columns + t.column] -= value * t.value;
  };
  for (std::size_t c = 0; c < layout.unknown.size(); ++c) {
    for (std::size_t k = energy.starts[c]; k < energy.starts[c + 1]; ++k) {
      const std::size_t r = at(energy.rows[k]);
      const double value = energy.values[k];
      if (layout.given[c] == nullptr && layout.given[r] == nullptr) {
        problem.energy.rows.push_back(layout.unknown[r]);
        problem.energy.values.push_back(value);
      } else if (layout.given[r] == nullptr) {
        pull(layout.unknown[r], *layout.given[c], value);
      } else if (layout.given[c] == nullptr) {
        pull(layout.unknown[c], *layout.given[r], value);
      } else {
        for (const Target& a : *layout.given[r]) {
          for (const Target& b : *layout.given[c]) {
            if (a.column != b.column) continue;
            problem.constants[a.column] += (r == c ? 0.5 : 1.0) * value * a.value * b.value;
          }
        }
      }
    }
    if (layout.given[c] == nullptr) problem.energy.starts.push_back(problem.energy.rows.size());
  }
  return problem;
}

// stiffness * diagonal / 2 * (sum of terms - target)^2 for each column.
void add_spring(BoundedProblem& problem, const Layout& layout, std::span<const Term> terms,
                const std::vector<Target>& target, const std::vector<double>& diagonal,
                double stiffness) {
  std::vector<double> wanted(problem.count, 0.0);
  for (const Target& t : target) wanted[t.column] += t.value;
  double strength = 0;
  for (const Term& term : terms) {
    const std::size_t k = at(term.node);
    strength += std::abs(term.share) * diagonal[k];
    if (layout.given[k] == nullptr) continue;
    for (const Target& t : *layout.given[k]) wanted[t.column] -= term.share * t.value;
  }
  strength *= stiffness;
  for (const Term& a : terms) {
    const int i = layout.unknown[a.node];
    if (i == none) continue;
    for (std::size_t j = 0; j < problem.count; ++j) {
      problem.linear[at(i) * problem.count + j] += strength * a.share * wanted[j];
    }
    for (const Term& b : terms) {
      const int j = layout.unknown[b.node];
      if (j != none && j <= i) element(problem.energy, i, j) += strength * a.share * b.share;
    }
  }
  for (std::size_t j = 0; j < problem.count; ++j) {
    problem.constants[j] += strength / 2 * wanted[j] * wanted[j];
  }
}

}  // namespace

std::vector<Piece> pieces_of(const Domain& domain, std::span<const std::size_t> elements) {
  DisjointSets sets(domain.points.size());
  std::vector<char> used(domain.points.size(), 0);
  std::vector<char> chosen(domain.elements.size(), 0);
  for (const std::size_t e : elements) {
    chosen[e] = 1;
    const std::span<const int> nodes = domain.elements.of(e);
    for (const int node : nodes) {
      used[node] = 1;
      sets.join(at(node), at(nodes[0]));
    }
  }
  std::vector<Piece> pieces;
  std::map<std::size_t, std::size_t> number;
  const auto piece_at = [&](int node) -> Piece& {
    const auto [place, is_new] = number.try_emplace(sets.find(at(node)), pieces.size());
    if (is_new) pieces.emplace_back();
    return pieces[place->second];
  };
  for (const std::size_t e : elements) piece_at(domain.elements.of(e)[0]).elements.push_back(e);
  for (std::size_t v = 0; v < used.size(); ++v) {
    if (used[v] != 0) piece_at(static_cast<int>(v)).nodes.push_back(static_cast<int>(v));
  }
  for (std::size_t s = 0; s < domain.samples.size(); ++s) {
    // A node may be among those of a piece without the element that the sample lies in.
    const std::span<const Term> terms = domain.samples[s];
    const bool inside =
        is_node(terms) ? used[terms[0].node] != 0 : chosen[domain.sample_elements[s]] != 0;
    if (inside) piece_at(terms[0].node).samples.push_back(s);
  }
  return pieces;
}

HeldProblem held_problem(const Domain& domain, const Piece& piece, std::size_t columns,
                         const std::vector<std::vector<Target>>& targets,
                         std::span<const GivenNode> given) {
  std::vector<int> local(domain.points.size(), none);
  for (std::size_t k = 0; k < piece.nodes.size(); ++k) {
    local[piece.nodes[k]] = static_cast<int>(k);
  }
  const SymmetricMatrix energy =
      bilaplacian(domain, piece.elements, local, static_cast<int>(piece.nodes.size()));
  std::vector<double> diagonal(piece.nodes.size());
  for (std::size_t k = 0; k < diagonal.size(); ++k) diagonal[k] = energy.values[energy.starts[k]];
  Layout layout = lay_out(domain, piece, local, targets, given);
  BoundedProblem problem = eliminate(energy, layout, columns);
  if (domain.order) {
    std::vector<int> unknowns;
    for (std::size_t k = 0; k < piece.nodes.size(); ++k) {
      if (layout.unknown[k] != none) unknowns.push_back(piece.nodes[k]);
    }
    problem.order = domain.order->part(unknowns);
  }
  for (std::size_t s = 0; s < piece.samples.size(); ++s) {
    const std::span<const Term> sample = domain.samples[piece.samples[s]];
    if (is_node(sample)) continue;
    std::vector<Term> terms(sample.begin(), sample.end());
    for (Term& term : terms) term.node = local[term.node];
    // Fixed nodes cannot improve and would only add to the energy.
    const bool known = std::all_of(terms.begin(), terms.end(), [&](const Term& term) {
      return layout.given[term.node] != nullptr;
    });
    if (known) continue;
    add_spring(problem, layout, terms, targets[s], diagonal,
               domain.sample_strengths[piece.samples[s]]);
  }
  std::vector<double> values(piece.nodes.size() * columns, 0.0);
  for (std::size_t k = 0; k < piece.nodes.size(); ++k) {
    if (layout.given[k] == nullptr) continue;
    for (const Target& t : *layout.given[k]) values[k * columns + t.column] = t.value;
  }
  return {std::move(problem), std::move(layout.unknown), std::move(values)};
}

HeldSolution solve_held(const Domain& domain, const Piece& piece, std::size_t columns,
                        const std::vector<std::vector<Target>>& targets,
                        std::span<const GivenNode> given, const BoundedOptions& options,
                        const Progress& progress) {
  HeldProblem problem = held_problem(domain, piece, columns, targets, given);
  HeldSolution solution{std::move(problem.values),
                        solve_bounded(problem.bounded, options, progress)};
  for (std::size_t k = 0; k < piece.nodes.size(); ++k) {
    if (problem.unknown[k] == none) continue;
    std::copy_n(solution.notes.x.data() + at(problem.unknown[k]) * columns, columns,
                solution.values.data() + k * columns);
  }
  solution.notes.x.clear();
  return solution;
}

}  // namespace sinew::detail
