// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/row_mixer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew::detail {

namespace {

void merge(SkinRow& row, const RowInfluence& influence) {
  const auto same = std::find_if(row.begin(), row.end(), [&](const RowInfluence& other) {
    return other.bone == influence.bone;
  });
  if (same == row.end()) {
    row.push_back(influence);
    return;
  }
  const double sum = same->weight + influence.weight;
  const double share = sum > 0 ? influence.weight / sum : 0;
  same->endpoint = std::clamp(std::lerp(same->endpoint, influence.endpoint, share), 0.0, 1.0);
  same->twist_endpoint =
      std::clamp(std::lerp(same->twist_endpoint, influence.twist_endpoint, share), 0.0, 1.0);
  same->weight = sum;
}

}  // namespace

std::vector<SkinRow> to_rows(const Skin& skin) {
  const Weights& weights = skin.weights;
  std::vector<SkinRow> rows(weights.vertex_count());
  for (std::size_t v = 0; v < rows.size(); ++v) {
    rows[v].reserve(weights.row(v).size());
    for (std::size_t i = weights.offsets[v]; i < weights.offsets[v + 1]; ++i) {
      const Influence& influence = weights.influences[i];
      merge(rows[v],
            {influence.bone, influence.weight, skin.endpoints.empty() ? 0.0 : skin.endpoints[i],
             skin.twist_endpoints.empty() ? 0.0 : skin.twist_endpoints[i]});
    }
  }
  return rows;
}

Skin from_rows(std::span<const SkinRow> rows, Skin like) {
  const bool endpoints = !like.endpoints.empty(), twist_endpoints = !like.twist_endpoints.empty();
  Skin skin = std::move(like);
  skin.weights = {};
  skin.endpoints.clear();
  skin.twist_endpoints.clear();
  std::vector<Influence> row;
  for (const SkinRow& influences : rows) {
    row.clear();
    for (const RowInfluence& influence : influences) {
      row.push_back({influence.bone, influence.weight});
      if (endpoints) skin.endpoints.push_back(influence.endpoint);
      if (twist_endpoints) skin.twist_endpoints.push_back(influence.twist_endpoint);
    }
    skin.weights.push_row(row);
  }
  return skin;
}

double row_sum(const SkinRow& row) {
  double sum = 0;
  for (const RowInfluence& influence : row) sum += influence.weight;
  return sum;
}

void normalize(SkinRow& row, const Locks& locks) {
  double budget = 1;
  double sum = 0;
  for (const RowInfluence& influence : row) {
    if (locks.has(influence.bone)) {
      budget -= influence.weight;
    } else {
      sum += influence.weight;
    }
  }
  if (!(sum > 0)) return;
  budget = std::max(budget, 0.0);
  for (RowInfluence& influence : row) {
    if (!locks.has(influence.bone)) influence.weight = influence.weight / sum * budget;
  }
}

void RowMixer::add(std::span<const RowInfluence> row, double factor) {
  for (const RowInfluence& influence : row) add(influence, factor);
}

void RowMixer::add(const RowInfluence& influence, double factor) {
  const double amount = influence.weight * factor;
  if (!(amount > 0)) return;
  const std::size_t bone = influence.bone;
  RowInfluence& sum = sums_[bone];
  if (!seen_[bone]) {
    seen_[bone] = true;
    bones_.push_back(influence.bone);
    sum = {influence.bone, 0, 0, 0};
  }
  sum.weight += amount;
  sum.endpoint += amount * influence.endpoint;
  sum.twist_endpoint += amount * influence.twist_endpoint;
}

void RowMixer::take(SkinRow& row) {
  std::sort(bones_.begin(), bones_.end());
  row.clear();
  for (const int bone : bones_) {
    const RowInfluence& sum = sums_[bone];
    // Rounding must not carry a mean of numbers in [0, 1] beyond them.
    row.push_back({bone, sum.weight, std::clamp(sum.endpoint / sum.weight, 0.0, 1.0),
                   std::clamp(sum.twist_endpoint / sum.weight, 0.0, 1.0)});
    seen_[bone] = false;
  }
  bones_.clear();
}

}  // namespace sinew::detail
