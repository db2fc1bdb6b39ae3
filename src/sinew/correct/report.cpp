// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/correct/correctives.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

// In the text; the JSON has all.
constexpr std::size_t most_named = 8;

std::vector<std::string> joint_names(const Skeleton& skeleton,
                                     const std::vector<JointIndex>& joints) {
  std::vector<std::string> names;
  for (const JointIndex joint : joints) {
    const std::string& name = skeleton.joints[joint].name;
    names.push_back(name.empty() ? std::to_string(int(joint)) : name);
  }
  return names;
}

std::string vertices_text(const std::vector<OffVertex>& off) {
  std::vector<OffVertex> worst = off;
  std::stable_sort(worst.begin(), worst.end(),
                   [](const OffVertex& a, const OffVertex& b) { return a.distance > b.distance; });
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(worst.size(), most_named); ++i) {
    words.push_back(fmt::format("{} ({:.2g}{})", worst[i].vertex, worst[i].distance,
                                worst[i].singular ? ", flattened" : ""));
  }
  if (worst.size() > most_named) words.emplace_back("...");
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

std::string to_json(const Corrected& corrected) {
  Json list = Json::array();
  for (const CorrectiveReport& report : corrected.correctives) {
    Json off = Json::array();
    for (const OffVertex& vertex : report.off) {
      off.push_back({{"vertex", vertex.vertex},
                     {"distance", vertex.distance},
                     {"singular", vertex.singular}});
    }
    list.push_back({{"name", report.name},
                    {"shape", report.shape},
                    {"joints", joint_names(corrected.rig.skeleton, report.joints)},
                    {"moved_vertices", report.moved},
                    {"singular_vertices", report.singular},
                    {"largest_move", report.largest_move},
                    {"largest_off", report.largest_off},
                    {"off", std::move(off)}});
  }
  const Json result = {{"correctives", std::move(list)}, {"poor", is_poor(corrected.correctives)}};
  return result.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string to_text(const Corrected& corrected) {
  std::string text;
  for (const CorrectiveReport& report : corrected.correctives) {
    text += fmt::format(
        "'{}' by {}: {} vertices moved by up to {:.2g} of the size, {:.1e} from the example\n",
        report.name, fmt::join(joint_names(corrected.rig.skeleton, report.joints), ", "),
        report.moved, report.largest_move, report.largest_off);
    if (report.off.empty()) continue;
    text += fmt::format("  {} off: {}\n", report.off.size(), vertices_text(report.off));
  }
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace sinew
