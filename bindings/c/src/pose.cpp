// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/src/pose.h"

#include <cmath>
#include <cstddef>

#include "bindings/c/src/arrays.h"

namespace sinew::c {

PoseObject::PoseObject(std::shared_ptr<const RigState> rig, const StateOptions& options,
                       bool follows)
    : rig_(std::move(rig)),
      options_(options),
      follows_(follows),
      posed_(rig_->plan(), options),
      wanted_{posed_.pose(), {}, {}} {}

void PoseObject::rest() {
  wanted_ = ToldPose{posed_.plan().rest_pose(), {}, {}};
  posed_.set(wanted_);
  by_bones_.reset();
  is_old_ = false;
  plays_ = false;
}

void PoseObject::play(std::size_t clip, double time) {
  posed_.play(rig_->clip_plan(clip), time);
  by_bones_.reset();
  is_old_ = false;
  plays_ = true;
}

ToldPose& PoseObject::told() {
  if (plays_) wanted_ = posed_.told();
  plays_ = false;
  return wanted_;
}

const PosedRig& PoseObject::posed() {
  if (is_old_) {
    // What the transforms cannot express has no history to follow.
    const bool is_plain = wanted_.twists.empty() && wanted_.tails.empty();
    ToldPose complete = wanted_;
    posed_.plan().apply_drivers(complete);
    if (follows_ && is_plain) {
      posed_.follow(complete);
    } else {
      posed_.set(complete);
    }
  }
  is_old_ = false;
  return posed_;
}

std::span<const BoneState> PoseObject::bones() {
  if (by_bones_) return *by_bones_;
  return posed().bones();
}

void PoseObject::update(Palette& palette) {
  if (by_bones_) {
    palette.update(*by_bones_, shapes());
  } else {
    palette.update(posed());
  }
}

std::span<const double> PoseObject::shapes() { return posed().shapes(); }

void set_told_joint(ToldPose& pose, JointIndex joint, const Transform& transform) {
  pose.joints[joint] = transform;
  std::erase_if(pose.twists, [&](const auto& twist) { return twist.joint == joint; });
}

namespace {

sinew_array pose_array(PoseObject& pose, sinew_pose_field field) {
  const Pose& joints = pose.posed().pose();
  const std::span<const BoneState> bones = pose.bones();
  const auto of_bones = [&](const auto& first, std::uint32_t components) {
    return view(reinterpret_cast<const double*>(&first), bones.size(), components,
                sizeof(BoneState));
  };
  static_assert(offsetof(BoneState, twist_tail) ==
                offsetof(BoneState, twist_head) + sizeof(double));
  switch (field) {
    case SINEW_POSE_JOINTS:
      return view(joints.joints, 10);
    case SINEW_POSE_SHAPES:
      return view(joints.shapes, 1);
    case SINEW_POSE_CONTROLS:
      return view(joints.controls, 1);
    case SINEW_POSE_JOINT_FRAMES:
      return view(reinterpret_cast<const double*>(pose.posed().joints().data()),
                  pose.posed().joints().size(), 12);
    default:
      break;
  }
  if (field > SINEW_POSE_BONE_BULGES) {
    throw UsageError("there is no field " + std::to_string(static_cast<int>(field)));
  }
  if (bones.empty()) return {};
  switch (field) {
    case SINEW_POSE_BONE_HEADS:
      return of_bones(bones[0].posed_head, 3);
    case SINEW_POSE_BONE_TAILS:
      return of_bones(bones[0].posed_tail, 3);
    case SINEW_POSE_BONE_ROTATIONS:
      return of_bones(bones[0].rotation, 4);
    case SINEW_POSE_BONE_TWISTS:
      return of_bones(bones[0].twist_head, 2);
    case SINEW_POSE_BONE_BULGES:
      return of_bones(bones[0].bulge, 1);
    default:
      return of_bones(bones[0].matrix, 12);
  }
}

std::vector<double> finite_numbers(const sinew_array* array, const char* name, std::size_t count,
                                   const char* of) {
  require(array, name);
  const Array given(*array, name);
  given.require_count(count, of);
  std::vector<double> values = given.numbers();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    throw InputError(std::string(name) + "[" + std::to_string(i) + "]", "it is not finite");
  }
  return values;
}

}  // namespace
}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_pose_create(const sinew_rig* rig, const sinew_pose_options* options,
                               sinew_pose** pose) {
  return guarded([&] {
    sinew_pose*& out = result(pose, "pose");
    const sinew_pose_options given = options_from(options, "options");
    StateOptions states;
    states.squash = given.squash != 0;
    states.same_intent = given.same_intent != 0;
    out = make_handle(
        std::make_shared<PoseObject>(live<RigObject>(rig)->state(), states, given.follow != 0));
  });
}

sinew_status sinew_pose_rest(sinew_pose* pose) {
  return with_pose(pose, [](PoseObject& object) { object.rest(); });
}

sinew_status sinew_pose_play(sinew_pose* pose, size_t clip, double time) {
  return with_pose(pose, [&](PoseObject& object) { object.play(clip, time); });
}

sinew_status sinew_pose_set_joints(sinew_pose* pose, const sinew_array* transforms) {
  return with_pose(pose, [&](PoseObject& object) {
    require(transforms, "transforms");
    const Array given(*transforms, "transforms", {10});
    given.require_count(object.rig().rig().skeleton.joints.size(), "joints");
    std::vector<Transform> joints(given.count());
    for (std::size_t j = 0; j < joints.size(); ++j) joints[j] = transform_at(given, j);
    object.change([&](ToldPose& wanted) {
      wanted.joints = std::move(joints);
      wanted.twists.clear();
      wanted.tails.clear();
    });
  });
}

sinew_status sinew_pose_set_joint(sinew_pose* pose, size_t joint, const double transform[10]) {
  return with_pose(pose, [&](PoseObject& object) {
    require(transform, "transform");
    entry(object.rig().rig().skeleton.joints, joint, "joint");
    const Transform given =
        transform_at(Array({transform, 1, 0, 10, SINEW_FLOAT64}, "transform", {10}), 0);
    object.change([&](ToldPose& wanted) { set_told_joint(wanted, joint, given); });
  });
}

sinew_status sinew_pose_set_shapes(sinew_pose* pose, const sinew_array* weights) {
  return with_pose(pose, [&](PoseObject& object) {
    std::vector<double> values =
        finite_numbers(weights, "weights", object.rig().rig().mesh.shapes.size(), "shapes");
    object.change([&](ToldPose& wanted) { wanted.shapes = std::move(values); });
  });
}

sinew_status sinew_pose_set_controls(sinew_pose* pose, const sinew_array* values) {
  return with_pose(pose, [&](PoseObject& object) {
    std::vector<double> numbers =
        finite_numbers(values, "values", object.rig().rig().controls.size(), "controls");
    object.change([&](ToldPose& wanted) { wanted.controls = std::move(numbers); });
  });
}

sinew_status sinew_pose_get(sinew_pose* pose, sinew_pose_field field, sinew_array* array) {
  return with_pose(pose, [&](PoseObject& object) {
    sinew_array& out = result(array, "array");
    out = pose_array(object, field);
  });
}

sinew_status sinew_pose_free(sinew_pose* pose) {
  return guarded([&] { free_handle<PoseObject>(pose); });
}
