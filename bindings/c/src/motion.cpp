// SPDX-License-Identifier: Apache-2.0
// Motions of other skeletons.
#include <nlohmann/json.hpp>

#include "bindings/c/src/rig.h"
#include "sinew/deform/pose_clip.h"
#include "sinew/io/joint_map_json.h"

namespace sinew::c {
namespace {

RetargetOptions retarget_options_from(const sinew_retarget_options& given) {
  RetargetOptions options;
  options.fps = given.frames_per_second;
  if (given.tolerance != 0) options.tolerance = radians(given.tolerance);
  if (given.all_keys != 0) options.tolerance = 0;
  options.in_place = given.in_place != 0;
  if (given.has_rest_time != 0) options.rest_time = given.rest_time;
  return options;
}

}  // namespace
}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_rig_retarget(sinew_rig* rig, const sinew_rig* source, size_t clip,
                                const sinew_retarget_options* options, sinew_buffer** report) {
  return guarded([&] {
    if (report != nullptr) *report = nullptr;
    const auto object = live<RigObject>(rig);
    const auto recorded = live<RigObject>(source)->state();
    const sinew_retarget_options given = options_from(options, "options");
    const Skeleton& from = recorded->rig().skeleton;
    const Clip& motion = entry(recorded->rig().clips, clip, "clip");
    nlohmann::json told;
    object->change([&](Model& model) {
      const Skeleton& to = model.rig.skeleton;
      const JointMap map =
          given.map != nullptr ? parse_joint_map(given.map, from, to) : map_joints(from, to);
      RetargetOptions how = retarget_options_from(given);
      for (const Driver& driver : model.rig.drivers) how.computed.push_back(driver.joint);
      Retargeted made = retarget(from, motion, to, map, how);
      told = nlohmann::json::parse(to_json(made, map, from, model.rig));
      told["map"] = nlohmann::json::parse(to_json(map, from, to));
      made.clip.name = text_or(given.name, motion.name.c_str());
      put_clip(model.rig, std::move(made.clip));
    });
    if (report != nullptr) *report = make_buffer(told.dump(2));
  });
}
