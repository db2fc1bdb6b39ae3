// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/skin_rows.h"

#include <numeric>

#include "sinew/core/parallel.h"
#include "sinew/deform/internal/skin_reader.h"

namespace sinew {

SkinRows unfiltered_skin_rows(const Rig& rig) {
  const bool has_skin = rig.skin.weights.vertex_count() > 0;
  validate(rig.skin, has_skin ? rig.mesh.vertex_count() : 0, rig.skeleton.bones.size());
  SkinRows rows;
  rows.offsets.assign(rig.mesh.vertex_count() + 1, 0);
  if (!has_skin) return rows;
  const SkinReader reader(rig);
  constexpr std::size_t grain = 4096;
  parallel_for(rig.mesh.vertex_count(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      reader.each(v, [&](auto&&...) { ++rows.offsets[v + 1]; });
    }
  });
  std::partial_sum(rows.offsets.begin(), rows.offsets.end(), rows.offsets.begin());
  rows.items.resize(rows.offsets.back());
  parallel_for(rig.mesh.vertex_count(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      auto to = rows.items.begin() + static_cast<std::ptrdiff_t>(rows.offsets[v]);
      reader.each_influence(v, [&](const SkinInfluence& influence) { *to++ = influence; });
    }
  });
  return rows;
}

SkinRows skin_rows(const Rig& rig) {
  SkinRows rows = unfiltered_skin_rows(rig);
  if (rig.skin.filters.empty()) return rows;
  for (SkinInfluence& influence : rows.items) {
    const BoneFilter& filter = rig.skin.filters[influence.bone];
    influence.stretch_endpoint = evaluate(filter.stretch, influence.stretch_endpoint);
    influence.twist_endpoint = evaluate(filter.twist, influence.twist_endpoint);
  }
  return rows;
}

}  // namespace sinew
