// SPDX-License-Identifier: Apache-2.0
#include "sinew/rig/rig.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/suggest.h"
#include "sinew/motion/clip_sampler.h"
#include "sinew/skeleton/bones.h"

namespace sinew {
namespace {

void check_filter(const Rig& rig, std::size_t bone, const FilterCurve& curve, const char* kind) {
  try {
    validate(curve);
  } catch (const InputError& error) {
    const std::size_t joint = rig.skeleton.bones[bone].joint;
    throw InputError(formatted("bone {} ('{}'), {} {}", bone, rig.skeleton.joints[joint].name, kind,
                               error.place()),
                     error.problem());
  }
}

void check_muscle(const Rig& rig, std::size_t bone, const Muscle& muscle) {
  const std::string place = formatted("bone {} ('{}'), muscle", bone,
                                      rig.skeleton.joints[rig.skeleton.bones[bone].joint].name);
  try {
    validate(muscle);
  } catch (const InputError& error) {
    throw InputError(place + ", " + error.place(), error.problem());
  }
  if (muscle.angle && !has_joint(rig.skeleton, muscle.angle->joint)) {
    throw InputError(
        place, formatted("it follows joint {}, which does not exist", int(muscle.angle->joint)));
  }
}

}  // namespace

void validate(const Rig& rig) {
  validate(rig.mesh);
  validate(rig.skeleton);
  if (rig.skin.filters.size() == rig.skeleton.bones.size()) {
    for (std::size_t b = 0; b < rig.skin.filters.size(); ++b) {
      check_filter(rig, b, rig.skin.filters[b].stretch, "stretch");
      check_filter(rig, b, rig.skin.filters[b].twist, "twist");
    }
  }
  if (rig.skin.muscles.size() == rig.skeleton.bones.size()) {
    for (std::size_t b = 0; b < rig.skin.muscles.size(); ++b) {
      check_muscle(rig, b, rig.skin.muscles[b]);
    }
  }
  // A mesh without skin has no rows at all.
  const bool has_skin = rig.skin.weights != Weights{};
  validate(rig.skin, has_skin ? rig.mesh.vertex_count() : 0, rig.skeleton.bones.size());
  validate(rig.offset_curves, rig.mesh.vertex_count(), rig.skeleton.bones.size());
  for (const Clip& clip : rig.clips) {
    validate(clip, rig.skeleton, static_cast<int>(rig.mesh.shapes.size()),
             static_cast<int>(rig.controls.size()));
  }
  for (std::size_t c = 0; c < rig.controls.size(); ++c) {
    if (std::isfinite(rig.controls[c].default_value)) continue;
    throw InputError(formatted("control {} ('{}')", c, rig.controls[c].name),
                     "its value is not finite");
  }
  driver_order(rig.skeleton, static_cast<int>(rig.controls.size()), rig.drivers);
  prepare_shape_drivers(rig);
  validate(rig.limits, rig.skeleton.joints.size());
}

Pose rest_pose(const Rig& rig) {
  Pose pose;
  for (const Joint& joint : rig.skeleton.joints) pose.joints.push_back(joint.rest);
  for (const BlendShape& shape : rig.mesh.shapes) pose.shapes.push_back(shape.default_weight);
  for (const Control& control : rig.controls) pose.controls.push_back(control.default_value);
  return pose;
}

ShapeDrivers prepare_shape_drivers(const Rig& rig) {
  std::vector<double> defaults;
  for (const BlendShape& shape : rig.mesh.shapes) defaults.push_back(shape.default_weight);
  return {rig.skeleton, static_cast<int>(rig.controls.size()), std::move(defaults),
          rig.shape_drivers, rig.pose_spaces};
}

Pose pose_at(const Rig& rig, const Clip& clip, double time) {
  Pose pose = rest_pose(rig);
  ClipSampler(clip).sample(time, pose);
  apply_drivers(rig, pose);
  return pose;
}

void apply_drivers(const Rig& rig, Pose& pose) {
  if (!rig.drivers.empty()) {
    const auto order =
        driver_order(rig.skeleton, static_cast<int>(rig.controls.size()), rig.drivers);
    apply(rig.skeleton, rig.drivers, order, pose);
  }
  if (!rig.shape_drivers.empty() || !rig.pose_spaces.empty()) {
    prepare_shape_drivers(rig).apply(rig.skeleton, pose);
  }
}

std::vector<Affine> bone_maps(const Rig& rig, const Pose& pose) {
  return bone_maps(rig.skeleton, forward_kinematics(rig.skeleton, pose.joints));
}

std::vector<Affine> bone_maps(const Skeleton& skeleton, std::span<const Affine> globals) {
  if (globals.size() != skeleton.joints.size()) {
    throw UsageError(formatted("{} frames for {} joints", globals.size(), skeleton.joints.size()));
  }
  require_joints_of_bones(skeleton);
  std::vector<Affine> maps;
  maps.reserve(skeleton.bones.size());
  for (const Bone& bone : skeleton.bones) {
    maps.push_back(globals[bone.joint] * bone.inverse_bind);
  }
  return maps;
}

const Clip& find_clip(const Rig& rig, std::string_view name_or_number) {
  const auto named = std::find_if(rig.clips.begin(), rig.clips.end(),
                                  [&](const Clip& clip) { return clip.name == name_or_number; });
  if (named != rig.clips.end()) return *named;
  std::string known;
  std::vector<std::string> names;
  for (std::size_t c = 0; c < rig.clips.size(); ++c) {
    if (std::to_string(c) == name_or_number) return rig.clips[c];
    known += formatted("{}{} '{}'", c == 0 ? "" : ", ", c, rig.clips[c].name);
    names.push_back(rig.clips[c].name);
  }
  throw UsageError(formatted("there is no clip '{}'{}{}", name_or_number,
                             did_you_mean(name_or_number, names),
                             known.empty() ? "; the file has none" : "; the file has " + known));
}

}  // namespace sinew
