// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/like_parts.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "sinew/core/parallel.h"

namespace sinew::detail {
namespace {

constexpr double least_coverage = 0.8;
constexpr int most_exchanges = 100;

struct Tally {
  double count = 0;
  double distance = 0;
};
// By part of the mesh that asks and part of the mesh that is asked.
using Tallies = std::map<std::pair<int, int>, Tally>;

// How the vertices of `mesh` see the two nearest parts of the other mesh.
Tallies look_at(const Mesh& mesh, const SurfaceLookup& own, const SurfaceLookup& other,
                double min_cosine, double max_distance) {
  struct Seen {
    int part;
    double distance;
  };
  std::vector<std::array<std::optional<Seen>, 2>> seen(mesh.vertex_count());
  sinew::parallel_for(seen.size(), 512, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const SurfaceQuery query{mesh.positions[v], own.normal(v), min_cosine, max_distance};
      const auto first = other.closest(query);
      if (!first) continue;
      const int part = other.part_of_cell(first->triangle);
      seen[v][0] = {part, first->distance};
      const auto second =
          other.closest(query, [&](Index cell) { return other.part_of_cell(cell) != part; });
      if (second) seen[v][1] = {other.part_of_cell(second->triangle), second->distance};
    }
  });
  Tallies tallies;
  for (std::size_t v = 0; v < seen.size(); ++v) {
    for (const auto& one : seen[v]) {
      if (!one) continue;
      Tally& tally = tallies[{own.part_of_vertex(v), one->part}];
      tally.count += 1;
      tally.distance += one->distance;
    }
  }
  return tallies;
}

std::vector<double> part_sizes(const Mesh& mesh, const SurfaceLookup& lookup) {
  std::vector<double> sizes(static_cast<std::size_t>(lookup.part_count()), 0.0);
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    sizes[static_cast<std::size_t>(lookup.part_of_vertex(v))] += 1;
  }
  return sizes;
}

// Mean distances of pairs of parts (target, source) that may be the same thing.
using Costs = std::map<std::pair<int, int>, double>;

// One to one: the nearest pairs first, then partners are exchanged as long as that brings two pairs
// nearer together. So layers keep their order, although the outer one may be nearest to the inner.
std::vector<int> assign(const Costs& costs, std::size_t target_count, std::size_t source_count) {
  std::vector<std::pair<double, std::pair<int, int>>> sorted;
  for (const auto& [parts, cost] : costs) sorted.emplace_back(cost, parts);
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> of_target(target_count, -1);
  std::vector<int> of_source(source_count, -1);
  const auto pair_up = [&](int t, int s) {
    of_target[static_cast<std::size_t>(t)] = s;
    of_source[static_cast<std::size_t>(s)] = t;
  };
  for (const auto& [cost, parts] : sorted) {
    const auto [t, s] = parts;
    if (of_target[static_cast<std::size_t>(t)] == -1 &&
        of_source[static_cast<std::size_t>(s)] == -1) {
      pair_up(t, s);
    }
  }
  bool improved = true;
  for (int round = 0; improved && round < most_exchanges; ++round) {
    improved = false;
    for (const auto& [parts, cost] : costs) {
      const auto [t, s] = parts;
      const int other_s = of_target[static_cast<std::size_t>(t)];
      const int other_t = of_source[static_cast<std::size_t>(s)];
      if (other_s == -1 || other_t == -1 || other_s == s) continue;
      const auto exchanged = costs.find({other_t, other_s});
      if (exchanged == costs.end()) continue;
      if (!(cost + exchanged->second < costs.at({t, other_s}) + costs.at({other_t, s}))) continue;
      pair_up(t, s);
      pair_up(other_t, other_s);
      improved = true;
    }
  }
  return of_target;
}

}  // namespace

std::vector<int> like_parts(const Mesh& source, const SurfaceLookup& source_lookup,
                            const Mesh& target, const SurfaceLookup& target_lookup,
                            double min_cosine, double max_distance) {
  const Tallies there = look_at(target, target_lookup, source_lookup, min_cosine, max_distance);
  const Tallies back = look_at(source, source_lookup, target_lookup, min_cosine, max_distance);
  const std::vector<double> target_sizes = part_sizes(target, target_lookup);
  const std::vector<double> source_sizes = part_sizes(source, source_lookup);
  Costs costs;
  for (const auto& [parts, tally] : there) {
    const auto returned = back.find({parts.second, parts.first});
    if (returned == back.end() ||
        tally.count < least_coverage * target_sizes[static_cast<std::size_t>(parts.first)] ||
        returned->second.count <
            least_coverage * source_sizes[static_cast<std::size_t>(parts.second)]) {
      continue;
    }
    costs[parts] =
        tally.distance / tally.count + returned->second.distance / returned->second.count;
  }
  return assign(costs, target_sizes.size(), source_sizes.size());
}

}  // namespace sinew::detail
