// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/limits_step.h"

#include "sinew/core/error.h"
#include "sinew/io/settings_json.h"

namespace sinew {

StepForm LimitsStep::form() {
  return {{"limits", "FILE", "How far joints turn for targets, all of them, from a .json; or none",
           ContentKind::json}};
}

LimitsStep LimitsStep::parse(const StepText& text) {
  if (text.argument == "none") return {};
  return {text.argument, json_argument(text)};
}

std::string LimitsStep::arguments() const { return json ? file : "none"; }

void LimitsStep::apply(Editing& editing) const {
  Rig& rig = editing.rig;
  try {
    rig.limits = json ? parse_limits(*json, rig) : std::vector<IkLimit>();
  } catch (const InputError& error) {
    throw error.in_file(file);
  }
  std::vector<std::string> joints;
  for (const IkLimit& limit : rig.limits) {
    joints.push_back(describe_joint(rig.skeleton, limit.joint));
  }
  editing.facts.push_back({"limits", std::move(joints)});
}

}  // namespace sinew
