// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/parts.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/core/error.h"
#include "sinew/measure/detail/owner.h"
#include "sinew/measure/detail/require.h"
#include "sinew/measure/rigid_fit.h"
#include "sinew/measure/sections.h"

namespace sinew {
namespace {

constexpr std::size_t fewest_vertices = 3;
constexpr double least_size = 1e-9;     // of the bone's length
constexpr double least_stretch = 0.01;  // from which on a part has to follow
constexpr double farthest_off = 0.25;   // of the part's size: what an eye forgives

struct Skin {
  std::vector<Vec3> rest, posed;
};

// Longer or shorter than the bone's scale makes it.
bool is_stretched(const BoneState& bone) {
  const double scaled = length(bone.stretch * (bone.tail - bone.head));
  const double posed = distance(bone.posed_head, bone.posed_tail);
  return !(std::fabs(posed - scaled) <= least_stretch * scaled);
}

Vec3 place_by_bone(const BoneState& bone, const Vec3& p) {
  return bone.posed_head + rotate(bone.rotation, bone.stretch * (p - bone.head));
}

void compare_with_rigid(const Skin& skin, const BoneState& bone, PartError& error) {
  std::vector<Vec3> scaled;
  for (const Vec3& p : skin.rest) scaled.push_back(bone.stretch * (p - bone.head));
  const RigidMotion motion = fit_rigid(scaled, skin.posed);
  double size = 0, off = 0, largest = 0;
  for (std::size_t i = 0; i < scaled.size(); ++i) {
    size += length_squared(scaled[i] - motion.from);
    const double squared = length_squared(motion(scaled[i]) - skin.posed[i]);
    off += squared;
    largest = std::max(largest, squared);
  }
  error.vertices = scaled.size();
  error.size = std::sqrt(size / static_cast<double>(scaled.size()));
  error.rms = size > 0 ? std::sqrt(off / size) : 0;
  error.largest = size > 0 ? std::sqrt(largest) / error.size : 0;
}

double farthest_turn(std::span<const Section> sections) {
  double farthest = 0;
  for (const Section& section : sections) {
    if (section.turn) farthest = std::max(farthest, std::fabs(*section.turn));
  }
  return farthest;
}

}  // namespace

PartErrors part_errors(const Rig& rig, std::span<const BoneState> states,
                       const std::vector<Vec3>& rest, const std::vector<Vec3>& deformed) {
  const std::vector<Triangle>& triangles = rig.mesh.triangles;
  if (states.size() != rig.skeleton.bones.size()) {
    throw UsageError("the pose and the skeleton differ in their number of bones");
  }
  const auto sections =
      bone_sections(triangles, rig.weights, states, rest, deformed, SectionSkin::own);
  std::vector<std::optional<std::size_t>> owners;
  std::vector<Skin> skins(states.size());
  for (std::size_t v = 0; v < rest.size(); ++v) {
    owners.push_back(detail::only_bone(rig.weights.row(v)));
    if (!owners[v]) continue;
    skins[*owners[v]].rest.push_back(rest[v]);
    skins[*owners[v]].posed.push_back(deformed[v]);
  }
  const std::vector<PartKind> kinds = part_kinds(rig.skeleton);
  PartErrors result;
  std::vector<double> size(states.size(), 0);  // of the end parts
  for (std::size_t b = 0; b < skins.size(); ++b) {
    if (kinds[b] == PartKind::limb || skins[b].rest.size() < fewest_vertices ||
        is_stretched(states[b])) {
      continue;
    }
    PartError error;
    error.bone = static_cast<int>(b);
    error.kind = kinds[b];
    error.turn = farthest_turn(sections[b]);
    compare_with_rigid(skins[b], states[b], error);
    if (!(error.size > least_size * distance(states[b].head, states[b].tail))) continue;
    result.parts.push_back(error);
    if (error.kind == PartKind::end) size[b] = error.size;
  }
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto& [i, j, k] = triangles[t];
    const std::optional<std::size_t> part = owners[i];
    if (!part || part != owners[j] || part != owners[k] || !(size[*part] > 0)) continue;
    const auto is_off = [&](Index v) {
      return distance(place_by_bone(states[*part], rest[v]), deformed[v]) >
             farthest_off * size[*part];
    };
    if (is_off(i) || is_off(j) || is_off(k)) result.displaced.push_back(static_cast<Index>(t));
  }
  return result;
}

}  // namespace sinew
