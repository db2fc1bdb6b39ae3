// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/parts.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/core/error.h"
#include "sinew/measure/detail/owner.h"
#include "sinew/measure/detail/require.h"
#include "sinew/measure/detail/rigid_parts.h"
#include "sinew/measure/rigid_fit.h"
#include "sinew/measure/sections.h"

namespace sinew {
namespace {

constexpr double least_stretch = 0.01;  // from which on a part has to follow
constexpr double farthest_off = 0.25;   // of the part's size: what an eye forgives

struct PartSkin {
  std::vector<Vec3> rest, posed;
};

// By how much the pose makes the bone larger, along and across alike; nothing where these differ,
// or where its muscle bulges.
std::optional<double> growth_of(const BoneState& bone) {
  const double rest = distance(bone.head, bone.tail);
  const double factor = distance(bone.posed_head, bone.posed_tail) / rest;
  const Vec3 v = any_perpendicular(normalized(bone.tail - bone.head));
  const Vec3 w = cross(normalized(bone.tail - bone.head), v);
  const Vec3 across = bone.across * v, other = bone.across * w;
  const double most = least_stretch * factor;
  const bool is_even = std::fabs(length(across) - factor) <= most &&
                       std::fabs(length(other) - factor) <= most &&
                       std::fabs(dot(across, other)) <= most * factor;
  return is_even && factor > 0 && bone.bulge == 0 ? std::optional(factor) : std::nullopt;
}

void compare_with_rigid(const PartSkin& skin, double growth, PartError& error) {
  std::vector<Vec3> scaled;
  for (const Vec3& p : skin.rest) scaled.push_back(p * growth);
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

namespace detail {

RigidParts::RigidParts(const Rig& rig, const std::vector<Vec3>& rest)
    : rig_(rig),
      rest_(rest),
      skins_(section_skins(rig.mesh.triangles, rig.skin.weights, rig.skeleton.bones.size(),
                           SectionSkin::own)),
      roles_(plan_twists(rig).roles) {
  owners_.reserve(rest.size());
  for (std::size_t v = 0; v < rest.size(); ++v) {
    owners_.push_back(only_bone(rig.skin.weights.row(v)));
  }
}

PartErrors RigidParts::errors(std::span<const BoneState> states,
                              const std::vector<Vec3>& deformed) const {
  const std::vector<Triangle>& triangles = rig_.mesh.triangles;
  const auto sections = bone_sections(triangles, skins_, states, rest_, deformed);
  std::vector<PartSkin> skins(states.size());
  for (std::size_t v = 0; v < rest_.size(); ++v) {
    if (!owners_[v]) continue;
    skins[*owners_[v]].rest.push_back(rest_[v]);
    skins[*owners_[v]].posed.push_back(deformed[v]);
  }
  const auto parents = parent_bones(rig_.skeleton);
  PartErrors result;
  struct End {
    double size = 0, growth = 1;
  };
  std::vector<End> ends(states.size());  // of the parts that must be where their bone takes them
  for (std::size_t b = 0; b < skins.size(); ++b) {
    const bool is_end = roles_[b] == BoneRole::end_part && parents[b] >= 0;
    const std::optional<double> growth = growth_of(states[b]);
    if ((!is_end && roles_[b] != BoneRole::trunk) || skins[b].rest.size() < fewest_to_fit ||
        !growth) {
      continue;
    }
    PartError error;
    error.bone = static_cast<int>(b);
    error.role = roles_[b];
    error.turn = farthest_turn(sections[b]);
    compare_with_rigid(skins[b], *growth, error);
    if (!(error.size > least_size_to_fit * distance(states[b].head, states[b].tail))) continue;
    result.parts.push_back(error);
    if (is_end) ends[b] = {error.size, *growth};
  }
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto& [i, j, k] = triangles[t];
    const std::optional<std::size_t> part = owners_[i];
    if (!part || part != owners_[j] || part != owners_[k] || !(ends[*part].size > 0)) continue;
    const BoneState& bone = states[*part];
    const auto is_off = [&](Index v) {
      const Vec3 place =
          bone.posed_head + rotate(bone.rotation, rest_[v] - bone.head) * ends[*part].growth;
      return distance(place, deformed[v]) > farthest_off * ends[*part].size;
    };
    if (is_off(i) || is_off(j) || is_off(k)) result.displaced.push_back(static_cast<Index>(t));
  }
  return result;
}

}  // namespace detail

PartErrors part_errors(const Rig& rig, std::span<const BoneState> states,
                       const std::vector<Vec3>& rest, const std::vector<Vec3>& deformed) {
  if (states.size() != rig.skeleton.bones.size()) {
    throw UsageError("the pose and the skeleton differ in their number of bones");
  }
  if (rest.size() != rig.mesh.vertex_count()) {
    throw UsageError("the shape at rest is not that of the rig");
  }
  detail::require_same_mesh(rig.mesh.triangles, rest, deformed);
  detail::require_same_rig(rig.skin.weights, rest.size(), states.size());
  return detail::RigidParts(rig, rest).errors(states, deformed);
}

}  // namespace sinew
