// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "sinew/core/notes.h"

namespace sinew {
namespace {

// The name, or the number where there is none.
template <class Bone>
std::string called(const Bone& bone) {
  return bone.name.empty() ? std::to_string(bone.bone) : bone.name;
}

std::string over_bound(const BakeReport& report) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, report.over_bound.size()); ++i) {
    const BoneOverBound& bone = report.over_bound[i];
    text += fmt::format("{}{} {:.3g}%", i == 0 ? "" : ", ", called(bone), bone.max_error_percent);
  }
  if (report.over_bound.size() > most) {
    text += fmt::format(" and {} more", report.over_bound.size() - most);
  }
  return text;
}

}  // namespace

bool is_within_bound(const BakeReport& report) {
  return !report.bound || report.max_error_percent <= *report.bound;
}

std::string to_text(const BakeReport& report) {
  std::string text;
  const auto line = [&](const char* label, const std::string& value) {
    text += fmt::format("{}  {:<18} {}", text.empty() ? "" : "\n", label, value);
  };
  line("helper joints", report.helpers == 0
                            ? "none needed: no bone with smooth skin is stretched or twisted"
                            : fmt::format("{} on {} bones", report.helpers, report.bones.size()));
  line("clips", fmt::format("{}, {} keys added", report.clips, report.keys));
  line("influences",
       fmt::format("{} per vertex at most; {} before the limit, {} vertices lost some",
                   report.max_influences, report.needed_influences, report.pruned));
  line("measured in",
       fmt::format("{} {}poses", report.poses, report.generic_poses ? "generic " : ""));
  line("largest error",
       fmt::format("{:.3g}% of the limb's radius{}", report.max_error_percent,
                   report.bound ? fmt::format(" (bound {:.3g}%)", *report.bound) : std::string()));
  line("of the box",
       fmt::format("{:.3g}% at most, {:.3g}% root mean square; unbaked {:.3g}%",
                   report.max_error_box_percent, report.rms_error_box, report.plain_error_box));
  if (report.live) {
    const LiveReport& live = *report.live;
    line("live", fmt::format("{:.3g}% of the radius, {:.3g}% of the box in {} poses outside the "
                             "clips; unbaked {:.3g}%",
                             live.max_error_percent, live.max_error_box_percent, live.poses,
                             live.plain_error_box));
    if (live.constraints > 0) {
      line("constraints",
           fmt::format("{}; {:.3g}% of the radius, {:.3g}% of the box without "
                       "stretch",
                       live.constraints, live.constraint_error, live.constraint_error_box));
    }
  }
  for (const BakedBone& bone : report.bones) {
    line("bone",
         fmt::format("{}: {} {}, twist {:.0f} degrees, length {:.2f} to {:.2f}, "
                     "error {:.3g}% of the radius",
                     called(bone), bone.segments, bone.segments == 1 ? "segment" : "segments",
                     bone.twist, bone.shortest, bone.longest, bone.max_error_percent));
  }
  for (const std::string& note : grouped_notes(report.notes)) line("note", note);
  if (!report.over_bound.empty()) line("over the bound", over_bound(report));
  if (!report.remedy.empty()) line("bound not met", report.remedy);
  return text;
}

std::string to_json(const BakeReport& report) {
  using nlohmann::json;
  json bones = json::array();
  for (const BakedBone& bone : report.bones) {
    bones.push_back({{"name", bone.name},
                     {"bone", int(bone.bone)},
                     {"segments", bone.segments},
                     {"twist", bone.twist},
                     {"shortest", bone.shortest},
                     {"longest", bone.longest},
                     {"radius", bone.radius},
                     {"max_error", bone.max_error_percent},
                     {"max_error_box", bone.max_error_box_percent}});
  }
  json over = json::array();
  for (const BoneOverBound& bone : report.over_bound) {
    over.push_back(
        {{"name", bone.name}, {"bone", int(bone.bone)}, {"max_error", bone.max_error_percent}});
  }
  json result = {{"bones", bones},
                 {"helpers", report.helpers},
                 {"vertices", report.vertices},
                 {"clips", report.clips},
                 {"keys", report.keys},
                 {"poses", report.poses},
                 {"generic_poses", report.generic_poses},
                 {"influence_limit", report.influence_limit},
                 {"max_influences", report.max_influences},
                 {"needed_influences", report.needed_influences},
                 {"pruned", report.pruned},
                 {"bound", nullptr},
                 {"within_bound", is_within_bound(report)},
                 {"max_error", report.max_error_percent},
                 {"max_error_box", report.max_error_box_percent},
                 {"rms_error_box", report.rms_error_box},
                 {"plain_error_box", report.plain_error_box},
                 {"over_bound", over},
                 {"remedy", report.remedy},
                 {"notes", report.notes}};
  if (report.live) {
    const LiveReport& live = *report.live;
    result["live"] = {{"poses", live.poses},
                      {"max_error", live.max_error_percent},
                      {"max_error_box", live.max_error_box_percent},
                      {"plain_error_box", live.plain_error_box},
                      {"constraints", live.constraints},
                      {"constraint_error", live.constraint_error},
                      {"constraint_error_box", live.constraint_error_box}};
  }
  if (report.bound) result["bound"] = *report.bound;
  return result.dump(2, ' ', false, json::error_handler_t::replace);
}

}  // namespace sinew
