// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/bbw_endpoints.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <optional>
#include <queue>

#include <fmt/format.h>

#include "sinew/core/math.h"
#include "sinew/core/parallel.h"
#include "sinew/skin/projection.h"
#include "sinew/weights/bone_ends.h"
#include "sinew/weights/detail/bounded_notes.h"
#include "sinew/weights/detail/caps.h"
#include "sinew/weights/detail/held_solve.h"
#include "sinew/weights/detail/numbers.h"
#include "sinew/weights/detail/on_bone.h"
#include "sinew/weights/stretchable.h"

namespace sinew::detail {
namespace {

// Points within this distance of a bone's end, as a fraction of its length, count as the end.
constexpr double end_tolerance = 1e-3;

// Exact on the bone where it is held, projected where nothing was solved for.
double endpoint(const BoneDomain& d, std::size_t vertex, std::size_t bone, const BoneCaps& caps,
                std::optional<double> solved) {
  const Bone& segment = d.skeleton.bones[bone];
  const Vec3& point = d.positions[vertex];
  if (!solved) return project_on_segment(point, segment.head, segment.tail);
  const auto t = parameter_on(segment, point, d.on_bone);
  if (t && (caps.holds_bone_at(*t) || *t == 0 || *t == 1)) return *t;
  return std::clamp(*solved, 0.0, 1.0);
}

// For each node the bones that move it: those of the vertices that it carries; for nodes deeper
// inside, of the nearest such node.
std::vector<std::vector<int>> bones_of_nodes(const BoneDomain& d, const Weights& weights) {
  const std::size_t count = d.domain.points.size();
  // A bit for each bone of each node, by every stretch of vertices on its own.
  const std::size_t words = (d.skeleton.bones.size() + 63) / 64;
  const std::size_t stretch = std::max<std::size_t>(d.positions.size() / 8, 8192);
  std::vector<std::vector<std::uint64_t>> marks((d.positions.size() + stretch - 1) / stretch);
  parallel_for(d.positions.size(), stretch, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint64_t>& marked = marks[begin / stretch];
    marked.assign(count * words, 0);
    std::vector<std::uint64_t> own(words);
    for (std::size_t v = begin; v < end; ++v) {
      std::fill(own.begin(), own.end(), 0);
      for (const Influence& influence : weights.row(v)) {
        const std::size_t bone = at(influence.bone);
        if (influence.weight > least_weight) own[bone / 64] |= std::uint64_t{1} << bone % 64;
      }
      for (const Term& term : d.domain.vertices[d.node_vertex[v]]) {
        std::uint64_t* of_node = marked.data() + at(term.node) * words;
        for (std::size_t w = 0; w < words; ++w) of_node[w] |= own[w];
      }
    }
  });
  std::vector<std::vector<int>> bones(count);
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t w = 0; w < words; ++w) {
      std::uint64_t all = 0;
      for (const std::vector<std::uint64_t>& marked : marks) all |= marked[k * words + w];
      for (; all != 0; all &= all - 1) {
        bones[k].push_back(static_cast<int>(64 * w) + std::countr_zero(all));
      }
    }
  }
  std::vector<std::vector<int>> neighbours(d.domain.points.size());
  for (std::size_t e = 0; e < d.domain.elements.size(); ++e) {
    const auto nodes = d.domain.elements.of(e);
    for (const int a : nodes) {
      for (const int b : nodes) {
        if (a != b) neighbours[a].push_back(b);
      }
    }
  }
  std::vector<char> reached(d.domain.points.size(), 0);
  std::queue<int> front;
  for (std::size_t k = 0; k < bones.size(); ++k) {
    if (bones[k].empty()) continue;
    reached[k] = 1;
    front.push(static_cast<int>(k));
  }
  while (!front.empty()) {
    const int node = front.front();
    front.pop();
    for (const int next : neighbours[node]) {
      if (reached[next] != 0) continue;
      reached[next] = 1;
      bones[next] = bones[node];
      front.push(next);
    }
  }
  return bones;
}

