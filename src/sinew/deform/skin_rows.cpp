// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/skin_rows.h"

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/skin/projection.h"

namespace sinew {

namespace {

void require_skin(const Rig& rig) {
  const bool has_skin = rig.weights.vertex_count() > 0;
  validate(rig.weights, has_skin ? rig.mesh.vertex_count() : 0, rig.skeleton.bones.size());
  if (!has_skin) return;
  validate_endpoints(rig.weights, rig.endpoints, "endpoint weight");
  validate_endpoints(rig.weights, rig.twist_endpoints, "twist endpoint weight");
  if (!rig.filters.empty() && rig.filters.size() != rig.skeleton.bones.size()) {
    throw InputError("filters", formatted("{} filters for {} bones", rig.filters.size(),
                                          rig.skeleton.bones.size()));
  }
}

}  // namespace

SkinRows unfiltered_skin_rows(const Rig& rig) {
  require_skin(rig);
  SkinRows rows;
  rows.offsets.assign(rig.mesh.vertex_count() + 1, 0);
  if (rig.weights.vertex_count() == 0) return rows;
  Weights weights = rig.weights;
  normalize(weights);
  const std::vector<double> stretch =
      rig.endpoints.empty() ? projection_endpoints(rig.mesh.positions, rig.skeleton, rig.weights)
                            : rig.endpoints;
  const std::vector<double>& twist = rig.twist_endpoints.empty() ? stretch : rig.twist_endpoints;
  rows.influences.reserve(weights.influences.size());
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
      const auto [bone, weight] = weights.influences[i];
      if (weight > 0) rows.influences.push_back({bone, weight, stretch[i], twist[i]});
    }
    rows.offsets[v + 1] = rows.influences.size();
  }
  return rows;
}

SkinRows skin_rows(const Rig& rig) {
  SkinRows rows = unfiltered_skin_rows(rig);
  if (rig.filters.empty()) return rows;
  for (SkinInfluence& influence : rows.influences) {
    const BoneFilter& filter = rig.filters[influence.bone];
    influence.stretch = evaluate(filter.stretch, influence.stretch);
    influence.twist = evaluate(filter.twist, influence.twist);
  }
  return rows;
}

}  // namespace sinew
