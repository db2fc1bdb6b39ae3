// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/bbw.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <queue>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/geometry/bvh.h"
#include "sinew/geometry/flatness.h"
#include "sinew/mesh/weld.h"
#include "sinew/skin/projection.h"
#include "sinew/weights/bone_ends.h"
#include "sinew/weights/detail/caps.h"
#include "sinew/weights/detail/held_solve.h"
#include "sinew/weights/detail/lattice.h"
#include "sinew/weights/detail/lay_flat.h"
#include "sinew/weights/detail/numbers.h"
#include "sinew/weights/detail/on_bone.h"
#include "sinew/weights/rigid.h"
#include "sinew/weights/stretchable.h"

namespace sinew {
namespace {

using detail::at;
using detail::BoneCaps;
using detail::Domain;
using detail::GivenNode;
using detail::HeldSolution;
using detail::Piece;
using detail::Target;
using detail::Term;

// A weight below this moves nothing that could be seen.
constexpr double least_weight = 1e-4;

// What is no farther from a bone's end, as a share of its length, is the end.
constexpr double end_tolerance = 1e-3;

struct BoneAt {
  int bone = 0;
  double t = 0;
};

// A row from weights of all bones, which are zero afterwards: clamped, without the smallest, sum 1.
void take_row(std::vector<double>& sums, std::vector<Influence>& row) {
  double total = 0;
  for (double& sum : sums) {
    sum = std::clamp(sum, 0.0, 1.0);
    total += sum;
  }
  double kept = 0;
  for (std::size_t b = 0; b < sums.size(); ++b) {
    if (total > 0 && sums[b] > least_weight * total) {
      row.push_back({static_cast<int>(b), sums[b]});
      kept += sums[b];
    }
    sums[b] = 0;
  }
  for (Influence& influence : row) influence.weight /= kept;
}

// Sums up what solvers say of several systems.
void note(SolveNotes& notes, const detail::BoundedSolution& solution, std::size_t unknowns,
          double gap) {
  notes.unknowns += unknowns;
  notes.iterations = std::max(notes.iterations, solution.iterations);
  notes.residual = std::max(notes.residual, solution.gap);
  notes.objective += 2 * solution.objective;
  if (solution.gap > gap) notes.converged = false;
}

}  // namespace

struct Bbw::State {
  BbwOptions options;
  Skeleton skeleton;
  std::vector<Vec3> positions;         // of all vertices
  std::vector<Index> node_vertex;      // for each vertex, the one of the domain's mesh
  std::vector<Vec3> welded_positions;  // of the domain's mesh
  std::vector<Triangle> triangles;     // of the domain's mesh
  Domain domain;
  std::vector<std::vector<BoneAt>> bones_at;  // for each of the domain's samples
  double on_bone = 0;                         // what is no farther from a bone lies on it

  detail::BoundedOptions solver() const { return {options.iterations, options.gap}; }
  // An error of e counts only with the bone's weight and the stretch and twist it scales.
  double endpoint_gap() const { return 3 * options.gap; }
  detail::BoundedOptions endpoint_solver() const {
    return {.iterations = options.iterations, .tolerance = endpoint_gap(), .active_set_steps = 0};
  }
  void find_bones_at_samples();
  // Exact on the bone, projected where nothing was solved for.
  double endpoint(std::size_t vertex, std::size_t bone, std::optional<double> solved) const;
  std::vector<std::vector<Influence>> solve_weights(SolveNotes& notes,
                                                    const Progress& progress) const;
  void take_over(std::vector<std::vector<Influence>>& rows, SolveNotes& notes) const;
  void project_where_stiff(const Weights& weights, SolvedEndpoints& result) const;
  std::vector<double> direct(const Weights& weights, SolveNotes& notes,
                             const Progress& progress) const;
  std::vector<double> from_joints(const Weights& weights, SolveNotes& notes,
                                  const Progress& progress) const;
  std::vector<std::vector<int>> bones_of_nodes(const Weights& weights) const;
  void find_caps(std::size_t bone, const Piece& piece, BoneCaps& caps) const;
};

void Bbw::State::find_bones_at_samples() {
  bones_at.resize(domain.samples.size());
  for (std::size_t s = 0; s < bones_at.size(); ++s) {
    for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
      const auto t = detail::parameter_on(skeleton.bones[b], domain.sample_points[s], on_bone);
      if (t) bones_at[s].push_back({static_cast<int>(b), *t});
    }
  }
}

