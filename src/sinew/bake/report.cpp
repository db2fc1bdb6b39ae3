// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/report.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace sinew {

bool is_within_bound(const BakeReport& report) {
  return !report.bound || report.max_error <= *report.bound;
}

std::string to_text(const BakeReport& report) {
  std::string text;
  const auto line = [&](const char* label, const std::string& value) {
    text += fmt::format("{}  {:<18} {}", text.empty() ? "" : "\n", label, value);
  };
  line("helper joints", fmt::format("{} on {} bones", report.helpers, report.bones.size()));
  line("clips", fmt::format("{}, {} keys added", report.clips, report.keys));
  line("influences",
       fmt::format("{} per vertex at most; {} before the limit, {} vertices lost some",
                   report.max_influences, report.needed_influences, report.pruned));
  line("measured in",
       fmt::format("{} {}poses", report.poses, report.generic_poses ? "generic " : ""));
  line("largest error",
       fmt::format("{:.3g}% of the limb's radius{}", report.max_error,
                   report.bound ? fmt::format(" (bound {:.3g}%)", *report.bound) : std::string()));
  line("of the box",
       fmt::format("{:.3g}% at most, {:.3g}% root mean square; unbaked {:.3g}%",
                   report.max_error_box, report.rms_error_box, report.plain_error_box));
  if (report.live) {
    const LiveReport& live = *report.live;
    line("live", fmt::format("{:.3g}% of the radius, {:.3g}% of the box in {} poses of no clip; "
                             "unbaked {:.3g}%",
                             live.max_error, live.max_error_box, live.poses, live.plain_error_box));
    if (live.constraints > 0) {
      line("constraints",
           fmt::format("{}; {:.3g}% of the radius, {:.3g}% of the box without "
                       "stretch",
                       live.constraints, live.constraint_error, live.constraint_error_box));
    }
  }
  for (const BakedBone& bone : report.bones) {
    line("bone", fmt::format("{}: {} segments, twist {:.0f} degrees, length {:.2f} to {:.2f}, "
                             "error {:.3g}% of the radius",
                             bone.name, bone.segments, bone.twist, bone.shortest, bone.longest,
                             bone.max_error));
  }
  for (const std::string& note : report.notes) line("note", note);
  if (!report.remedy.empty()) line("bound not met", report.remedy);
  return text;
}

std::string to_json(const BakeReport& report) {
  using nlohmann::json;
  json bones = json::array();
  for (const BakedBone& bone : report.bones) {
    bones.push_back({{"name", bone.name},
                     {"bone", bone.bone},
                     {"segments", bone.segments},
                     {"twist", bone.twist},
                     {"shortest", bone.shortest},
                     {"longest", bone.longest},
                     {"radius", bone.radius},
                     {"max_error", bone.max_error},
                     {"max_error_box", bone.max_error_box}});
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
                 {"max_error", report.max_error},
                 {"max_error_box", report.max_error_box},
                 {"rms_error_box", report.rms_error_box},
                 {"plain_error_box", report.plain_error_box},
                 {"remedy", report.remedy},
                 {"notes", report.notes}};
  if (report.live) {
    const LiveReport& live = *report.live;
    result["live"] = {{"poses", live.poses},
                      {"max_error", live.max_error},
                      {"max_error_box", live.max_error_box},
                      {"plain_error_box", live.plain_error_box},
                      {"constraints", live.constraints},
                      {"constraint_error", live.constraint_error},
                      {"constraint_error_box", live.constraint_error_box}};
  }
  if (report.bound) result["bound"] = *report.bound;
  return result.dump(2, ' ', false, json::error_handler_t::replace);
}

}  // namespace sinew
