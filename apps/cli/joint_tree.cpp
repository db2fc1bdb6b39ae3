// SPDX-License-Identifier: Apache-2.0
#include "joint_tree.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace sinew::cli {
namespace {

constexpr std::size_t most_lines = 300;
constexpr int deepest_indent = 20;

// Whether each joint is shown.
std::vector<bool> shown_joints(const Skeleton& skeleton) {
  std::vector<bool> shown(skeleton.joints.size());
  for (std::size_t j = 0; j < shown.size(); ++j) shown[j] = !skeleton.joints[j].is_frame;
  for (const Bone& bone : skeleton.bones) {
    if (bone.tail_joint != no_joint) shown[bone.tail_joint] = true;
  }
  std::vector<JointIndex> order = evaluation_order(skeleton);
  for (auto joint = order.rbegin(); joint != order.rend(); ++joint) {
    const JointIndex parent = skeleton.joints[*joint].parent;
    if (shown[*joint] && parent != no_joint) shown[parent] = true;
  }
  return shown;
}

std::string length_of(const Skeleton& skeleton, JointIndex joint) {
  const auto bone = std::find_if(skeleton.bones.begin(), skeleton.bones.end(),
                                 [&](const Bone& b) { return b.joint == joint; });
  if (bone == skeleton.bones.end() || skeleton.joints[joint].is_frame) return "-";
  return fmt::format("{:.4g}", distance(bone->head, bone->tail));
}

}  // namespace

std::string joint_tree(const Skeleton& skeleton) {
  const std::vector<bool> shown = shown_joints(skeleton);
  const auto children = children_of(skeleton);
  struct Place {
    JointIndex joint;
    int depth;
  };
  std::vector<Place> to_do;
  for (std::size_t j = shown.size(); j-- > 0;) {
    if (skeleton.joints[j].parent == no_joint) to_do.push_back({int(j), 0});
  }
  const auto count = std::size_t(std::count(shown.begin(), shown.end(), true));
  if (count == 0) return {};
  struct Line {
    JointIndex joint;
    std::string label;
  };
  std::vector<Line> lines;
  while (!to_do.empty()) {
    const auto [joint, depth] = to_do.back();
    to_do.pop_back();
    if (!shown[joint]) continue;
    if (lines.size() == most_lines) break;
    const std::string& name = skeleton.joints[joint].name;
    lines.push_back({joint, std::string(2 * std::min(depth, deepest_indent), ' ') +
                                (name.empty() ? "-" : name)});
    const auto& below = children[joint];
    for (auto child = below.rbegin(); child != below.rend(); ++child) {
      to_do.push_back({*child, depth + 1});
    }
  }
  std::size_t width = 0;
  for (const Line& line : lines) width = std::max(width, line.label.size());
  const std::vector<Affine> rest = rest_globals(skeleton);
  std::string text = "  joint tree (number, name, bone length, place at rest in the world)\n";
  for (const Line& line : lines) {
    const Vec3& place = rest[line.joint].translation;
    text +=
        fmt::format("    {:>4} {:<{}} {:<8} {:.4g} {:.4g} {:.4g}\n", int(line.joint), line.label,
                    width, length_of(skeleton, line.joint), place.x, place.y, place.z);
  }
  if (count > lines.size()) {
    text += fmt::format("    and {} more; --json lists them all\n", count - lines.size());
  }
  return text;
}

}  // namespace sinew::cli
