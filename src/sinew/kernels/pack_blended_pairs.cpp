// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "sinew/kernels/detail/pack.h"

namespace sinew::kernels {

void pack_blended_pairs(PackedRig& packed) {
  auto blended_pairs = std::make_shared<BlendedPairs>();
  std::map<std::array<std::uint32_t, 2>, std::uint32_t> pairs;
  std::map<std::vector<std::uint32_t>, std::uint32_t> kinds;
  // Tiles with the same bones, of which the same have the largest weights, are of the same kind.
  std::map<std::vector<std::uint32_t>, std::uint32_t> known;
  std::vector<std::uint32_t> members, bones, last_bones;
  packed.kinds.reserve(packed.tile_count);
  for (std::size_t tile = 0; tile < packed.tile_count; ++tile) {
    const auto entries = std::span(packed.entries)
                             .subspan(packed.first_entry[tile],
                                      packed.first_entry[tile + 1] - packed.first_entry[tile]);
    bones.clear();
    for (const Entry& entry : entries) {
      bones.push_back(2 * entry.bone + (entry.pivot_lanes != 0 ? 1 : 0));
    }
    if (tile > 0 && bones == last_bones) {
      packed.kinds.push_back(packed.kinds.back());
      continue;
    }
    last_bones = bones;
    if (const auto found = known.find(bones); found != known.end()) {
      packed.kinds.push_back(found->second);
      continue;
    }
    members.clear();
    for (const Entry& pivot : entries) {
      if (pivot.pivot_lanes == 0) continue;
      for (const Entry& other : entries) {
        if (other.bone == pivot.bone) continue;
        const auto [at, is_new] =
            pairs.try_emplace({std::min(pivot.bone, other.bone), std::max(pivot.bone, other.bone)},
                              static_cast<std::uint32_t>(pairs.size()));
        if (is_new) blended_pairs->pairs.push_back(at->first);
        members.push_back(at->second);
      }
    }
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    const auto kind = kinds.try_emplace(members, static_cast<std::uint32_t>(kinds.size())).first;
    known.emplace(bones, kind->second);
    packed.kinds.push_back(kind->second);
  }
  std::vector<std::vector<std::uint32_t>> kinds_of(pairs.size());
  for (const auto& [pairs_of_kind, kind] : kinds) {
    for (const std::uint32_t pair : pairs_of_kind) kinds_of[pair].push_back(kind);
  }
  blended_pairs->kind_count = kinds.size();
  for (const auto& some : kinds_of) {
    blended_pairs->kinds.insert(blended_pairs->kinds.end(), some.begin(), some.end());
    blended_pairs->first.push_back(static_cast<std::uint32_t>(blended_pairs->kinds.size()));
  }
  packed.blended_pairs = std::move(blended_pairs);
}

}  // namespace sinew::kernels