void find_caps(const BoneDomain& d, std::size_t bone, const Piece& piece, BoneCaps& caps) {
  const Bone& segment = d.skeleton.bones[bone];
  const Vec3 along = segment.tail - segment.head;
  BoneTip head{segment.head, -along, {}, {}}, tail{segment.tail, along, {}, {}};
  for (const std::size_t s : piece.samples) {
    if (d.is_alone(s, bone)) {
      const double t = d.bones_at[s][0].t;
      if (t <= end_tolerance) head.at_tip.push_back(s);
      if (t >= 1 - end_tolerance) tail.at_tip.push_back(s);
    } else {
      head.of_others.push_back(s);
      tail.of_others.push_back(s);
    }
  }
  caps.find(d.domain, piece, head, tail);
}

// Where a bone is held.
struct HeldAt {
  std::size_t sample;
  double t;
  bool alone;

  bool operator==(const HeldAt&) const = default;
};

// For each bone the first one with the same ends that moves the same elements and is held at the
// same samples: their endpoint weights are the same. Characters that stand in each other, each with
// a skeleton of its own, have many.
std::vector<std::size_t> first_alike(const BoneDomain& d,
                                     const std::vector<std::vector<std::size_t>>& elements) {
  const std::size_t count = elements.size();
  std::vector<std::vector<HeldAt>> held(count);
  for (std::size_t s = 0; s < d.bones_at.size(); ++s) {
    for (const BoneAt& b : d.bones_at[s]) {
      held[b.bone].push_back({s, b.t, d.is_alone(s, at(b.bone))});
    }
  }
  std::vector<std::vector<std::size_t>> firsts(count);  // for each bone that is first of its ends
  std::vector<std::size_t> first(count);
  for (std::size_t b = 0; b < count; ++b) {
    std::vector<std::size_t>& known = firsts[d.same_ends[b]];
    const auto same = std::find_if(known.begin(), known.end(), [&](std::size_t other) {
      return elements[other] == elements[b] && held[other] == held[b];
    });
    first[b] = same == known.end() ? b : *same;
    if (first[b] == b) known.push_back(b);
  }
  return first;
}

// If the shape could not be tied to points along the bone, as if the bone were inside it,
// projection is the best available.
void project_where_stiff(const BoneDomain& d, const Weights& weights, SolvedEndpoints& result) {
  const auto stiff = bones_that_cannot_stretch(d.positions, d.skeleton, weights, result.endpoints);
  for (const int bone : stiff) {
    for (std::size_t v = 0; v < d.positions.size(); ++v) {
      for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
        if (weights.influences[i].bone != bone) continue;
        const Bone& segment = d.skeleton.bones[bone];
        result.endpoints[i] = project_on_segment(d.positions[v], segment.head, segment.tail);
      }
    }
    result.notes.repairs.push_back(
        fmt::format("endpoint weights of bone {} are computed by projection, because its skin is "
                    "not tied to points along it",
                    bone));
  }
}

}  // namespace

