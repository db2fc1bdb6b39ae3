// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/twist_share_step.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/internal/text.h"
#include "sinew/edit/setting_text.h"
#include "sinew/skeleton/bones.h"

namespace sinew {
namespace {

// As the step reads them.
std::string shares_text(const std::optional<TwistShares>& shares) {
  if (!shares) return "none";
  if (shares->own == 1 - shares->parent) return fmt::format("{}", shares->parent);
  return fmt::format("{},{}", shares->parent, shares->own);
}

}  // namespace

StepForm TwistShareStep::form() {
  return {{"twist-share", "JOINT=S",
           "Share of the joint's twist that the bone before it takes up, its own takes the rest; "
           "S,T: both; none: automatic"}};
}

TwistShareStep TwistShareStep::parse(const StepText& text) {
  const auto [joint, value] = named_value(text);
  if (value == "none") return {joint, std::nullopt};
  const std::size_t comma = value.find(',');
  const auto parent = text::parse_number(std::string_view(value).substr(0, comma));
  const auto own = comma == std::string::npos
                       ? (parent ? std::optional<double>(1 - *parent) : std::nullopt)
                       : text::parse_number(std::string_view(value).substr(comma + 1));
  if (!parent || !own || !(*parent >= 0 && *own >= 0 && *parent + *own <= 1)) {
    throw UsageError(fmt::format(
        "--{}: {} is not a share from 0 to 1, two with a sum of at most 1 (0.25,0.5), or none",
        text.name, text::quoted(value)));
  }
  return {joint, TwistShares{*parent, *own}};
}

std::string TwistShareStep::arguments() const { return joint + "=" + shares_text(shares); }

void TwistShareStep::apply(Editing& editing) const {
  Skeleton& skeleton = editing.rig.skeleton;
  // Files keep the shares of joints that have a bone.
  const std::vector<BoneIndex> bones = find_bones(skeleton, joint);
  std::vector<JointIndex> joints;
  for (const BoneIndex bone : bones) joints.push_back(skeleton.bones[bone].joint);
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  std::vector<std::string> before;
  for (const JointIndex j : joints) {
    before.push_back(shares_text(skeleton.joints[j].twist_shares));
    skeleton.joints[j].twist_shares = shares;
  }
  editing.facts.push_back({"before", std::move(before)});
  editing.facts.push_back({"after", shares_text(shares)});
}

}  // namespace sinew
