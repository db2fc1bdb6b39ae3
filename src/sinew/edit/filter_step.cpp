// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/filter_step.h"

#include <algorithm>

#include "sinew/edit/setting_text.h"
#include "sinew/skeleton/bones.h"

namespace sinew {
namespace {

void set_filter(Editing& editing, const std::string& list, const FilterCurve& curve,
                FilterCurve BoneFilter::*kind) {
  const Skeleton& skeleton = editing.rig.skeleton;
  std::vector<BoneFilter>& filters = editing.rig.skin.filters;
  const std::vector<BoneIndex> bones = bones_in_list(skeleton, list);
  filters.resize(skeleton.bones.size());
  std::vector<std::string> names, before;
  for (const BoneIndex bone : bones) {
    names.push_back(bone_name(skeleton, bone));
    before.push_back(to_text(filters[bone].*kind));
    filters[bone].*kind = curve;
  }
  const bool any = std::any_of(filters.begin(), filters.end(),
                               [](const BoneFilter& filter) { return filter != BoneFilter{}; });
  if (!any) filters.clear();
  editing.facts.push_back({"filtered", std::move(names)});
  editing.facts.push_back({"before", std::move(before)});
  editing.facts.push_back({"after", to_text(curve)});
}

}  // namespace

StepForm FilterStep::form() {
  return {{"filter", "BONE=CURVE",
           "Filter endpoint weights: points x:y,x:y of a curve, free:... if it falls, or none"}};
}

FilterStep FilterStep::parse(const StepText& text) {
  const auto [bones, curve] = named_value(text);
  return {bones, parse_filter(text, curve)};
}

std::string FilterStep::arguments() const { return bones + "=" + to_text(curve); }

void FilterStep::apply(Editing& editing) const {
  set_filter(editing, bones, curve, &BoneFilter::stretch);
}

StepForm TwistFilterStep::form() {
  return {{"twist-filter", "BONE=CURVE", "The same for the endpoint weights of the twist"}};
}

TwistFilterStep TwistFilterStep::parse(const StepText& text) {
  const auto [bones, curve] = named_value(text);
  return {bones, parse_filter(text, curve)};
}

std::string TwistFilterStep::arguments() const { return bones + "=" + to_text(curve); }

void TwistFilterStep::apply(Editing& editing) const {
  set_filter(editing, bones, curve, &BoneFilter::twist);
}

}  // namespace sinew
