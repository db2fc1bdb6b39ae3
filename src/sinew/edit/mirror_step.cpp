// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/mirror_step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/internal/text.h"
#include "sinew/edit/muscle_step.h"
#include "sinew/edit/where.h"
#include "sinew/skeleton/bones.h"
#include "sinew/weights/mirror.h"

namespace sinew {
namespace {

constexpr std::array<const char*, 3> axis_names{"x", "y", "z"};
constexpr std::array<const char*, 3> side_names{"left", "right", "both"};
// Of the skeleton's extent: nearer to each other than this, two sides are none, and nearer to 0 the
// plane is at 0.
constexpr double least_distance = 0.005;

// What the names of bones say about the two sides.
struct NamedSides {
  bool known = false;
  bool left_is_positive = true;
  double middle = 0;  // along the axis
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

NamedSides sides_by_name(const Skeleton& skeleton, int axis) {
  std::vector<double> left, right, middles;
  double low = 0, high = 0;
  const auto place = [&](const Bone& bone) { return (bone.head[axis] + bone.tail[axis]) / 2; };
  std::map<std::string_view, std::size_t> first_of;  // bones by the names of their joints
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    first_of.emplace(skeleton.joints[skeleton.bones[b].joint].name, b);
  }
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const Bone& bone = skeleton.bones[b];
    for (const Vec3& p : {bone.head, bone.tail}) {
      low = b == 0 ? p[axis] : std::min(low, p[axis]);
      high = b == 0 ? p[axis] : std::max(high, p[axis]);
    }
    const std::string& name = skeleton.joints[bone.joint].name;
    const NameSide side = name_side(name);
    if (side == NameSide::right) right.push_back(place(bone));
    if (side != NameSide::left) continue;
    left.push_back(place(bone));
    const auto partner = first_of.find(mirrored_name(name));
    if (partner == first_of.end()) continue;
    middles.push_back((place(bone) + place(skeleton.bones[partner->second])) / 2);
  }
  if (left.empty() || right.empty()) return {};
  const double least = least_distance * (high - low), apart = median(left) - median(right);
  if (!(std::fabs(apart) > least)) return {};
  // Names with numbers of their own (LeftArm_09, RightArm_06) tell sides, but no pairs.
  const double middle = middles.empty() ? 0 : median(middles);
  return {true, apart > 0, std::fabs(middle) > least ? middle : 0};
}

std::string describe_sides(const Skeleton& skeleton, int axis, const NamedSides& sides) {
  if (sides.known) {
    return fmt::format("left is where {} is {} that, by the names of bones", axis_names.at(axis),
                       sides.left_is_positive ? "above" : "below");
  }
  std::string text = fmt::format(
      "names of bones do not tell them apart: left is where {} is positive", axis_names.at(axis));
  for (int other = 0; other < 3; ++other) {
    if (sides_by_name(skeleton, other).known) {
      text += fmt::format("; along {} names do", axis_names.at(other));
    }
  }
  return text;
}

}  // namespace

StepForm MirrorStep::form() {
  return {{"mirror", "x|y|z", "Copy weights from one side to the other, across this axis"},
          {{"from", "left|right|both", "The side that is copied (default: left); both: their mean"},
           where_word()}};
}

MirrorStep MirrorStep::parse(const StepText& text) {
  MirrorStep step;
  const auto axis = std::find(axis_names.begin(), axis_names.end(), text.argument);
  if (axis == axis_names.end()) {
    throw UsageError(
        fmt::format("--mirror: {} is not an axis: x, y or z", text::quoted(text.argument)));
  }
  step.axis = static_cast<int>(axis - axis_names.begin());
  const std::string from = text.modifier("from", "left");
  const auto side = std::find(side_names.begin(), side_names.end(), from);
  if (side == side_names.end()) {
    throw UsageError(
        fmt::format("--from: {} is not a side: left, right or both", text::quoted(from)));
  }
  step.from = static_cast<From>(side - side_names.begin());
  step.where = text.modifier("where");
  return step;
}

std::string MirrorStep::arguments() const {
  return fmt::format("{} from {}{}", axis_names.at(axis), side_names.at(static_cast<int>(from)),
                     where_text(where));
}

void MirrorStep::apply(Editing& editing) const {
  if (axis < 0 || axis > 2) throw UsageError("a mirror's axis is 0, 1 or 2 for x, y or z");
  editing.require_weights();
  const Rig& rig = editing.rig;
  const NamedSides sides = sides_by_name(rig.skeleton, axis);
  MirrorOptions options;
  options.plane.point[axis] = sides.middle;
  options.plane.normal = {};
  options.plane.normal[axis] = 1;
  if (from == From::both) {
    options.from = MirrorFrom::both;
  } else {
    const bool positive = (from == From::left) == sides.left_is_positive;
    options.from = positive ? MirrorFrom::positive : MirrorFrom::negative;
  }
  const std::vector<bool> selected = selected_vertices(rig, where);
  const Mirrored mirrored = mirror(rig.mesh, rig.skeleton, rig.skin, options);
  editing.set_rows(mirrored.skin, selected);

  editing.facts.push_back({"plane", fmt::format("{} = {:.6g}", axis_names.at(axis), sides.middle)});
  editing.facts.push_back({"sides", describe_sides(rig.skeleton, axis, sides)});
  std::vector<Index> unpaired;
  for (const Index v : mirrored.unpaired_vertices) {
    if (selected.empty() || selected[v]) unpaired.push_back(v);
  }
  editing.facts.push_back({"unpaired_vertices", std::move(unpaired)});
  std::vector<std::string> bones;
  for (const BoneIndex bone : mirrored.unpaired_bones) {
    bones.push_back(bone_name(rig.skeleton, bone));
  }
  editing.facts.push_back({"unpaired_bones", std::move(bones)});
  if (!where.empty()) return;
  const int side = options.from == MirrorFrom::both       ? 0
                   : options.from == MirrorFrom::positive ? 1
                                                          : -1;
  std::vector<std::string> swelling;
  for (const BoneIndex bone : mirror_muscles(editing.rig, options.plane, side)) {
    swelling.push_back(bone_name(rig.skeleton, bone));
  }
  if (!swelling.empty()) editing.facts.push_back({"mirrored_muscles", std::move(swelling)});
}

}  // namespace sinew