SolvedEndpoints endpoints_along_bones(const BoneDomain& d, const Weights& weights,
                                      const BoundedOptions& options, const Progress& progress) {
  const Domain& domain = d.domain;
  const std::vector<std::vector<int>> bones = bones_of_nodes(d, weights);
  const std::size_t bone_count = d.skeleton.bones.size();
  std::vector<std::vector<std::size_t>> elements(bone_count);
  for (std::size_t e = 0; e < domain.elements.size(); ++e) {
    for (const int node : domain.elements.of(e)) {
      for (const int bone : bones[node]) elements[bone].push_back(e);
    }
  }
  for (std::size_t s = 0; s < d.bones_at.size(); ++s) {
    for (const BoneAt& b : d.bones_at[s]) elements[b.bone].push_back(domain.sample_elements[s]);
  }
  for (auto& list : elements) list = domain.with_hosts(std::move(list));
  const std::vector<std::size_t> first = first_alike(d, elements);
  // The endpoint weights at the nodes that a bone moves; kept for the first of bones that are
  // alike.
  std::vector<std::vector<double>> values(bone_count);
  std::vector<BoneCaps> caps(bone_count);
  std::vector<BoundedSolution> solutions(bone_count);
  std::vector<std::size_t> unknowns(bone_count, 0);
  const auto solve = [&](std::size_t bone) {
    values[bone].assign(domain.points.size(), -1.0);
    for (Piece& piece : pieces_of(domain, elements[bone])) {
      const std::size_t elsewhere = caps[bone].ends().size();
      find_caps(d, bone, piece, caps[bone]);
      std::vector<std::vector<Target>> targets;
      std::vector<std::size_t> samples;
      for (const std::size_t s : piece.samples) {
        for (const BoneAt& b : d.bones_at[s]) {
          if (at(b.bone) != bone || !caps[bone].holds_bone_at(b.t)) continue;
          samples.push_back(s);
          targets.push_back({{0, b.t}});
        }
      }
      if (samples.empty()) continue;
      std::vector<GivenNode> given;
      for (const BoneCaps::End& end : caps[bone].ends().subspan(elsewhere)) {
        for (const int node : end.cap.nodes()) given.push_back({node, {{0, end.value}}});
      }
      piece.samples = std::move(samples);
      const Bone& segment = d.skeleton.bones[bone];
      // The energy of a function that bends by a tenth of the bone's length over its length,
      // everywhere; along a straight bone, t itself has almost no energy.
      double volume = 0;
      for (const std::size_t e : piece.elements) {
        const auto masses = domain.elements.masses.begin();
        volume += std::accumulate(
            masses + static_cast<std::ptrdiff_t>(domain.elements.nodes.offsets[e]),
            masses + static_cast<std::ptrdiff_t>(domain.elements.nodes.offsets[e + 1]), 0.0);
      }
      BoundedOptions how = options;
      how.least_objective = 0.01 * volume / math::pow(distance(segment.head, segment.tail), 4);
      const HeldSolution solution = solve_held(domain, piece, 1, targets, given, how, {});
      for (std::size_t k = 0; k < piece.nodes.size(); ++k) {
        values[bone][piece.nodes[k]] = solution.values[k];
      }
      unknowns[bone] += piece.nodes.size();
      solutions[bone].iterations = std::max(solutions[bone].iterations, solution.notes.iterations);
      solutions[bone].gap = std::max(solutions[bone].gap, solution.notes.gap);
      solutions[bone].objective += solution.notes.objective;
    }
  };
  std::vector<std::size_t> different;
  for (std::size_t b = 0; b < bone_count; ++b) {
    if (first[b] == b) different.push_back(b);
  }
  constexpr std::size_t batch = 64;
  for (std::size_t done = 0; done < different.size(); done += batch) {
    progress.report("endpoint weights",
                    static_cast<double>(done) / static_cast<double>(different.size()));
    const std::size_t count = std::min(batch, different.size() - done);
    parallel_for(count, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) solve(different[done + k]);
    });
  }
  SolvedEndpoints result{std::vector<double>(weights.influences.size()), {}};
  result.notes.repairs = domain.repairs;
  for (std::size_t b = 0; b < bone_count; ++b) {
    add_to_notes(result.notes, solutions[first[b]], unknowns[first[b]], options.tolerance);
  }
  constexpr std::size_t block = 4096;
  std::vector<std::size_t> by_projection((d.positions.size() + block - 1) / block, 0);
  parallel_for(d.positions.size(), block, [&](std::size_t begin, std::size_t end) {
    std::size_t& projected = by_projection[begin / block];
    for (std::size_t v = begin; v < end; ++v) {
      const auto terms = domain.vertices[d.node_vertex[v]];
      for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
        const std::size_t b = first[at(weights.influences[i].bone)];
        const bool known =
            !terms.empty() && std::all_of(terms.begin(), terms.end(),
                                          [&](const Term& t) { return values[b][t.node] >= 0; });
        result.endpoints[i] =
            endpoint(d, v, b, caps[b],
                     known ? std::optional(caps[b].value(terms, values[b])) : std::nullopt);
        if (!known && weights.influences[i].weight > 100 * least_weight) ++projected;
      }
    }
  });
  const std::size_t projected =
      std::accumulate(by_projection.begin(), by_projection.end(), std::size_t{0});
  if (projected > 0) {
    result.notes.repairs.push_back(
        fmt::format("{} endpoint weights are computed by projection, because no path through the "
                    "shape leads to their bone",
                    projected));
  }
  project_where_stiff(d, weights, result);
  return result;
}

