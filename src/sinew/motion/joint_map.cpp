// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/joint_map.h"

#include <algorithm>
#include <map>
#include <utility>

#include "sinew/skeleton/human_joints.h"

namespace sinew {
namespace {

using PartKey = std::pair<HumanPart, BodySide>;

// In the order from the root to the leaves.
std::map<PartKey, std::vector<JointIndex>> joints_by_part(const Skeleton& skeleton,
                                                          const std::vector<HumanJoint>& parts) {
  std::map<PartKey, std::vector<JointIndex>> joints;
  for (const JointIndex j : evaluation_order(skeleton)) {
    if (parts[j].part != HumanPart::unknown) joints[{parts[j].part, parts[j].side}].push_back(j);
  }
  return joints;
}

// Without the prefix up to a colon or bar, letters in lower case, and digits.
std::string plain_name(const std::string& name) {
  std::string plain;
  for (const char c : name) {
    if (c == ':' || c == '|') plain.clear();
    if (c >= 'A' && c <= 'Z') plain += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) plain += c;
  }
  return plain;
}

// Joints without a part by their plain names; no_joint for a name that occurs more than once.
std::map<std::string, JointIndex> others_by_name(const Skeleton& skeleton,
                                                 const std::vector<HumanJoint>& parts) {
  std::map<std::string, JointIndex> joints;
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
    const Joint& joint = skeleton.joints[j];
    if (joint.is_frame || parts[j].part != HumanPart::unknown) continue;
    const auto [place, is_new] = joints.emplace(plain_name(joint.name), j);
    if (!is_new) place->second = no_joint;
  }
  joints.erase("");
  return joints;
}

// Whether source i of n and target k of m cover a common stretch of the same row.
bool overlap(std::size_t i, std::size_t n, std::size_t k, std::size_t m) {
  return i * m < (k + 1) * n && k * n < (i + 1) * m;
}

std::vector<JointIndex> unmapped(const Skeleton& skeleton, const std::vector<bool>& is_mapped) {
  std::vector<JointIndex> joints;
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
    if (!skeleton.joints[j].is_frame && !is_mapped[j]) joints.emplace_back(j);
  }
  return joints;
}

}  // namespace

JointMap map_joints(const Skeleton& source, const Skeleton& target) {
  const std::vector<HumanJoint> source_parts = human_joints(source),
                                target_parts = human_joints(target);
  const auto sources = joints_by_part(source, source_parts);
  const auto targets = joints_by_part(target, target_parts);
  JointMap map;
  const auto add = [&](JointIndex s, JointIndex t) {
    const bool same = source.joints[s].name == target.joints[t].name;
    const bool guessed = source_parts[s].guessed || target_parts[t].guessed;
    map.pairs.push_back({s, t, same ? PairedBy::name : guessed ? PairedBy::guess : PairedBy::part});
  };
  for (const auto& [key, from] : sources) {
    const auto found = targets.find(key);
    if (found == targets.end()) continue;
    const std::vector<JointIndex>& to = found->second;
    const bool is_row = key.first == HumanPart::spine || key.first == HumanPart::neck;
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (!is_row) {
        add(from[i], to[std::min(i, to.size() - 1)]);
        continue;
      }
      for (std::size_t k = 0; k < to.size(); ++k) {
        if (overlap(i, from.size(), k, to.size())) add(from[i], to[k]);
      }
    }
  }
  const auto named = others_by_name(target, target_parts);
  for (const auto& [name, s] : others_by_name(source, source_parts)) {
    const auto found = named.find(name);
    if (found == named.end() || s == no_joint || found->second == no_joint) continue;
    map.pairs.push_back({s, found->second, PairedBy::name});
  }
  std::sort(map.pairs.begin(), map.pairs.end(), [](const JointPair& a, const JointPair& b) {
    return std::pair<int, int>(a.source, a.target) < std::pair<int, int>(b.source, b.target);
  });
  return map;
}

std::vector<JointIndex> unmapped_sources(const JointMap& map, const Skeleton& source) {
  std::vector<bool> is_mapped(source.joints.size(), false);
  for (const JointPair& pair : map.pairs) is_mapped[pair.source] = true;
  return unmapped(source, is_mapped);
}

std::vector<JointIndex> unmapped_targets(const JointMap& map, const Skeleton& target) {
  std::vector<bool> is_mapped(target.joints.size(), false);
  for (const JointPair& pair : map.pairs) is_mapped[pair.target] = true;
  return unmapped(target, is_mapped);
}

const char* name_of(PairedBy by) {
  switch (by) {
    case PairedBy::hand:
      return "file";
    case PairedBy::name:
      return "name";
    case PairedBy::part:
      return "part";
    case PairedBy::guess:
      return "guess";
  }
  return "";
}

}  // namespace sinew
