// SPDX-License-Identifier: Apache-2.0
#include "sinew/skin/internal/rows.h"

#include <algorithm>
#include <cmath>

namespace sinew::detail {
namespace {

const EditInfluence* find(const EditRow& row, BoneIndex bone) {
  const auto found = std::find_if(row.begin(), row.end(), [&](const EditInfluence& influence) {
    return influence.bone == bone && influence.weight > 0;
  });
  return found == row.end() ? nullptr : &*found;
}

}  // namespace

void get_row(const Skin& skin, std::size_t vertex, EditRow& row) {
  row.clear();
  for (std::size_t i = skin.weights.offsets[vertex]; i < skin.weights.offsets[vertex + 1]; ++i) {
    const Influence& influence = skin.weights.influences[i];
    row.push_back({influence.bone, influence.weight, skin.endpoints.empty() ? 0 : skin.endpoints[i],
                   skin.twist_endpoints.empty() ? 0 : skin.twist_endpoints[i]});
  }
}

void push_row(const EditRow& row, bool endpoints, bool twist_endpoints, Skin& skin) {
  for (const EditInfluence& influence : row) {
    skin.weights.influences.push_back({influence.bone, influence.weight});
    if (endpoints) skin.endpoints.push_back(influence.endpoint);
    if (twist_endpoints) skin.twist_endpoints.push_back(influence.twist_endpoint);
  }
  skin.weights.offsets.push_back(skin.weights.influences.size());
}

double weight_of(const EditRow& row, BoneIndex bone) {
  double sum = 0;
  for (const EditInfluence& influence : row) {
    if (influence.bone == bone) sum += influence.weight;
  }
  return sum;
}

RowChange change_of(const EditRow& before, const EditRow& after) {
  RowChange change;
  const auto count = [&](BoneIndex bone) {
    const double difference = std::fabs(weight_of(after, bone) - weight_of(before, bone));
    change.sum += difference;
    change.weight = std::max(change.weight, difference);
  };
  for (std::size_t i = 0; i < after.size(); ++i) {
    const EditInfluence& influence = after[i];
    const bool seen =
        std::any_of(after.begin(), after.begin() + i,
                    [&](const EditInfluence& other) { return other.bone == influence.bone; });
    if (!seen) count(influence.bone);
    const EditInfluence* old = influence.weight > 0 ? find(before, influence.bone) : nullptr;
    if (old == nullptr) continue;
    change.endpoint = std::max({change.endpoint, std::fabs(influence.endpoint - old->endpoint),
                                std::fabs(influence.twist_endpoint - old->twist_endpoint)});
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    const BoneIndex bone = before[i].bone;
    const auto is_it = [&](const EditInfluence& other) { return other.bone == bone; };
    if (std::any_of(after.begin(), after.end(), is_it)) continue;
    if (std::any_of(before.begin(), before.begin() + i, is_it)) continue;
    count(bone);
  }
  return change;
}

bool same_rows(const EditRow& before, const EditRow& after, double tolerance) {
  const auto only_in = [](const EditRow& row, const EditRow& other) {
    return std::any_of(row.begin(), row.end(), [&](const EditInfluence& influence) {
      return influence.weight > 0 && !(weight_of(other, influence.bone) > 0);
    });
  };
  if (only_in(before, after) || only_in(after, before)) return false;
  const RowChange change = change_of(before, after);
  return change.weight <= tolerance && change.endpoint <= tolerance;
}

}  // namespace sinew::detail
