// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/bbw_weights.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "sinew/core/parallel.h"
#include "sinew/geometry/bvh.h"
#include "sinew/mesh/triangle.h"
#include "sinew/weights/detail/bounded_notes.h"
#include "sinew/weights/detail/numbers.h"
#include "sinew/weights/rigid.h"

namespace sinew::detail {
namespace {

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

// Rows of the domain's mesh; empty for vertices in no piece with a bone.
std::vector<std::vector<Influence>> solve_rows(const BoneDomain& d, const BoundedOptions& options,
                                               SolveNotes& notes, const Progress& progress) {
  const Domain& domain = d.domain;
  std::vector<std::vector<Influence>> node_rows(domain.points.size());
  std::size_t done = 0;
  const auto share_done = [&] {
    return static_cast<double>(done) / static_cast<double>(domain.elements.size());
  };
  for (const auto& [piece, bones, targets] : weight_pieces(d)) {
    const double begin = share_done();
    done += piece.elements.size();
    if (bones.size() == 1) {
      for (const int node : piece.nodes) node_rows[node] = {{bones[0], 1.0}};
      continue;
    }
    const HeldSolution solution = solve_held(domain, piece, bones.size(), targets, {}, options,
                                             progress.part(begin, share_done()));
    add_to_notes(notes, solution.notes, piece.nodes.size(), options.tolerance);
    for (std::size_t k = 0; k < piece.nodes.size(); ++k) {
      std::vector<Influence>& row = node_rows[piece.nodes[k]];
      for (std::size_t j = 0; j < bones.size(); ++j) {
        const double value = solution.values[k * bones.size() + j];
        if (value > 0) row.push_back({bones[j], value});
      }
    }
  }
  std::vector<std::vector<Influence>> rows(domain.vertices.size());
  parallel_for(rows.size(), 1024, [&](std::size_t begin, std::size_t end) {
    std::vector<double> sums(d.skeleton.bones.size(), 0.0);
    for (std::size_t v = begin; v < end; ++v) {
      for (const Term& term : domain.vertices[v]) {
        for (const Influence& influence : node_rows[term.node]) {
          sums[influence.bone] += term.share * influence.weight;
        }
      }
      take_row(sums, rows[v]);
    }
  });
  return rows;
}

// From a point to the bones of a row.
double distance_to(const std::vector<Bone>& bones, std::span<const Influence> row, const Vec3& p) {
  double least = std::numeric_limits<double>::infinity();
  for (const Influence& influence : row) {
    const Bone& bone = bones[influence.bone];
    const double t = closest_on_segment(p, bone.head, bone.tail);
    least = std::min(least, distance(p, lerp(bone.head, bone.tail, t)));
  }
  return least;
}

// Vertices without weights get those of the nearest surface that has some, or of the nearest bone
// where that is nearer.
void take_over(const BoneDomain& d, std::vector<std::vector<Influence>>& rows, SolveNotes& notes) {
  std::vector<std::size_t> bare;
  for (std::size_t v = 0; v < rows.size(); ++v) {
    if (rows[v].empty()) bare.push_back(v);
  }
  if (bare.empty()) return;
  std::vector<char> in_triangle(rows.size(), 0);
  std::vector<Triangle> covered;
  for (const Triangle& t : d.triangles) {
    for (const Index v : t) in_triangle[v] = 1;
    if (!rows[t[0]].empty() && !rows[t[1]].empty() && !rows[t[2]].empty()) covered.push_back(t);
  }
  const Bvh bvh(d.welded_positions, covered);
  std::vector<Vec3> points;
  for (const std::size_t v : bare) points.push_back(d.welded_positions[v]);
  const Weights nearest = rigid_weights(points, d.skeleton);
  for (std::size_t k = 0; k < bare.size(); ++k) {
    const auto hit = bvh.closest(points[k]);
    std::vector<Influence>& row = rows[bare[k]];
    if (!hit || hit->distance > distance_to(d.skeleton.bones, nearest.row(k), points[k])) {
      row.assign(nearest.row(k).begin(), nearest.row(k).end());
      // What no triangle uses is not seen.
      if (in_triangle[bare[k]] != 0) ++notes.adrift;
      continue;
    }
    std::vector<double> sums(d.skeleton.bones.size(), 0.0);
    for (std::size_t c = 0; c < 3; ++c) {
      for (const Influence& influence : rows[covered[hit->triangle][c]]) {
        sums[influence.bone] += hit->barycentric[c] * influence.weight;
      }
    }
    take_row(sums, row);
  }
  if (notes.adrift == bare.size()) return;
  notes.repairs.push_back(
      fmt::format("{} vertices lie in parts without a bone; they take the weights of the nearest "
                  "surface that has some",
                  bare.size() - notes.adrift));
}

}  // namespace

std::vector<WeightPiece> weight_pieces(const BoneDomain& d) {
  std::vector<std::size_t> all(d.domain.elements.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<WeightPiece> result;
  for (Piece& piece : pieces_of(d.domain, all)) {
    std::vector<int> bones;
    for (const std::size_t s : piece.samples) {
      for (const BoneAt& b : d.bones_at[s]) bones.push_back(b.bone);
    }
    std::sort(bones.begin(), bones.end());
    bones.erase(std::unique(bones.begin(), bones.end()), bones.end());
    if (bones.empty()) continue;
    std::vector<std::vector<Target>> targets;
    for (const std::size_t s : piece.samples) {
      std::vector<Target>& target = targets.emplace_back();
      for (const BoneAt& b : d.bones_at[s]) {
        const auto column = std::lower_bound(bones.begin(), bones.end(), b.bone) - bones.begin();
        target.push_back({static_cast<std::size_t>(column), 1.0 / double(d.bones_at[s].size())});
      }
    }
    result.push_back({std::move(piece), std::move(bones), std::move(targets)});
  }
  return result;
}

SolvedWeights bbw_weights(const BoneDomain& d, const BoundedOptions& options,
                          const Progress& progress) {
  SolvedWeights result;
  result.notes.repairs = d.domain.repairs;
  std::vector<std::vector<Influence>> rows = solve_rows(d, options, result.notes, progress);
  take_over(d, rows, result.notes);
  for (const Index vertex : d.node_vertex) result.weights.push_row(rows[vertex]);
  return result;
}

}  // namespace sinew::detail
