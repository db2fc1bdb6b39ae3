// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/match_bones.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/skeleton/bones.h"

namespace sinew {
namespace {

std::string_view name_of_bone(const Skeleton& skeleton, std::size_t bone) {
  return skeleton.joints[skeleton.bones[bone].joint].name;
}

std::string_view without_namespace(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

// The bones by name, in order; without the nameless.
using NamedBones = std::map<std::string_view, std::vector<BoneIndex>>;

template <class Shorten>
NamedBones named_bones(const Skeleton& skeleton, Shorten shorten) {
  NamedBones bones;
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const std::string_view name = shorten(name_of_bone(skeleton, b));
    if (!name.empty()) bones[name].push_back(b);
  }
  return bones;
}

// Matches what has no partner yet.
template <class Shorten>
void match_names(const Skeleton& from, const Skeleton& to, Shorten shorten, BoneMatch& match) {
  const NamedBones there = named_bones(to, shorten);
  for (const auto& [name, bones] : named_bones(from, shorten)) {
    const auto found = there.find(name);
    if (found == there.end()) continue;
    for (std::size_t k = 0; k < bones.size(); ++k) {
      if (match.by_name[bones[k]]) continue;
      match.partner[bones[k]] = found->second[std::min(k, found->second.size() - 1)];
      match.by_name[bones[k]] = true;
    }
  }
}

bool has_names(const Skeleton& skeleton) {
  return std::any_of(skeleton.bones.begin(), skeleton.bones.end(),
                     [&](const Bone& bone) { return !skeleton.joints[bone.joint].name.empty(); });
}

// The nearest joint above with a partner, and that partner.
BoneIndex ancestor_partner(const Skeleton& skeleton, const BoneMatch& match, std::size_t bone) {
  JointIndex joint = skeleton.joints[skeleton.bones[bone].joint].parent;
  // No longer than the list of joints, in case that they form a ring.
  for (std::size_t steps = 0; joint != no_joint && steps < skeleton.joints.size(); ++steps) {
    for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
      if (skeleton.bones[b].joint == joint && match.by_name[b]) return match.partner[b];
    }
    joint = skeleton.joints[joint].parent;
  }
  return no_bone;
}

BoneIndex nearest_partner(const Skeleton& skeleton, const BoneMatch& match, std::size_t bone) {
  BoneIndex nearest = no_bone;
  double least = 0;
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    if (!match.by_name[b]) continue;
    const double d = distance(skeleton.bones[b].head, skeleton.bones[bone].head);
    if (nearest != no_bone && d >= least) continue;
    nearest = match.partner[b];
    least = d;
  }
  return nearest;
}

}  // namespace

BoneMatch match_bones(const Skeleton& from, const Skeleton& to) {
  require_joints_of_bones(from);
  require_joints_of_bones(to);
  BoneMatch match;
  match.partner.assign(from.bones.size(), no_bone);
  match.by_name.assign(from.bones.size(), false);
  if (!has_names(from) && !has_names(to)) {
    for (std::size_t b = 0; b < std::min(from.bones.size(), to.bones.size()); ++b) {
      match.partner[b] = b;
      match.by_name[b] = true;
    }
  } else {
    match_names(
        from, to, [](std::string_view name) { return name; }, match);
    match_names(from, to, without_namespace, match);
  }
  if (std::find(match.by_name.begin(), match.by_name.end(), true) == match.by_name.end()) {
    throw InputError("bones", fmt::format("none of the {} has the name of one of the other {}; "
                                          "rename joints so that they match",
                                          from.bones.size(), to.bones.size()));
  }
  for (std::size_t b = 0; b < from.bones.size(); ++b) {
    if (match.by_name[b]) continue;
    match.partner[b] = ancestor_partner(from, match, b);
    if (match.partner[b] == no_bone) match.partner[b] = nearest_partner(from, match, b);
  }
  return match;
}

}  // namespace sinew