double Bbw::State::endpoint(std::size_t vertex, std::size_t bone,
                            std::optional<double> solved) const {
  const Bone& segment = skeleton.bones[bone];
  const Vec3& point = positions[vertex];
  if (const auto t = detail::parameter_on(segment, point, on_bone)) return *t;
  if (!solved) return project_on_segment(point, segment.head, segment.tail);
  return std::clamp(*solved, 0.0, 1.0);
}

// Rows of the domain's mesh; empty for vertices in no piece with a bone.
std::vector<std::vector<Influence>> Bbw::State::solve_weights(SolveNotes& notes,
                                                              const Progress& progress) const {
  std::vector<std::size_t> all(domain.elements.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::vector<Piece> pieces = detail::pieces_of(domain, all);
  std::vector<std::vector<Influence>> node_rows(domain.points.size());
  std::size_t done = 0;
  for (const Piece& piece : pieces) {
    const Progress part = progress.part(
        static_cast<double>(done) / static_cast<double>(all.size()),
        static_cast<double>(done + piece.elements.size()) / static_cast<double>(all.size()));
    done += piece.elements.size();
    std::vector<int> bones;
    for (const std::size_t s : piece.samples) {
      for (const BoneAt& b : bones_at[s]) bones.push_back(b.bone);
    }
    std::sort(bones.begin(), bones.end());
    bones.erase(std::unique(bones.begin(), bones.end()), bones.end());
    if (bones.empty()) continue;
    if (bones.size() == 1) {
      for (const int node : piece.nodes) node_rows[at(node)] = {{bones[0], 1.0}};
      continue;
    }
    std::vector<std::vector<Target>> targets;
    for (const std::size_t s : piece.samples) {
      std::vector<Target>& target = targets.emplace_back();
      for (const BoneAt& b : bones_at[s]) {
        const auto column = std::lower_bound(bones.begin(), bones.end(), b.bone) - bones.begin();
        target.push_back(
            {static_cast<std::size_t>(column), 1.0 / static_cast<double>(bones_at[s].size())});
      }
    }
    const HeldSolution solution =
        detail::solve_held(domain, piece, bones.size(), targets, {}, solver(), part);
    note(notes, solution.notes, piece.nodes.size(), options.gap);
    for (std::size_t k = 0; k < piece.nodes.size(); ++k) {
      std::vector<Influence>& row = node_rows[at(piece.nodes[k])];
      for (std::size_t j = 0; j < bones.size(); ++j) {
        const double value = solution.values[k * bones.size() + j];
        if (value > 0) row.push_back({bones[j], value});
      }
    }
  }
  std::vector<std::vector<Influence>> rows(domain.vertices.size());
  parallel_for(rows.size(), 1024, [&](std::size_t begin, std::size_t end) {
    std::vector<double> sums(skeleton.bones.size(), 0.0);
    for (std::size_t v = begin; v < end; ++v) {
      for (const Term& term : domain.vertices[v]) {
        for (const Influence& influence : node_rows[at(term.node)]) {
          sums[at(influence.bone)] += term.share * influence.weight;
        }
      }
      take_row(sums, rows[v]);
    }
  });
  return rows;
}

// Vertices without weights get those of the nearest surface that has some.
void Bbw::State::take_over(std::vector<std::vector<Influence>>& rows, SolveNotes& notes) const {
  std::vector<std::size_t> bare;
  for (std::size_t v = 0; v < rows.size(); ++v) {
    if (rows[v].empty()) bare.push_back(v);
  }
  if (bare.empty()) return;
  notes.repairs.push_back(
      fmt::format("{} vertices lie in parts without a bone; they move with what is nearest to them",
                  bare.size()));
  std::vector<Triangle> covered;
  for (const Triangle& t : triangles) {
    if (!rows[t[0]].empty() && !rows[t[1]].empty() && !rows[t[2]].empty()) covered.push_back(t);
  }
  const Bvh bvh(welded_positions, covered);
  std::vector<Vec3> points;
  for (const std::size_t v : bare) points.push_back(welded_positions[v]);
  const Weights nearest = rigid_weights(points, skeleton);
  for (std::size_t k = 0; k < bare.size(); ++k) {
    const auto hit = bvh.closest(points[k]);
    std::vector<Influence>& row = rows[bare[k]];
    if (!hit) {
      row.assign(nearest.row(k).begin(), nearest.row(k).end());
      continue;
    }
    std::vector<double> sums(skeleton.bones.size(), 0.0);
    for (std::size_t c = 0; c < 3; ++c) {
      for (const Influence& influence : rows[covered[hit->triangle][c]]) {
        sums[at(influence.bone)] += hit->barycentric[c] * influence.weight;
      }
    }
    take_row(sums, row);
  }
}

// For each node the bones that move it: those of the vertices that it carries; for nodes deeper
// inside, of the nearest such node.
std::vector<std::vector<int>> Bbw::State::bones_of_nodes(const Weights& weights) const {
  std::vector<std::vector<int>> bones(domain.points.size());
  for (std::size_t v = 0; v < positions.size(); ++v) {
    for (const Term& term : domain.vertices[node_vertex[v]]) {
      for (const Influence& influence : weights.row(v)) {
        if (influence.weight > least_weight) bones[at(term.node)].push_back(influence.bone);
      }
    }
  }
  std::vector<std::vector<int>> neighbours(domain.points.size());
  for (std::size_t e = 0; e < domain.elements.size(); ++e) {
    const auto nodes = domain.elements.of(e);
    for (const int a : nodes) {
      for (const int b : nodes) {
        if (a != b) neighbours[at(a)].push_back(b);
      }
    }
  }
  std::vector<char> reached(domain.points.size(), 0);
  std::queue<int> front;
  for (std::size_t k = 0; k < bones.size(); ++k) {
    if (bones[k].empty()) continue;
    std::sort(bones[k].begin(), bones[k].end());
    bones[k].erase(std::unique(bones[k].begin(), bones[k].end()), bones[k].end());
    reached[k] = 1;
    front.push(static_cast<int>(k));
  }
  while (!front.empty()) {
    const int node = front.front();
    front.pop();
    for (const int next : neighbours[at(node)]) {
      if (reached[at(next)] != 0) continue;
      reached[at(next)] = 1;
      bones[at(next)] = bones[at(node)];
      front.push(next);
    }
  }
  return bones;
}

void Bbw::State::find_caps(std::size_t bone, const Piece& piece, BoneCaps& caps) const {
  const Bone& segment = skeleton.bones[bone];
  const Vec3 along = segment.tail - segment.head;
  detail::BoneTip head{segment.head, -along, {}, {}}, tail{segment.tail, along, {}, {}};
  for (const std::size_t s : piece.samples) {
    const std::vector<BoneAt>& here = bones_at[s];
    if (here.size() == 1 && at(here[0].bone) == bone) {
      if (here[0].t <= end_tolerance) head.at_tip.push_back(s);
      if (here[0].t >= 1 - end_tolerance) tail.at_tip.push_back(s);
    } else {
      head.of_others.push_back(s);
      tail.of_others.push_back(s);
    }
  }
  caps.find(domain, piece, head, tail);
}

std::vector<double> Bbw::State::direct(const Weights& weights, SolveNotes& notes,
                                       const Progress& progress) const {
  const std::vector<std::vector<int>> bones = bones_of_nodes(weights);
  const std::size_t bone_count = skeleton.bones.size();
  std::vector<std::vector<std::size_t>> elements(bone_count);
  for (std::size_t e = 0; e < domain.elements.size(); ++e) {
    for (const int node : domain.elements.of(e)) {
      for (const int bone : bones[at(node)]) elements[at(bone)].push_back(e);
    }
  }
  for (std::size_t s = 0; s < bones_at.size(); ++s) {
    for (const BoneAt& b : bones_at[s]) elements[at(b.bone)].push_back(domain.sample_elements[s]);
  }
  for (auto& list : elements) list = domain.with_hosts(std::move(list));
  // What each bone's endpoint weight is at the nodes that it moves.
  std::vector<std::vector<double>> values(bone_count);
  std::vector<BoneCaps> caps(bone_count);
  std::vector<detail::BoundedSolution> solutions(bone_count);
  std::vector<std::size_t> unknowns(bone_count, 0);
  const auto solve = [&](std::size_t bone) {
    values[bone].assign(domain.points.size(), -1.0);
    for (Piece& piece : detail::pieces_of(domain, elements[bone])) {
      std::vector<std::vector<Target>> targets;
      std::vector<std::size_t> samples;
      for (const std::size_t s : piece.samples) {
        for (const BoneAt& b : bones_at[s]) {
          if (at(b.bone) != bone) continue;
          samples.push_back(s);
          targets.push_back({{0, b.t}});
        }
      }
      if (samples.empty()) continue;
      const std::size_t elsewhere = caps[bone].ends().size();
      find_caps(bone, piece, caps[bone]);
      std::vector<GivenNode> given;
      for (const BoneCaps::End& end : caps[bone].ends().subspan(elsewhere)) {
        for (const int node : end.cap.nodes()) given.push_back({node, {{0, end.value}}});
      }
      piece.samples = std::move(samples);
      const Bone& segment = skeleton.bones[bone];
      // That of a bend by a tenth of the bone's length over its length, everywhere: along a
      // straight bone t itself has hardly any energy.
      double volume = 0;
      for (const std::size_t e : piece.elements) {
        const auto first = domain.elements.masses.begin();
        volume += std::accumulate(
            first + static_cast<std::ptrdiff_t>(domain.elements.nodes.offsets[e]),
            first + static_cast<std::ptrdiff_t>(domain.elements.nodes.offsets[e + 1]), 0.0);
      }
      detail::BoundedOptions how = endpoint_solver();
      how.least_objective = 0.01 * volume / std::pow(distance(segment.head, segment.tail), 4);
      const HeldSolution solution = detail::solve_held(domain, piece, 1, targets, given, how, {});
      for (std::size_t k = 0; k < piece.nodes.size(); ++k) {
        values[bone][at(piece.nodes[k])] = solution.values[k];
      }
      unknowns[bone] += piece.nodes.size();
      solutions[bone].iterations = std::max(solutions[bone].iterations, solution.notes.iterations);
      solutions[bone].gap = std::max(solutions[bone].gap, solution.notes.gap);
      solutions[bone].objective += solution.notes.objective;
    }
  };
  constexpr std::size_t batch = 8;
  for (std::size_t first = 0; first < bone_count; first += batch) {
    progress.report("endpoint weights",
                    static_cast<double>(first) / static_cast<double>(bone_count));
    const std::size_t count = std::min(batch, bone_count - first);
    parallel_for(count, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b) solve(first + b);
    });
  }
  for (std::size_t b = 0; b < bone_count; ++b)
    note(notes, solutions[b], unknowns[b], endpoint_gap());
  std::vector<double> endpoints(weights.influences.size());
  std::size_t projected = 0;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const auto terms = domain.vertices[node_vertex[v]];
    for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
      const std::size_t b = at(weights.influences[i].bone);
      const bool known = !terms.empty() && std::all_of(terms.begin(), terms.end(), [&](Term term) {
        return values[b][at(term.node)] >= 0;
      });
      endpoints[i] =
          endpoint(v, b, known ? std::optional(caps[b].value(terms, values[b])) : std::nullopt);
      if (!known && weights.influences[i].weight > 100 * least_weight) ++projected;
    }
  }
  if (projected > 0) {
    notes.repairs.push_back(fmt::format(
        "{} endpoint weights are projections, as no way through the shape leads to their bone",
        projected));
  }
  return endpoints;
}

