// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/drivers_step.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/settings_json.h"

namespace sinew {
namespace {

// Returns how many channels were removed.
std::size_t follow_controls(Clip& clip, const std::vector<Control>& before,
                            const std::vector<Control>& after) {
  return std::erase_if(clip.channels, [&](Channel& channel) {
    auto* control = std::get_if<ControlChannel>(&channel);
    if (control == nullptr) return false;
    const std::string& name = before[control->control].name;
    const auto found = std::find_if(after.begin(), after.end(),
                                    [&](const Control& other) { return other.name == name; });
    if (found == after.end()) return true;
    control->control = static_cast<int>(found - after.begin());
    return false;
  });
}

std::string describe_shape(const Mesh& mesh, int shape) {
  const std::string& name = mesh.shapes[shape].name;
  return fmt::format("blend shape {}{}", shape, name.empty() ? "" : " (" + name + ")");
}

}  // namespace

StepForm DriversStep::form() {
  return {{"drivers", "FILE",
           "All controls, generalized bones and drivers of blend shapes, from a .json; or none",
           ContentKind::json}};
}

DriversStep DriversStep::parse(const StepText& text) {
  if (text.argument == "none") return {};
  return {text.argument, json_argument(text)};
}

std::string DriversStep::arguments() const { return json ? file : "none"; }

void DriversStep::apply(Editing& editing) const {
  Rig& rig = editing.rig;
  GeneralizedBones wanted;
  wanted.pose_spaces = rig.pose_spaces;
  try {
    if (json) wanted = parse_drivers(*json, rig);
  } catch (const InputError& error) {
    throw error.in_file(file);
  }
  std::size_t removed = 0;
  for (Clip& clip : rig.clips) removed += follow_controls(clip, rig.controls, wanted.controls);
  rig.controls = std::move(wanted.controls);
  rig.drivers = std::move(wanted.drivers);
  rig.shape_drivers = std::move(wanted.shape_drivers);
  rig.pose_spaces = std::move(wanted.pose_spaces);
  std::vector<std::string> controls, joints, shapes;
  for (const Control& control : rig.controls) controls.push_back(control.name);
  for (const Driver& driver : rig.drivers) {
    joints.push_back(describe_joint(rig.skeleton, driver.joint));
  }
  editing.facts.push_back({"controls", std::move(controls)});
  for (const ShapeDriver& driver : rig.shape_drivers) {
    shapes.push_back(describe_shape(rig.mesh, driver.shape));
  }
  editing.facts.push_back({"drivers", std::move(joints)});
  if (!shapes.empty()) editing.facts.push_back({"shape_drivers", std::move(shapes)});
  if (removed > 0) editing.facts.push_back({"removed_channels", static_cast<double>(removed)});
}

}  // namespace sinew
