// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "sinew/measure/measure.h"

namespace sinew {
namespace {

using nlohmann::json;

constexpr double told_rms = 0.01;
const double told_turn = radians(5);

std::string percent(const std::optional<double>& share, const char* format) {
  return share ? fmt::format(fmt::runtime(format), 100 * *share) : "-";
}

json or_null(const std::optional<double>& value) { return value ? json(*value) : json(); }

json bone_json(const Skeleton& skeleton, int bone) {
  const int joint = skeleton.bones[bone].joint;
  return {{"bone", bone}, {"name", skeleton.joints[joint].name}};
}

json radius_json(const Measures& measures, const Skeleton& skeleton) {
  json bones = json::array();
  for (const BoneRadius& radius : measures.radii) {
    json item = bone_json(skeleton, radius.bone);
    item["smallest"] = radius.smallest;
    item["at"] = radius.at;
    bones.push_back(item);
  }
  return {{"smallest", or_null(smallest_radius(measures))}, {"bones", bones}};
}

json twist_json(const Measures& measures, const Skeleton& skeleton) {
  json joints = json::array();
  for (const JointTwist& twist : measures.twists) {
    const auto bone = [&](const std::optional<int>& b) {
      return b ? bone_json(skeleton, *b) : json();
    };
    joints.push_back({{"before", bone(twist.before)},
                      {"after", bone(twist.after)},
                      {"asked", degrees(twist.asked)},
                      {"total", degrees(twist.total)},
                      {"near_joint", or_null(twist.share())}});
  }
  return {{"near_joints", or_null(share_near_joints(measures.twists))}, {"joints", joints}};
}

json caps_json(const Measures& measures, const Skeleton& skeleton) {
  json ends = json::array();
  for (const CapError& cap : measures.caps) {
    json item = bone_json(skeleton, cap.bone);
    item["end"] = cap.at_tail ? "tail" : "head";
    item["vertices"] = cap.vertices;
    item["size"] = cap.size;
    item["rms"] = cap.rms;
    item["largest"] = cap.largest;
    item["missed"] = cap.missed;
    ends.push_back(item);
  }
  return {{"worst", or_null(largest_cap_error(measures))},
          {"missed", or_null(largest_missed_end(measures))},
          {"ends", ends}};
}

json parts_json(const Measures& measures, const Skeleton& skeleton) {
  json list = json::array();
  for (const PartError& part : measures.parts) {
    json item = bone_json(skeleton, part.bone);
    item["kind"] = part.role == BoneRole::end_part ? "end" : "trunk";
    item["vertices"] = part.vertices;
    item["size"] = part.size;
    item["rms"] = part.rms;
    item["largest"] = part.largest;
    item["turn"] = degrees(part.turn);
    list.push_back(item);
  }
  json rigid, turned;
  if (const auto part = least_rigid_end(measures)) {
    rigid = bone_json(skeleton, part->bone);
    rigid["rms"] = part->rms;
  }
  if (const auto part = most_turned_part(measures)) {
    turned = bone_json(skeleton, part->bone);
    turned["turn"] = degrees(part->turn);
  }
  return {{"least_rigid", rigid}, {"most_turned", turned}, {"parts", list}};
}

json strain_json(const Strain& strain) {
  return {
      {"shear", degrees(strain.shear)},          {"largest_shear", degrees(strain.largest_shear)},
      {"distorted_area", strain.distorted_area}, {"distorted_triangles", strain.distorted.size()},
      {"triangles", strain.triangles},           {"no_area", strain.no_area}};
}

json volume_json(const std::optional<VolumeChange>& volume) {
  if (!volume) return {};
  return {
      {"rest", volume->rest},   {"deformed", volume->deformed},     {"change", volume->change()},
      {"parts", volume->parts}, {"open_parts", volume->open_parts}, {"left_out", volume->left_out}};
}

}  // namespace

std::string signed_percent(double share) {
  // Adding 0 makes a positive zero of a negative one.
  return fmt::format("{:+.1f}%", std::round(1000 * share) / 10 + 0.0);
}

std::string to_text(const Comparison& comparison, const Skeleton& skeleton) {
  const auto name = [&](const PartError& part) {
    const std::size_t joint = skeleton.bones[static_cast<std::size_t>(part.bone)].joint;
    const std::string& known = skeleton.joints[joint].name;
    return known.empty() ? fmt::format("bone {}", part.bone) : known;
  };
  std::string text = fmt::format("{:<12}{:>9}{:>9}{:>10}{:>8}{:>8}{:>11}{:>11}", "method", "volume",
                                 "longest", "shortest", "rms", "shear", "distorted", "crossings");
  for (const auto& [method, m] : comparison.results) {
    const auto edge = [&, has_edges = m.edges.edges > 0](double ratio) {
      return has_edges ? fmt::format("{:.3f}", ratio) : std::string("-");
    };
    const bool has_area = m.strain.triangles > 0;
    text += fmt::format(
        "\n{:<12}{:>9}{:>9}{:>10}{:>8}{:>8}{:>11}{:>11}", method,
        m.volume ? signed_percent(m.volume->change()) : "-", edge(m.edges.longest),
        edge(m.edges.shortest), edge(m.edges.rms),
        has_area ? fmt::format("{:.0f} deg", degrees(m.strain.shear)) : "-",
        has_area ? fmt::format("{:.2f}%", 100 * m.strain.distorted_area) : "-",
        fmt::format("{}{}", m.intersections.complete ? "" : ">", m.intersections.created));
  }
  text += fmt::format("\n\n{:<12}{:>9}{:>13}{:>8}{:>8}{:>11}{:>9}", "method", "radius",
                      "near joints", "caps", "missed", "not rigid", "turned");
  for (const auto& [method, m] : comparison.results) {
    const auto rigid = least_rigid_end(m), turned = most_turned_part(m);
    text += fmt::format(
        "\n{:<12}{:>9}{:>13}{:>8}{:>8}{:>11}{:>9}", method, percent(smallest_radius(m), "{:.1f}%"),
        percent(share_near_joints(m.twists), "{:.0f}%"), percent(largest_cap_error(m), "{:.2f}%"),
        percent(largest_missed_end(m), "{:.1f}%"),
        rigid ? fmt::format("{:.1f}%", 100 * rigid->rms) : "-",
        turned ? fmt::format("{:.0f} deg", degrees(turned->turn)) : "-");
    // Whose they are, where there is something to look for.
    std::string whose;
    if (rigid && rigid->rms >= told_rms) whose += "  " + name(*rigid);
    if (turned && turned->turn >= told_turn && !(rigid && rigid->bone == turned->bone)) {
      whose += fmt::format("{}{}", whose.empty() ? "  " : ", ", name(*turned));
    }
    text += whose;
  }
  return text;
}

std::string to_json(const Comparison& comparison, const Skeleton& skeleton) {
  json methods = json::array();
  for (const auto& [method, m] : comparison.results) {
    methods.push_back({{"method", method},
                       {"volume", volume_json(m.volume)},
                       {"edges",
                        {{"longest", m.edges.longest},
                         {"shortest", m.edges.shortest},
                         {"rms", m.edges.rms},
                         {"count", m.edges.edges},
                         {"no_length", m.edges.no_length}}},
                       {"radius", radius_json(m, skeleton)},
                       {"twist", twist_json(m, skeleton)},
                       {"caps", caps_json(m, skeleton)},
                       {"parts", parts_json(m, skeleton)},
                       {"strain", strain_json(m.strain)},
                       {"self_intersections",
                        {{"pairs", m.intersections.pairs},
                         {"new", m.intersections.created},
                         {"complete", m.intersections.complete}}}});
  }
  const json result = {{"vertices", comparison.vertices},
                       {"triangles", comparison.triangles},
                       {"self_intersections_at_rest", comparison.crossings_at_rest},
                       {"methods", methods}};
  return result.dump(2, ' ', false, json::error_handler_t::replace);
}

}  // namespace sinew