// Where the shape could not be tied to a bone so that it follows the bone's length, as if the bone
// were in it, projection is the best there is.
void Bbw::State::project_where_stiff(const Weights& weights, SolvedEndpoints& result) const {
  const std::vector<int> stiff =
      bones_that_cannot_stretch(positions, skeleton, weights, result.endpoints);
  for (const int bone : stiff) {
    for (std::size_t v = 0; v < positions.size(); ++v) {
      for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
        if (weights.influences[i].bone != bone) continue;
        result.endpoints[i] = endpoint(v, at(bone), std::nullopt);
      }
    }
    result.notes.repairs.push_back(fmt::format(
        "endpoint weights of bone {} are projections, as what it moves is not tied to its length",
        bone));
  }
}

std::vector<double> Bbw::State::from_joints(const Weights& weights, SolveNotes& notes,
                                            const Progress& progress) const {
  const BoneEnds ends = bone_ends(skeleton);
  std::vector<std::size_t> all(domain.elements.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::size_t joints = ends.points.size();
  std::vector<std::vector<Influence>> node_rows(domain.points.size());
  std::vector<BoneCaps> caps(skeleton.bones.size());
  for (const Piece& piece : detail::pieces_of(domain, all)) {
    if (piece.samples.empty()) continue;
    std::vector<std::vector<Target>> targets;
    for (const std::size_t s : piece.samples) {
      std::vector<Target>& target = targets.emplace_back();
      const double share = 1.0 / static_cast<double>(std::max<std::size_t>(bones_at[s].size(), 1));
      for (const BoneAt& b : bones_at[s]) {
        target.push_back({at(ends.bones[at(b.bone)][0]), share * (1 - b.t)});
        target.push_back({at(ends.bones[at(b.bone)][1]), share * b.t});
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
    std::vector<GivenNode> given;
    for (std::size_t b = 0; b < caps.size(); ++b) {
      const std::size_t elsewhere = caps[b].ends().size();
      find_caps(b, piece, caps[b]);
      for (const BoneCaps::End& end : caps[b].ends().subspan(elsewhere)) {
        const std::size_t joint = at(ends.bones[b][end.value == 0 ? 0 : 1]);
        for (const int node : end.cap.nodes()) given.push_back({node, {{joint, 1.0}}});
      }
    }
    const HeldSolution solution =
        detail::solve_held(domain, piece, joints, targets, given, endpoint_solver(), progress);
    note(notes, solution.notes, piece.nodes.size(), endpoint_gap());
    for (std::size_t k = 0; k < piece.nodes.size(); ++k) {
      for (std::size_t j = 0; j < joints; ++j) {
        const double value = solution.values[k * joints + j];
        if (value > 0) node_rows[at(piece.nodes[k])].push_back({static_cast<int>(j), value});
      }
    }
  }
  // Of bones with caps, their endpoint weights at all nodes.
  std::vector<std::vector<double>> of_nodes(skeleton.bones.size());
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
  std::vector<double> endpoints(weights.influences.size());
  std::vector<double> sums(joints, 0.0);
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const auto terms = domain.vertices[node_vertex[v]];
    std::fill(sums.begin(), sums.end(), 0.0);
    for (const Term& term : terms) {
      for (const Influence& influence : node_rows[at(term.node)]) {
        sums[at(influence.bone)] += term.share * influence.weight;
      }
    }
    for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
      const std::size_t b = at(weights.influences[i].bone);
      const double start = std::clamp(sums[at(ends.bones[b][0])], 0.0, 1.0);
      const double end = std::clamp(sums[at(ends.bones[b][1])], 0.0, 1.0);
      const double solved =
          caps[b].ends().empty() ? ((1 - start) + end) / 2 : caps[b].value(terms, of_nodes[b]);
      endpoints[i] = endpoint(v, b, terms.empty() ? std::nullopt : std::optional(solved));
    }
  }
  return endpoints;
}

Bbw::Bbw(const Mesh& mesh, const Skeleton& skeleton, const BbwOptions& options,
         const Progress& progress)
    : state_(std::make_unique<State>()) {
  validate(mesh);
  validate(skeleton);
  if (skeleton.bones.empty()) throw InputError("skeleton", "there are no bones to weigh for");
  if (options.lattice_nodes == 0 || options.iterations == 0 || !(options.gap > 0)) {
    throw UsageError("lattice_nodes, iterations and gap must be above 0");
  }
  State& s = *state_;
  s.options = options;
  s.skeleton = skeleton;
  s.positions = mesh.positions;
  bool in_plane = false;
  std::vector<std::string> repairs;
  if (mesh.tetrahedra.empty()) {
    Welded welded = weld(mesh.positions, mesh.triangles);
    if (const auto flat = find_flat(welded.positions, welded.triangles)) {
      in_plane = true;
      if (flat->thickness > 1e-9 * flat->width) {
        repairs.push_back(fmt::format(
            "the shape is flat (as thick as {:.2g} of its width) and is weighed in its plane",
            flat->thickness / flat->width));
      }
      detail::lay_flat(*flat, welded);
      detail::lay_flat(*flat, s.skeleton);
      for (Vec3& p : s.positions) p = flat->flattened(p);
    }
    s.node_vertex = std::move(welded.representative_of);
    s.welded_positions = std::move(welded.positions);
    s.triangles = std::move(welded.triangles);
  } else {
    s.node_vertex.resize(mesh.positions.size());
    std::iota(s.node_vertex.begin(), s.node_vertex.end(), Index{0});
    s.welded_positions = mesh.positions;
    s.triangles = mesh.triangles;
  }
  s.on_bone = detail::on_bone_tolerance(s.skeleton, s.positions);
  Mesh plain;
  plain.positions = s.welded_positions;
  plain.triangles = s.triangles;
  plain.tetrahedra = mesh.tetrahedra;
  s.domain = in_plane || !mesh.tetrahedra.empty()
                 ? detail::mesh_domain(plain, s.skeleton)
                 : detail::lattice_domain(plain.positions, plain.triangles, s.skeleton,
                                          options.lattice_nodes, progress);
  s.domain.repairs.insert(s.domain.repairs.begin(), repairs.begin(), repairs.end());
  s.find_bones_at_samples();
}

Bbw::~Bbw() = default;
Bbw::Bbw(Bbw&&) noexcept = default;
Bbw& Bbw::operator=(Bbw&&) noexcept = default;

SolvedWeights Bbw::weights(const Progress& progress) const {
  SolvedWeights result;
  result.notes.repairs = state_->domain.repairs;
  std::vector<std::vector<Influence>> rows = state_->solve_weights(result.notes, progress);
  state_->take_over(rows, result.notes);
  for (const Index vertex : state_->node_vertex) result.weights.push_row(rows[vertex]);
  return result;
}

SolvedEndpoints Bbw::endpoints(const Weights& weights, EndpointSource source,
                               const Progress& progress) const {
  validate(weights, state_->positions.size(), state_->skeleton.bones.size());
  SolvedEndpoints result;
  result.notes.repairs = state_->domain.repairs;
  result.endpoints = source == EndpointSource::bones
                         ? state_->direct(weights, result.notes, progress)
                         : state_->from_joints(weights, result.notes, progress);
  state_->project_where_stiff(weights, result);
  return result;
}

std::size_t Bbw::node_count() const { return state_->domain.points.size(); }

}  // namespace sinew
