// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/prune.h"

#include <algorithm>

#include "sinew/core/error.h"

namespace sinew {

Pruned prune(const Skin& skin, std::size_t max_influences, const Locks& locks) {
  if (max_influences == 0) throw UsageError("a vertex keeps at least 1 influence");
  validate(skin, skin.weights.vertex_count(), bones_used(skin));
  Pruned result;
  result.skin.filters = skin.filters;
  result.skin.muscles = skin.muscles;
  result.skin.blend_shares = skin.blend_shares;
  const std::vector<Influence>& all = skin.weights.influences;
  std::vector<std::size_t> kept;
  std::vector<Influence> row;
  double total_change = 0;
  for (std::size_t v = 0; v < skin.weights.vertex_count(); ++v) {
    kept.clear();
    double sum = 0;  // of the weights that may change
    std::size_t locked = 0;
    for (std::size_t i = skin.weights.offsets[v]; i < skin.weights.offsets[v + 1]; ++i) {
      if (!(all[i].weight > 0)) continue;
      kept.push_back(i);
      if (locks.has(all[i].bone)) {
        ++locked;
      } else {
        sum += all[i].weight;
      }
    }
    const double budget = unlocked_budget(skin.weights.row(v), locks);
    const std::size_t others = budget > 0 && sum > 0 ? 1 : 0;
    const std::size_t most = std::max(max_influences, locked + others);
    double kept_sum = sum;
    if (kept.size() > most) {
      std::sort(kept.begin(), kept.end(), [&](std::size_t a, std::size_t b) {
        const bool a_locked = locks.has(all[a].bone);
        if (a_locked != locks.has(all[b].bone)) return a_locked;
        if (all[a].weight != all[b].weight) return all[a].weight > all[b].weight;
        return all[a].bone != all[b].bone ? all[a].bone < all[b].bone : a < b;
      });
      kept.resize(most);
      std::sort(kept.begin(), kept.end());
      kept_sum = 0;
      for (const std::size_t i : kept) {
        if (!locks.has(all[i].bone)) kept_sum += all[i].weight;
      }
      ++result.error.changed;
      // The dropped weight goes to the remaining bones, so it counts twice in the change.
      const double change = 2 * (1 - kept_sum / sum) * budget;
      total_change += change;
      if (change > result.error.largest) {
        result.error.largest = change;
        result.error.worst_vertex = v;
      }
    }
    row.clear();
    for (const std::size_t i : kept) {
      const bool stays = locks.has(all[i].bone);
      row.push_back({all[i].bone, stays ? all[i].weight : all[i].weight / kept_sum * budget});
      if (!skin.endpoints.empty()) result.skin.endpoints.push_back(skin.endpoints[i]);
      if (!skin.twist_endpoints.empty()) {
        result.skin.twist_endpoints.push_back(skin.twist_endpoints[i]);
      }
    }
    result.skin.weights.push_row(row);
  }
  if (skin.weights.vertex_count() > 0) {
    result.error.mean = total_change / static_cast<double>(skin.weights.vertex_count());
  }
  return result;
}

}  // namespace sinew
