// SPDX-License-Identifier: Apache-2.0
#include "settings_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command.h"

namespace sinew::cli {
namespace {

std::string filters_text(const nlohmann::json& filters) {
  std::vector<std::string> bones;
  for (const auto& [bone, kinds] : filters.items()) {
    std::vector<std::string> names;
    for (const auto& [kind, curve] : kinds.items()) {
      names.push_back(curve.is_object() ? kind + ", free" : kind);
    }
    bones.push_back(fmt::format("{} ({})", bone, fmt::join(names, "; ")));
  }
  return fmt::format("{}", fmt::join(bones, ", "));
}

std::string twist_shares_text(const nlohmann::json& shares) {
  std::vector<std::string> joints;
  for (const auto& [joint, both] : shares.items()) {
    joints.push_back(
        fmt::format("{} {:.6g}/{:.6g}", joint, both[0].get<double>(), both[1].get<double>()));
  }
  return fmt::format("{}", fmt::join(joints, ", "));
}

std::string offset_curves_text(const nlohmann::json& settings) {
  std::string text =
      fmt::format("roundness {:.6g}, placement {:.6g}", settings["roundness"].get<double>(),
                  settings["placement"].get<double>());
  if (settings.contains("curves")) {
    text += ", " + counted(settings["curves"].size(), "curve", "curves");
  }
  if (settings.contains("painted")) text += ", painted";
  return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> settings_lines(const nlohmann::json& settings) {
  std::vector<std::pair<std::string, std::string>> lines;
  if (settings["twist_endpoint_weights"].get<bool>()) lines.emplace_back("twist endpoints", "yes");
  if (const nlohmann::json& shares = settings["blend_shares"]; !shares.is_null()) {
    lines.emplace_back(
        "blend shares",
        fmt::format("{:.3g} to {:.3g}, {:.3g} on average", shares["least"].get<double>(),
                    shares["most"].get<double>(), shares["mean"].get<double>()));
  }
  if (!settings["filters"].empty()) {
    lines.emplace_back("filters", filters_text(settings["filters"]));
  }
  if (!settings["twist_shares"].empty()) {
    lines.emplace_back("twist shares", twist_shares_text(settings["twist_shares"]));
  }
  if (!settings["offset_curves"].is_null()) {
    lines.emplace_back("offset curves", offset_curves_text(settings["offset_curves"]));
  }
  return lines;
}

}  // namespace sinew::cli
