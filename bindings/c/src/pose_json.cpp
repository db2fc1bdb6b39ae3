// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/pose_json.h"

#include "bindings/c/src/pose.h"
#include "sinew/core/overload.h"

namespace sinew::c {

void PoseObject::set_json(const std::string& json) {
  PoseFile file = parse_pose(json, rig_->rig());
  std::visit(Overload{[&](const std::vector<BonePose>& bones) {
                        by_bones_ = bone_states(rig_->rig(), bones, options_);
                      },
                      [&](ToldPose& pose) {
                        wanted_ = std::move(pose);
                        by_bones_.reset();
                        is_old_ = true;
                        plays_ = false;
                      }},
             file);
}

std::string PoseObject::json() {
  if (by_bones_) throw UsageError("the pose was set by bones, not by joints");
  return write_pose(rig_->rig(), posed().told());
}

}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_pose_set_json(sinew_pose* pose, const char* json) {
  return with_pose(pose, [&](PoseObject& object) { object.set_json(text_of(json, "json")); });
}

sinew_status sinew_pose_write_json(sinew_pose* pose, sinew_buffer** json) {
  return with_pose(pose, [&](PoseObject& object) {
    sinew_buffer*& out = result(json, "json");
    out = make_buffer(object.json());
  });
}
