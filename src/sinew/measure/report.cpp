// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "sinew/measure/measure.h"

namespace sinew {
namespace {

using nlohmann::json;

std::string percent(const std::optional<double>& share, const char* format) {
  return share ? fmt::format(fmt::runtime(format), 100 * *share) : "-";
}

json or_null(const std::optional<double>& value) { return value ? json(*value) : json(); }

json bone_json(const Skeleton& skeleton, int bone) {
  const int joint = skeleton.bones[static_cast<std::size_t>(bone)].joint;
  return {{"bone", bone}, {"name", skeleton.joints[static_cast<std::size_t>(joint)].name}};
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

std::string to_text(const Comparison& comparison) {
  std::string text = fmt::format("{:<12}{:>9}{:>10}{:>10}{:>9}{:>9}{:>13}{:>9}{:>9}{:>11}",
                                 "method", "volume", "longest", "shortest", "rms", "radius",
                                 "near joints", "caps", "missed", "crossings");
  for (const auto& [method, m] : comparison.results) {
    const bool has_edges = m.edges.edges > 0;
    const auto edge = [&](double ratio) {
      return has_edges ? fmt::format("{:.3f}", ratio) : std::string("-");
    };
    text += fmt::format(
        "\n{:<12}{:>9}{:>10}{:>10}{:>9}{:>9}{:>13}{:>9}{:>9}{:>11}", method,
        m.volume ? signed_percent(m.volume->change()) : "-", edge(m.edges.longest),
        edge(m.edges.shortest), edge(m.edges.rms), percent(smallest_radius(m), "{:.1f}%"),
        percent(share_near_joints(m.twists), "{:.0f}%"), percent(largest_cap_error(m), "{:.2f}%"),
        percent(largest_missed_end(m), "{:.1f}%"),
        fmt::format("{}{}", m.intersections.complete ? "" : ">", m.intersections.created));
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
