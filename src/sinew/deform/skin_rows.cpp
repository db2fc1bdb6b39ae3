// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/skin_rows.h"

#include "sinew/skin/projection.h"

namespace sinew {

SkinRows unfiltered_skin_rows(const Rig& rig) {
  const bool has_skin = rig.skin.weights.vertex_count() > 0;
  validate(rig.skin, has_skin ? rig.mesh.vertex_count() : 0, rig.skeleton.bones.size());
  SkinRows rows;
  rows.offsets.assign(rig.mesh.vertex_count() + 1, 0);
  if (!has_skin) return rows;
  Weights weights = rig.skin.weights;
  normalize(weights);
  const std::vector<double> stretch =
      rig.skin.endpoints.empty()
          ? projection_endpoints(rig.mesh.positions, rig.skeleton, rig.skin.weights)
          : rig.skin.endpoints;
  const std::vector<double>& twist =
      rig.skin.twist_endpoints.empty() ? stretch : rig.skin.twist_endpoints;
  rows.items.reserve(weights.influences.size());
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
      const auto [bone, weight] = weights.influences[i];
      if (weight > 0) rows.items.push_back({bone, weight, stretch[i], twist[i]});
    }
    rows.offsets[v + 1] = rows.items.size();
  }
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
