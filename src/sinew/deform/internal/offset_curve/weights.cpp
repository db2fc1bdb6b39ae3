// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/internal/offset_curve/weights.h"

#include <algorithm>
#include <cmath>

namespace sinew::offset_curve {
namespace {

double sum_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

void scale_to_one(std::span<double> values) {
  const double sum = sum_of(values);
  if (!(sum > 0)) return;
  for (double& value : values) value /= sum;
}

void from_distance(std::span<const Chain> chains, const Vec3& p, std::span<double> out) {
  for (std::size_t c = 0; c < chains.size(); ++c) out[c] = nearest_place(chains[c], p).distance;
  const double least = *std::min_element(out.begin(), out.end());
  for (double& value : out) {
    const double share = least > 0 ? least / value : (value > 0 ? 0.0 : 1.0);
    value = share * share * share * share;
  }
}

}  // namespace

CurveWeights::CurveWeights(std::span<const Chain> chains, std::span<const double> painted,
                           std::size_t bone_count)
    : chains_(chains), painted_(painted), curves_of_bone_(bone_count), curves_from_(bone_count) {
  for (std::size_t c = 0; c < chains.size(); ++c) {
    for (const int bone : chains[c].own_bones) {
      curves_of_bone_[bone].push_back(static_cast<int>(c));
    }
    if (chains[c].lead_in >= 0) {
      curves_from_[chains[c].lead_in].push_back(static_cast<int>(c));
    }
  }
}

void CurveWeights::from_bones(std::span<const SkinInfluence> row, std::span<double> out) const {
  const auto each_own = [&](const SkinInfluence& influence, auto&& give) {
    const auto& curves = curves_of_bone_[influence.bone];
    const double share =
        influence.weight / static_cast<double>(std::max<std::size_t>(curves.size(), 1));
    for (const int c : curves) give(static_cast<std::size_t>(c), share);
  };
  const auto own_weight = [&](int curve) {
    double sum = 0;
    for (const SkinInfluence& influence : row) {
      each_own(influence, [&](std::size_t c, double share) {
        if (c == static_cast<std::size_t>(curve)) sum += share;
      });
    }
    return sum;
  };
  for (const SkinInfluence& influence : row) {
    each_own(influence, [&](std::size_t c, double share) { out[c] += share; });
    const auto& branches = curves_from_[influence.bone];
    double wanted = 0;
    for (const int c : branches) wanted += own_weight(c);
    if (!(wanted > 0) || !(influence.weight > 0)) continue;
    const double part = std::min(1.0, influence.weight / wanted);
    for (const int c : branches) out[c] += part * own_weight(c);
    const double taken = part * wanted / influence.weight;
    each_own(influence, [&](std::size_t c, double share) { out[c] -= taken * share; });
  }
  for (double& value : out) value = std::max(value, 0.0);
}

void CurveWeights::at(std::size_t vertex, const Vec3& p, std::span<const SkinInfluence> row,
                      std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  if (out.empty()) return;
  if (!painted_.empty()) {
    const auto painted = painted_.subspan(vertex * out.size(), out.size());
    std::copy(painted.begin(), painted.end(), out.begin());
  }
  if (!(sum_of(out) > 0) && !row.empty()) from_bones(row, out);
  if (!(sum_of(out) > 0)) from_distance(chains_, p, out);
  scale_to_one(out);
}

}  // namespace sinew::offset_curve
