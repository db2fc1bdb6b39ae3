// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/transfer.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "sinew/core/error.h"
#include "sinew/core/math.h"
#include "sinew/core/parallel.h"
#include "sinew/weights/detail/like_parts.h"
#include "sinew/weights/detail/surface_lookup.h"
#include "sinew/weights/detail/welded_rows.h"

namespace sinew {
namespace {

using detail::SkinRow;

constexpr int fill_rounds = 30;
constexpr double least_filled_weight = 1e-4;

// The mean of the neighbours that have rows, without what is not worth keeping.
void fill_from_neighbors(std::span<const SkinRow> rows, std::span<const Index> neighbors,
                         detail::RowMixer& mixer, SkinRow& row) {
  for (const Index n : neighbors) mixer.add(rows[n], 1);
  mixer.take(row);
  detail::normalize(row);
  std::erase_if(row, [](const auto& influence) { return influence.weight < least_filled_weight; });
  detail::normalize(row);
}

// Spreads the rows there are over the empty ones that are connected to them.
void fill(std::vector<SkinRow>& rows, const Adjacency& neighbors, detail::RowMixer& mixer) {
  std::vector<Index> front;
  for (std::size_t v = 0; v < rows.size(); ++v) {
    if (!rows[v].empty()) front.push_back(static_cast<Index>(v));
  }
  std::vector<Index> filled;
  std::vector<bool> reached(rows.size(), false);
  for (const Index v : front) reached[v] = true;
  while (!front.empty()) {
    std::vector<Index> next;
    for (const Index v : front) {
      for (const Index n : neighbors[v]) {
        if (reached[n]) continue;
        reached[n] = true;
        next.push_back(n);
      }
    }
    std::sort(next.begin(), next.end());
    for (const Index v : next) fill_from_neighbors(rows, neighbors[v], mixer, rows[v]);
    filled.insert(filled.end(), next.begin(), next.end());
    front = std::move(next);
  }
  for (int round = 0; round < fill_rounds; ++round) {
    for (const Index v : filled) fill_from_neighbors(rows, neighbors[v], mixer, rows[v]);
  }
}

std::vector<SkinRow> normalized_rows(const Skin& skin) {
  std::vector<SkinRow> rows = detail::to_rows(skin);
  bool any = false;
  for (SkinRow& row : rows) {
    std::erase_if(row, [](const auto& influence) { return !(influence.weight > 0); });
    detail::normalize(row);
    any = any || !row.empty();
  }
  if (!any) throw InputError("weights", "they cover no vertex of the mesh that they come from");
  return rows;
}

}  // namespace

Transferred transfer(const Mesh& source, const Skin& skin, const Mesh& target,
                     const TransferOptions& options) {
  if (!(options.max_distance >= 0) || !(options.max_angle >= 0)) {
    throw UsageError("the largest distance and angle of a match must be numbers of at least 0");
  }
  const std::size_t bone_count = bones_used(skin);
  validate(skin, source.vertex_count(), bone_count);
  const std::vector<SkinRow> source_rows = normalized_rows(skin);
  const detail::WeldedMesh welded(target);
  const detail::SurfaceLookup there(source, weld(source.positions, source.triangles));
  const detail::SurfaceLookup here(target, welded.surface);
  const double reach = options.max_distance * bounding_box(source.positions).diagonal();
  const double min_cosine = math::cos(std::min(options.max_angle, pi));

  Transferred result;
  std::vector<int> like(here.part_count(), -1);
  if (there.part_count() > 1) {
    like = detail::like_parts(source, there, target, here, min_cosine, reach);
    result.paired_parts =
        like.size() - static_cast<std::size_t>(std::count(like.begin(), like.end(), -1));
  }
  const auto has_weights = [&](Index cell) {
    const Triangle& t = there.cell(cell);
    return std::any_of(t.begin(), t.end(), [&](Index v) { return !source_rows[v].empty(); });
  };

  std::vector<std::optional<SurfacePoint>> matches(welded.surface.positions.size());
  const auto match = [&](std::size_t v, bool any_will_do) {
    const Index vertex = welded.surface.source[v];
    const int part = like[here.part_of_vertex(vertex)];
    detail::SurfaceQuery query{target.positions[vertex], here.normal(vertex), min_cosine, reach};
    if (any_will_do) query = {target.positions[vertex], {}};
    matches[v] = there.closest(query, [&](Index cell) {
      return (any_will_do || part == -1 || there.part_of_cell(cell) == part) && has_weights(cell);
    });
  };
  parallel_for(matches.size(), 512, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) match(v, false);
  });

  detail::RowMixer mixer(bone_count);
  std::vector<SkinRow> rows(matches.size());
  const auto set_row = [&](std::size_t v) {
    if (!matches[v]) return;
    // At a corner without weights there is nothing to interpolate: such a vertex is filled.
    detail::add_interpolated(mixer, source_rows, there.cell(matches[v]->triangle),
                             matches[v]->barycentric);
    mixer.take(rows[v]);
    detail::normalize(rows[v]);
  };
  const auto empty_vertices = [&] {
    std::vector<Index> empty;
    for (std::size_t v = 0; v < target.vertex_count(); ++v) {
      if (rows[welded.surface.representative_of[v]].empty()) empty.push_back(static_cast<Index>(v));
    }
    return empty;
  };

  for (std::size_t v = 0; v < rows.size(); ++v) set_row(v);
  const std::vector<Index> without_match = empty_vertices();
  fill(rows, welded.neighbors, mixer);
  result.far = empty_vertices();
  std::set_difference(without_match.begin(), without_match.end(), result.far.begin(),
                      result.far.end(), std::back_inserter(result.filled));
  result.matched = target.vertex_count() - without_match.size();
  for (std::size_t v = 0; v < rows.size(); ++v) {
    if (!rows[v].empty()) continue;
    match(v, true);
    set_row(v);
    // The nearest point may be a corner without weights of a triangle that has some.
    if (!rows[v].empty()) continue;
    for (const Index corner : there.cell(matches[v]->triangle)) mixer.add(source_rows[corner], 1);
    mixer.take(rows[v]);
    detail::normalize(rows[v]);
  }
  result.skin = welded.scatter(rows, skin);
  result.skin.blend_shares.clear();  // these are of the source's vertices
  return result;
}

}  // namespace sinew
