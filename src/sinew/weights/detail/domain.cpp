// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/domain.h"

#include <algorithm>

#include "sinew/weights/detail/numbers.h"
#include "sinew/weights/detail/whole_matrix.h"

namespace sinew::detail {

void Elements::push(std::span<const int> element, std::span<const double> mass,
                    std::span<const double> matrix) {
  nodes.push(element);
  masses.insert(masses.end(), mass.begin(), mass.end());
  stiffness.insert(stiffness.end(), matrix.begin(), matrix.end());
  matrices.push_back(stiffness.size());
}

std::vector<std::size_t> Domain::with_hosts(std::vector<std::size_t> chosen) const {
  std::vector<char> seen(elements.size(), 0);
  std::vector<std::size_t> all;
  while (!chosen.empty()) {
    const std::size_t e = chosen.back();
    chosen.pop_back();
    if (seen[e] != 0) continue;
    seen[e] = 1;
    all.push_back(e);
    if (!hosts.empty()) chosen.insert(chosen.end(), hosts[e].begin(), hosts[e].end());
  }
  std::sort(all.begin(), all.end());
  return all;
}

void Domain::hold(const Vec3& point, std::size_t element, std::span<const Term> terms,
                  double strength) {
  samples.push(terms);
  sample_elements.push_back(element);
  sample_points.push_back(point);
  sample_strengths.push_back(strength);
}

SymmetricMatrix bilaplacian(const Domain& domain, std::span<const std::size_t> elements,
                            const std::vector<int>& local, int count) {
  const Elements& all = domain.elements;
  std::vector<Triplet> triplets;
  std::vector<double> mass(at(count), 0.0);
  for (const std::size_t e : elements) {
    const std::span<const int> nodes = all.of(e);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const int row = local[nodes[i]];
      mass[row] += all.masses[all.nodes.offsets[e] + i];
      for (std::size_t j = 0; j < nodes.size(); ++j) {
        const int column = local[nodes[j]];
        if (row < column) continue;
        triplets.push_back({row, column, all.stiffness[all.matrices[e] + i * nodes.size() + j]});
      }
    }
  }
  const WholeMatrix k(assemble(count, triplets));
  ColumnSums sums(count);
  for (int column = 0; column < count; ++column) {
    for (std::size_t a = k.starts[column]; a < k.starts[at(column) + 1]; ++a) {
      const std::size_t through = at(k.rows[a]);
      const double factor = k.values[a] / mass[through];
      for (std::size_t b = k.starts[through]; b < k.starts[through + 1]; ++b) {
        if (k.rows[b] >= column) sums.add(k.rows[b], factor * k.values[b]);
      }
    }
    sums.next();
  }
  return sums.take();
}

}  // namespace sinew::detail
