// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/locks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew {

void Locks::set(BoneIndex bone, bool locked) {
  if (bone < 0) throw UsageError(fmt::format("there is no bone {} to lock", int(bone)));
  const std::size_t place = bone;
  if (place >= bones.size()) bones.resize(place + 1, false);
  bones[place] = locked;
}

bool Locks::any() const { return std::find(bones.begin(), bones.end(), true) != bones.end(); }

double unlocked_budget(std::span<const Influence> row, const Locks& locks) {
  double left = 1;
  for (const Influence& influence : row) {
    if (locks.has(influence.bone)) left -= influence.weight;
  }
  return std::max(left, 0.0);
}

void normalize(Weights& weights, const Locks& locks) {
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const std::span<Influence> row =
        std::span(weights.influences).subspan(weights.offsets[v], weights.row(v).size());
    double sum = 0;
    for (const Influence& influence : row) {
      if (!locks.has(influence.bone)) sum += influence.weight;
    }
    if (!(sum > 0)) continue;
    const double budget = unlocked_budget(row, locks);
    for (Influence& influence : row) {
      if (!locks.has(influence.bone)) influence.weight = influence.weight / sum * budget;
    }
  }
}

void set_weights(std::vector<Influence>& row, std::span<const Influence> values,
                 const Locks& locks) {
  for (const Influence& value : values) {
    if (value.bone >= 0 && std::isfinite(value.weight)) continue;
    throw UsageError(fmt::format("bone {} cannot have the weight {}", value.bone, value.weight));
  }
  const double budget = unlocked_budget(row, locks);
  std::vector<std::size_t> places;  // in the row, of the values that may be set
  double set = 0;
  double others = 0;
  for (const Influence& value : values) {
    if (locks.has(value.bone)) continue;
    const auto found = std::find_if(row.begin(), row.end(), [&](const Influence& influence) {
      return influence.bone == value.bone;
    });
    places.push_back(static_cast<std::size_t>(found - row.begin()));
    if (found == row.end()) row.push_back({value.bone, 0});
    row[places.back()].weight = std::clamp(value.weight, 0.0, budget);
    set += row[places.back()].weight;
  }
  if (places.empty()) return;
  const auto is_set = [&](std::size_t place) {
    return std::find(places.begin(), places.end(), place) != places.end();
  };
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!locks.has(row[i].bone) && !is_set(i)) others += row[i].weight;
  }

  const double wanted = others > 0 ? std::min(set, budget) : budget;
  for (const std::size_t place : places) {
    row[place].weight =
        set > 0 ? row[place].weight / set * wanted : wanted / static_cast<double>(places.size());
  }
  for (std::size_t i = 0; others > 0 && i < row.size(); ++i) {
    if (!locks.has(row[i].bone) && !is_set(i))
      row[i].weight = row[i].weight / others * (budget - wanted);
  }
}

}  // namespace sinew
