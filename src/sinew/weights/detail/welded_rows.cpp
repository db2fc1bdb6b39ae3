// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/welded_rows.h"

#include <algorithm>

namespace sinew::detail {
namespace {

std::vector<Tetrahedron> welded_tetrahedra(const Mesh& mesh, const Welded& welded) {
  std::vector<Tetrahedron> tetrahedra = mesh.tetrahedra;
  for (Tetrahedron& tetrahedron : tetrahedra) {
    for (Index& v : tetrahedron) v = welded.representative_of[v];
  }
  return tetrahedra;
}

}  // namespace

WeldedMesh::WeldedMesh(const Mesh& mesh)
    : surface(weld(mesh.positions, mesh.triangles)),
      copies(places_of(surface.representative_of, surface.positions.size())),
      neighbors(vertex_neighbors(surface.positions.size(), surface.triangles,
                                 welded_tetrahedra(mesh, surface))) {}

std::vector<SkinRow> WeldedMesh::gather(const Skin& skin, RowMixer& mixer) const {
  const std::vector<SkinRow> all = to_rows(skin);
  std::vector<SkinRow> rows(surface.positions.size());
  for (std::size_t v = 0; v < rows.size(); ++v) {
    const std::span<const Index> of_vertex = copies[v];
    const SkinRow& first = all[of_vertex.front()];
    if (std::all_of(of_vertex.begin(), of_vertex.end(),
                    [&](Index copy) { return all[copy] == first; })) {
      rows[v] = first;
      continue;
    }
    for (const Index copy : of_vertex) mixer.add(all[copy], 1);
    mixer.take(rows[v]);
    normalize(rows[v]);
  }
  return rows;
}

Skin WeldedMesh::scatter(std::span<const SkinRow> rows, const Skin& like) const {
  std::vector<SkinRow> all;
  all.reserve(surface.representative_of.size());
  for (const Index v : surface.representative_of) all.push_back(rows[v]);
  return from_rows(all, like);
}

void RowSmoother::smooth(std::span<const SkinRow> rows, std::size_t vertex,
                         std::span<const Index> neighbors, double strength, SkinRow& result) {
  double covered = 0;
  for (const Index n : neighbors) {
    const double sum = row_sum(rows[n]);
    if (!(sum > 0)) continue;
    mixer_.add(rows[n], 1 / sum);
    covered += 1;
  }
  mixer_.take(mean_);
  result = rows[vertex];
  if (covered == 0) return;
  for (RowInfluence& influence : mean_) influence.weight /= covered;
  if (endpoints_) smooth_endpoints(strength, result);
  if (bone_weights_) {
    own_ = result;
    smooth_weights(own_, strength, result);
  }
}

const RowInfluence* RowSmoother::in_mean(int bone) const {
  const auto found = std::lower_bound(
      mean_.begin(), mean_.end(), bone,
      [](const RowInfluence& influence, int wanted) { return influence.bone < wanted; });
  return found != mean_.end() && found->bone == bone ? &*found : nullptr;
}

void RowSmoother::smooth_endpoints(double strength, SkinRow& result) const {
  for (RowInfluence& influence : result) {
    const RowInfluence* mean = in_mean(influence.bone);
    if (mean == nullptr || locks_.has(influence.bone)) continue;
    const auto towards = [&](double from, double to) {
      return std::clamp(from + strength * (to - from), 0.0, 1.0);
    };
    influence.endpoint = towards(influence.endpoint, mean->endpoint);
    influence.twist_endpoint = towards(influence.twist_endpoint, mean->twist_endpoint);
  }
}

void RowSmoother::smooth_weights(const SkinRow& own, double strength, SkinRow& result) const {
  const double sum = row_sum(own);
  const double keep = sum > 0 ? (1 - strength) / sum : 0;
  const double take = sum > 0 ? strength : 1;
  result.clear();
  for (const RowInfluence& influence : own) {
    result.push_back(influence);
    if (locks_.has(influence.bone)) continue;
    const RowInfluence* mean = in_mean(influence.bone);
    result.back().weight = keep * influence.weight + (mean != nullptr ? take * mean->weight : 0);
  }
  for (const RowInfluence& mean : mean_) {
    if (locks_.has(mean.bone) || !(take * mean.weight > 0)) continue;
    if (std::any_of(own.begin(), own.end(),
                    [&](const RowInfluence& i) { return i.bone == mean.bone; })) {
      continue;
    }
    result.push_back({mean.bone, take * mean.weight, mean.endpoint, mean.twist_endpoint});
  }
  // Even if the neighbours have only locked bones, the row must still sum to 1.
  const bool filled = std::any_of(result.begin(), result.end(), [&](const RowInfluence& i) {
    return i.weight > 0 && !locks_.has(i.bone);
  });
  if (!filled) result = own;
  normalize(result, locks_);
  std::erase_if(result, [](const RowInfluence& i) { return !(i.weight > 0); });
}

}  // namespace sinew::detail
