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

std::string muscles_text(const nlohmann::json& muscles) {
  std::vector<std::string> bones;
  for (const auto& [bone, muscle] : muscles.items()) {
    std::vector<std::string> drives;
    if (muscle.contains("stretch")) {
      drives.push_back(fmt::format("stretch {:.6g}", muscle["stretch"].get<double>()));
    }
    if (muscle.contains("angle")) {
      const nlohmann::json& angle = muscle["angle"];
      const nlohmann::json& joint = angle["joint"];
      drives.push_back(fmt::format("{} {:.6g} to {:.6g} degrees {:.6g}",
                                   joint.is_string() ? joint.get<std::string>() : joint.dump(),
                                   angle["range"][0].get<double>(), angle["range"][1].get<double>(),
                                   angle["gain"].get<double>()));
    }
    bones.push_back(fmt::format("{} ({})", bone, fmt::join(drives, "; ")));
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

std::string limits_text(const nlohmann::json& limits) {
  std::vector<std::string> joints;
  for (const auto& [joint, limit] : limits.items()) {
    const char* kind = limit.contains("cone") ? "cone" : limit.contains("hinge") ? "hinge" : "axes";
    joints.push_back(fmt::format("{} ({})", joint, kind));
  }
  return fmt::format("{}", fmt::join(joints, ", "));
}

// A name, or the number of what has none.
std::string named(const nlohmann::json& key) {
  return key.is_string() ? key.get<std::string>() : key.dump();
}

std::string driven_shapes_text(const nlohmann::json& drivers) {
  std::vector<std::string> shapes;
  for (const nlohmann::json& driver : drivers) {
    if (driver.contains("shape")) shapes.push_back(named(driver["shape"]));
  }
  return fmt::format("{}", fmt::join(shapes, ", "));
}

std::string correctives_text(const nlohmann::json& space) {
  std::vector<std::string> joints, shapes;
  for (const nlohmann::json& joint : space["joints"]) joints.push_back(named(joint));
  for (const nlohmann::json& example : space["examples"]) {
    for (const nlohmann::json& shape : example["shapes"]) shapes.push_back(named(shape));
  }
  return fmt::format("{} by {}", fmt::join(shapes, ", "), fmt::join(joints, ", "));
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
  if (!settings["muscles"].empty()) {
    lines.emplace_back("muscles", muscles_text(settings["muscles"]));
  }
  if (!settings["twist_shares"].empty()) {
    lines.emplace_back("twist shares", twist_shares_text(settings["twist_shares"]));
  }
  if (!settings["limits"].empty()) {
    lines.emplace_back("joint limits", limits_text(settings["limits"]));
  }
  if (const std::string shapes = driven_shapes_text(settings["drivers"]); !shapes.empty()) {
    lines.emplace_back("driven shapes", shapes);
  }
  for (const nlohmann::json& space : settings["pose_spaces"]) {
    lines.emplace_back("correctives", correctives_text(space));
  }
  if (!settings["offset_curves"].is_null()) {
    lines.emplace_back("offset curves", offset_curves_text(settings["offset_curves"]));
  }
  return lines;
}

}  // namespace sinew::cli
