// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/internal/offset_curve/model.h"

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/deform/default_curves.h"
#include "sinew/deform/internal/offset_curve/radius.h"

namespace sinew::offset_curve {
namespace {

std::vector<Chain> chains_of(const Rig& rig) {
  validate(rig.offset_curves, rig.mesh.vertex_count(), rig.skeleton.bones.size());
  const std::vector<InfluenceCurve>& curves = rig.offset_curves.curves;
  return make_chains(rig.skeleton, curves.empty() ? default_curves(rig.skeleton) : curves);
}

std::unique_ptr<CurveWeights> weights_of(const Rig& rig, std::span<const Chain> chains) {
  return std::make_unique<CurveWeights>(chains, rig.offset_curves.painted_weights,
                                        rig.skeleton.bones.size());
}

}  // namespace

ArcModel::ArcModel(const Rig& rig, const OffsetCurveArc& settings)
    : chains_(chains_of(rig)),
      roundness_(settings.roundness.value_or(rig.offset_curves.roundness)) {
  if (!(roundness_ >= 0) || !std::isfinite(roundness_)) {
    throw UsageError(formatted("the roundness is {}; it must be 0 or more", roundness_));
  }
  weights_ = weights_of(rig, chains_);
  for (const Chain& chain : chains_) {
    curves_.push_back(arc_curve(chain, static_cast<int>(item_count_), roundness_));
    item_count_ += chain.segments.size() - 1;
  }
}

void ArcModel::pose(std::size_t curve, const PosedChain& posed,
                    std::span<Item<double>> items) const {
  const std::size_t first = curves_[curve].first_joint;
  for (std::size_t k = 0; k < posed.bends.size(); ++k)
    items[first + k] = arc_joint(chains_[curve], posed, k, roundness_);
}

SplineModel::SplineModel(const Rig& rig, const OffsetCurveSpline& settings,
                         std::span<const Vec3> positions)
    : chains_(chains_of(rig)) {
  const double placement = settings.placement.value_or(rig.offset_curves.placement);
  if (!(placement > 0) || !std::isfinite(placement)) {
    throw UsageError(formatted(
        "control points are placed {} radii from the joints; it must be above 0", placement));
  }
  weights_ = weights_of(rig, chains_);
  const auto radii = limb_radii(chains_, *weights_, positions, rig.mesh.triangles, skin_rows(rig));
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    curves_.push_back(spline_curve(chains_[c], radii[c], placement, static_cast<int>(item_count_)));
    item_count_ += curves_.back().pieces.size();
  }
}

void SplineModel::pose(std::size_t curve, const PosedChain& posed,
                       std::span<Item<double>> items) const {
  const SplineCurve& spline = curves_[curve];
  pose_pieces(spline, posed,
              items.subspan(static_cast<std::size_t>(spline.first_piece), spline.pieces.size()));
}

}  // namespace sinew::offset_curve
