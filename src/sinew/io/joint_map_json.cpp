// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/joint_map_json.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/deform/told_pose.h"
#include "sinew/io/internal/checked_json.h"

namespace sinew {
namespace {

// Joints by name, the first of each, or by number.
class JointNames {
 public:
  JointNames(const Skeleton& skeleton, const char* whose) : whose_(whose) {
    for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
      names_.push_back(skeleton.joints[j].name);
      if (!names_.back().empty()) by_name_.emplace(names_.back(), static_cast<int>(j));
    }
  }

  JointIndex find(const JsonRef& json, const std::string& name) const {
    if (const auto found = by_name_.find(name); found != by_name_.end()) return found->second;
    std::size_t number = 0;
    const char* last = name.data() + name.size();
    const auto [end, failure] = std::from_chars(name.data(), last, number);
    if (failure != std::errc() || end != last || number >= names_.size()) {
      json.fail(
          fmt::format("{} has no joint '{}'{}; it has {} of them, by name or by number from "
                      "0 on",
                      whose_, name, did_you_mean(name, names_), names_.size()));
    }
    return number;
  }

  std::string name_of(JointIndex joint) const {
    const auto found = by_name_.find(names_[joint]);
    return found != by_name_.end() && found->second == int(joint) ? names_[joint]
                                                                  : std::to_string(int(joint));
  }

 private:
  const char* whose_;
  std::vector<std::string> names_;
  std::map<std::string, int> by_name_;
};

std::vector<std::string> names_in(const Skeleton& skeleton, const std::vector<JointIndex>& joints) {
  std::vector<std::string> names;
  for (const JointIndex j : joints) names.push_back(skeleton.joints[j].name);
  return names;
}

std::size_t key_count(const Clip& clip) {
  std::size_t keys = 0;
  for (const Channel& channel : clip.channels) {
    if (const auto* path = std::get_if<TranslationChannel>(&channel)) {
      keys += path->curve.times.size();
    } else if (const auto* turn = std::get_if<RotationChannel>(&channel)) {
      keys += std::get<Curve<Quat>>(turn->curve).times.size();
    }
  }
  return keys;
}

}  // namespace

JointMap parse_joint_map(std::string_view text, const Skeleton& source, const Skeleton& target) {
  const nlohmann::json document = parse_json(text);
  const JsonRef json(document);
  if (!document.is_object()) {
    json.fail("a mapping is an object, {\"source joint\": \"target joint\", ...}");
  }
  const JointNames sources(source, "the motion"), targets(target, "the rig");
  JointMap map;
  for (const auto& [key, value] : document.items()) {
    const JsonRef entry = json.at(key);
    const JointIndex from = sources.find(entry, key);
    if (value.is_null()) continue;
    if (value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        const JsonRef to = entry.at(i);
        const JointPair pair{from, targets.find(to, to.string()), PairedBy::hand};
        if (std::find(map.pairs.begin(), map.pairs.end(), pair) != map.pairs.end()) {
          to.fail("is in this list already");
        }
        map.pairs.push_back(pair);
      }
      continue;
    }
    if (!value.is_string()) entry.fail("must be the name of a joint, a list of names, or null");
    map.pairs.push_back({from, targets.find(entry, entry.string()), PairedBy::hand});
  }
  return map;
}

std::string to_json(const JointMap& map, const Skeleton& source, const Skeleton& target) {
  const JointNames sources(source, "the motion"), targets(target, "the rig");
  std::vector<nlohmann::ordered_json> values(source.joints.size());
  for (const JointPair& pair : map.pairs) {
    if (!has_joint(source, pair.source) || !has_joint(target, pair.target)) {
      throw UsageError(fmt::format("there is no joint {} to move, or no joint {} to move it",
                                   int(pair.target), int(pair.source)));
    }
    nlohmann::ordered_json& value = values[pair.source];
    const std::string name = targets.name_of(pair.target);
    if (value.is_null()) {
      value = name;
    } else if (value.is_string()) {
      value = nlohmann::ordered_json::array({value, name});
    } else {
      value.push_back(name);
    }
  }
  nlohmann::ordered_json document = nlohmann::ordered_json::object();
  for (std::size_t j = 0; j < values.size(); ++j) {
    if (!source.joints[j].is_frame) document[sources.name_of(j)] = values[j];
  }
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string to_json(const Retargeted& result, const JointMap& map, const Skeleton& source,
                    const Rig& target) {
  nlohmann::json mapped = nlohmann::json::array();
  std::size_t guesses = 0;
  JointMap moved = map;
  std::erase_if(moved.pairs, [&](const JointPair& pair) {
    return std::find(result.left_out.begin(), result.left_out.end(), pair) != result.left_out.end();
  });
  for (const JointPair& pair : moved.pairs) {
    mapped.push_back({{"source", source.joints[pair.source].name},
                      {"target", target.skeleton.joints[pair.target].name},
                      {"by", name_of(pair.by)}});
    if (pair.by == PairedBy::guess) ++guesses;
  }
  std::vector<JointIndex> still = unmapped_targets(moved, target.skeleton), computed;
  std::erase_if(still, [&](JointIndex joint) {
    if (!is_driven(target, joint)) return false;
    computed.push_back(joint);
    return true;
  });
  const nlohmann::json document = {
      {"frames", result.frames},
      {"keys", key_count(result.clip)},
      {"scale", result.scale},
      {"mapped", std::move(mapped)},
      {"guessed", guesses},
      {"unmapped_source", names_in(source, unmapped_sources(moved, source))},
      {"unmapped_target", names_in(target.skeleton, still)},
      {"computed", names_in(target.skeleton, computed)}};
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace sinew
