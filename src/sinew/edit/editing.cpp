// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/editing.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/skeleton/bones.h"
#include "sinew/skin/internal/rows.h"
#include "sinew/skin/projection.h"

namespace sinew {
namespace {

using detail::EditRow;

// The new row with locked bones as they were; the old one if that leaves nothing for the others.
EditRow with_locks(const EditRow& before, const EditRow& after, const Locks& locks) {
  EditRow result;
  double budget = 1;
  bool same = true;
  for (const detail::EditInfluence& old : before) {
    if (!locks.has(old.bone)) continue;
    result.push_back(old);
    budget -= old.weight;
    same = same && detail::weight_of(after, old.bone) == old.weight;
  }
  double sum = 0;
  for (const detail::EditInfluence& influence : after) {
    if (locks.has(influence.bone)) {
      same = same && detail::weight_of(before, influence.bone) == influence.weight;
    } else {
      sum += influence.weight;
    }
  }
  if (same) return after;
  if (!(sum > 0)) return before;
  const double scale = std::max(budget, 0.0) / sum;
  for (detail::EditInfluence influence : after) {
    influence.weight *= scale;
    if (!locks.has(influence.bone) && influence.weight > 0) result.push_back(influence);
  }
  return result;
}

// Those of the rig, with endpoint weights of a kind that it does not have by projection.
Skin with_endpoints(const Rig& rig, bool endpoints, bool twist_endpoints) {
  Skin skin;
  skin.weights = rig.skin.weights;
  skin.endpoints = rig.skin.endpoints;
  skin.twist_endpoints = rig.skin.twist_endpoints;
  if (skin.weights.vertex_count() == 0) skin.weights.offsets.resize(rig.mesh.vertex_count() + 1);
  if (endpoints && skin.endpoints.empty()) {
    skin.endpoints = projection_endpoints(rig.mesh.positions, rig.skeleton, skin.weights);
  }
  if (twist_endpoints && skin.twist_endpoints.empty()) skin.twist_endpoints = skin.endpoints;
  return skin;
}

}  // namespace

void Editing::require_weights() const {
  if (rig.skin.weights.vertex_count() == 0) {
    throw InputError("weights", "the rig has none to edit; 'sinew weights' computes some");
  }
}

void Editing::set_rows(const Skin& skin, const std::vector<bool>& where, double least) {
  const bool endpoints = !skin.endpoints.empty() || !rig.skin.endpoints.empty();
  const bool twist_endpoints = !skin.twist_endpoints.empty() || !rig.skin.twist_endpoints.empty();
  const Skin before = with_endpoints(rig, endpoints, twist_endpoints);
  Skin result;
  EditRow old_row, row;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    detail::get_row(before, v, old_row);
    detail::get_row(skin, v, row);
    const bool may_change = where.empty() || where[v];
    if (may_change && locks.any()) row = with_locks(old_row, row, locks);
    const bool stays = !may_change || detail::same_rows(old_row, row, least);
    detail::push_row(stays ? old_row : row, endpoints, twist_endpoints, result);
  }
  rig.skin.weights = std::move(result.weights);
  rig.skin.endpoints = std::move(result.endpoints);
  rig.skin.twist_endpoints = std::move(result.twist_endpoints);
}

void keep_unchanged(const std::vector<double>& before, std::vector<double>& after) {
  if (before.size() != after.size()) return;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (std::fabs(after[i] - before[i]) <= least_change) after[i] = before[i];
  }
}

std::vector<BoneIndex> bones_in_list(const Skeleton& skeleton, std::string_view list) {
  // A name may have a comma in it.
  for (const Joint& joint : skeleton.joints) {
    if (joint.name == list) return find_bones(skeleton, list);
  }
  const BonesByName named(skeleton);
  std::vector<BoneIndex> bones;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    std::string_view name = list.substr(begin, end - begin);
    const std::size_t first = name.find_first_not_of(' ');
    name = first == std::string_view::npos ? "" : name.substr(first);
    name = name.substr(0, name.find_last_not_of(' ') + 1);
    for (const BoneIndex bone : named.find(name)) bones.push_back(bone);
    begin = end + 1;
  }
  std::sort(bones.begin(), bones.end());
  bones.erase(std::unique(bones.begin(), bones.end()), bones.end());
  return bones;
}

}  // namespace sinew
