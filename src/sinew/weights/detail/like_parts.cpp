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
constexpr std::size_t most_parts = 10000;      // a soup of triangles has no parts to speak of
constexpr std::size_t samples_per_part = 256;  // enough to tell two layers apart

struct Tally {
  double count = 0;
  double distance = 0;
};
// Keyed by part of the querying mesh and part of the queried mesh.
using Tallies = std::map<std::pair<int, int>, Tally>;

// Some vertices of a mesh, evenly by number in each part, and how many there are of each part.
struct Samples {
  std::vector<std::size_t> vertices;
  std::vector<double> of_part;
};

Samples sample(const Mesh& mesh, const SurfaceLookup& lookup) {
  const std::size_t parts = lookup.part_count();
  std::vector<std::size_t> sizes(parts, 0);
  const auto part_of = [&](std::size_t v) {
    return static_cast<std::size_t>(lookup.part_of_vertex(v));
  };
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) ++sizes[part_of(v)];
  Samples samples;
  samples.of_part.assign(parts, 0.0);
  std::vector<std::size_t> seen(parts, 0);
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const std::size_t part = part_of(v);
    if (seen[part]++ % (1 + (sizes[part] - 1) / samples_per_part) != 0) continue;
    samples.vertices.push_back(v);
    samples.of_part[part] += 1;
  }
  return samples;
}

// How the samples of `mesh` see the two nearest parts of the other mesh.
Tallies look_at(const Mesh& mesh, const Samples& samples, const SurfaceLookup& own,
                const SurfaceLookup& other, double min_cosine, double max_distance) {
  struct Seen {
    int part;
    double distance;
  };
  std::vector<std::array<std::optional<Seen>, 2>> seen(samples.vertices.size());
  sinew::parallel_for(seen.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t v = samples.vertices[i];
      const SurfaceQuery query{mesh.positions[v], own.normal(v), min_cosine, max_distance};
      const auto first = other.closest(query);
      if (!first) continue;
      const int part = other.part_of_cell(first->triangle);
      seen[i][0] = {part, first->distance};
      const auto second =
          other.closest(query, [&](Index cell) { return other.part_of_cell(cell) != part; });
      if (second) seen[i][1] = {other.part_of_cell(second->triangle), second->distance};
    }
  });
  Tallies tallies;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    for (const auto& one : seen[i]) {
      if (!one) continue;
      Tally& tally = tallies[{own.part_of_vertex(samples.vertices[i]), one->part}];
      tally.count += 1;
      tally.distance += one->distance;
    }
  }
  return tallies;
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
    of_target[t] = s;
    of_source[s] = t;
  };
  for (const auto& [cost, parts] : sorted) {
    const auto [t, s] = parts;
    if (of_target[t] == -1 && of_source[s] == -1) {
      pair_up(t, s);
    }
  }
  bool improved = true;
  for (int round = 0; improved && round < most_exchanges; ++round) {
    improved = false;
    for (const auto& [parts, cost] : costs) {
      const auto [t, s] = parts;
      const int other_s = of_target[t];
      const int other_t = of_source[s];
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
  const std::size_t target_parts = target_lookup.part_count();
  const std::size_t source_parts = source_lookup.part_count();
  if (std::max(target_parts, source_parts) > most_parts) {
    return std::vector<int>(target_parts, -1);
  }
  const Samples of_target = sample(target, target_lookup);
  const Samples of_source = sample(source, source_lookup);
  const Tallies there =
      look_at(target, of_target, target_lookup, source_lookup, min_cosine, max_distance);
  const Tallies back =
      look_at(source, of_source, source_lookup, target_lookup, min_cosine, max_distance);
  Costs costs;
  for (const auto& [parts, tally] : there) {
    const auto returned = back.find({parts.second, parts.first});
    if (returned == back.end() || tally.count < least_coverage * of_target.of_part[parts.first] ||
        returned->second.count < least_coverage * of_source.of_part[parts.second]) {
      continue;
    }
    costs[parts] =
        tally.distance / tally.count + returned->second.distance / returned->second.count;
  }
  return assign(costs, target_parts, source_parts);
}

}  // namespace sinew::detail