SolvedEndpoints endpoints_from_joints(const BoneDomain& d, const Weights& weights,
                                      const BoundedOptions& options, const Progress& progress) {
  const Domain& domain = d.domain;
  SolvedEndpoints result{std::vector<double>(weights.influences.size()), {}};
  result.notes.repairs = domain.repairs;
  const BoneEnds ends = bone_ends(d.skeleton);
  std::vector<std::size_t> all(domain.elements.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::size_t joints = ends.points.size();
  std::vector<std::vector<Influence>> node_rows(domain.points.size());
  std::vector<BoneCaps> caps(d.skeleton.bones.size());
  for (Piece& piece : pieces_of(domain, all)) {
    if (piece.samples.empty()) continue;
    std::vector<GivenNode> given;
    for (std::size_t b = 0; b < caps.size(); ++b) {
      const std::size_t elsewhere = caps[b].ends().size();
      find_caps(d, b, piece, caps[b]);
      for (const BoneCaps::End& end : caps[b].ends().subspan(elsewhere)) {
        const std::size_t joint = at(ends.bones[b][end.value == 0 ? 0 : 1]);
        for (const int node : end.cap.nodes()) given.push_back({node, {{joint, 1.0}}});
      }
    }
    std::erase_if(piece.samples, [&](std::size_t s) {
      if (d.bones_at[s].empty()) return false;
      const auto& [bone, t] = d.bones_at[s][0];
      return d.is_alone(s, at(bone)) && !caps[bone].holds_bone_at(t);
    });
    std::vector<std::vector<Target>> targets;
    for (const std::size_t s : piece.samples) {
      std::vector<Target>& target = targets.emplace_back();
      const double share =
          1.0 / static_cast<double>(std::max<std::size_t>(d.bones_at[s].size(), 1));
      for (const BoneAt& b : d.bones_at[s]) {
        target.push_back({at(ends.bones[b.bone][0]), share * (1 - b.t)});
        target.push_back({at(ends.bones[b.bone][1]), share * b.t});
      }
      std::sort(target.begin(), target.end(),
                [](const Target& a, const Target& b) { return a.column < b.column; });
      for (std::size_t k = 1; k < target.size();) {
        if (target[k].column == target[k - 1].column) {
          target[k - 1].value += target[k].value;
          target.erase(target.begin() + static_cast<std::ptrdiff_t>(k));
        } else {
          ++k;
        }
      }
    }
    const HeldSolution solution =
        solve_held(domain, piece, joints, targets, given, options, progress);
    add_to_notes(result.notes, solution.notes, piece.nodes.size(), options.tolerance);
    for (std::size_t k = 0; k < piece.nodes.size(); ++k) {
      for (std::size_t j = 0; j < joints; ++j) {
        const double value = solution.values[k * joints + j];
        if (value > 0) node_rows[piece.nodes[k]].push_back({static_cast<int>(j), value});
      }
    }
  }
  // Of bones with caps, their endpoint weights at all nodes.
  std::vector<std::vector<double>> of_nodes(d.skeleton.bones.size());
  for (std::size_t b = 0; b < of_nodes.size(); ++b) {
    if (caps[b].ends().empty()) continue;
    for (const std::vector<Influence>& row : node_rows) {
      double e = 0.5;
      for (const Influence& influence : row) {
        if (influence.bone == ends.bones[b][0]) e -= influence.weight / 2;
        if (influence.bone == ends.bones[b][1]) e += influence.weight / 2;
      }
      of_nodes[b].push_back(e);
    }
  }
  std::vector<double> sums(joints, 0.0);
  for (std::size_t v = 0; v < d.positions.size(); ++v) {
    const auto terms = domain.vertices[d.node_vertex[v]];
    std::fill(sums.begin(), sums.end(), 0.0);
    for (const Term& term : terms) {
      for (const Influence& influence : node_rows[term.node]) {
        sums[influence.bone] += term.share * influence.weight;
      }
    }
    for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
      const std::size_t b = at(weights.influences[i].bone);
      const double start = std::clamp(sums[ends.bones[b][0]], 0.0, 1.0);
      const double end = std::clamp(sums[ends.bones[b][1]], 0.0, 1.0);
      const double solved =
          caps[b].ends().empty() ? ((1 - start) + end) / 2 : caps[b].value(terms, of_nodes[b]);
      result.endpoints[i] =
          endpoint(d, v, b, caps[b], terms.empty() ? std::nullopt : std::optional(solved));
    }
  }
  project_where_stiff(d, weights, result);
  return result;
}

}  // namespace sinew::detail
