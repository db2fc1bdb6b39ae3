// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/detail/joint_pose.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/io/detail/named_members.h"
#include "sinew/io/detail/targets_json.h"

namespace sinew {
namespace {

// An error of `action` gets the place in the document.
template <class Action>
void with_place(const JsonRef& json, const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    json.fail(error.problem());
  }
}

ToldBend parse_bend(const JsonRef& json) {
  if (json.size() != 2) json.fail("a bend is [degrees, \"x\"] or [degrees, [x, y, z]]");
  const JsonRef axis = json.at(std::size_t{1});
  ToldBend bend{{}, radians(json.at(std::size_t{0}).number())};
  if (axis.value().is_string()) {
    const std::string& name = axis.string();
    if (name != "x" && name != "y" && name != "z") {
      axis.fail("an axis is \"x\", \"y\", \"z\" or [x, y, z]");
    }
    bend.axis = {name == "x" ? 1.0 : 0.0, name == "y" ? 1.0 : 0.0, name == "z" ? 1.0 : 0.0};
  } else {
    bend.axis = axis.vec3();
    if (!has_length({}, bend.axis)) axis.fail("an axis must have a length");
  }
  return bend;
}

std::vector<ToldBend> parse_bends(const JsonRef& json) {
  std::vector<ToldBend> bends;
  const std::size_t count = json.size();
  if (count > 0 && json.at(std::size_t{0}).value().is_number()) return {parse_bend(json)};
  for (std::size_t i = 0; i < count; ++i) bends.push_back(parse_bend(json.at(i)));
  return bends;
}

// What a generalized bone would compute over is refused.
void require_free(const JsonRef& json, const Rig& rig, JointIndex joint) {
  if (!is_driven(rig, joint)) return;
  json.fail("a generalized bone computes " + describe_joint(rig.skeleton, joint) +
            "; pose what it follows");
}

void parse_turn(const JsonRef& json, const Rig& rig, const PoseTeller& teller, JointIndex joint,
                ToldPose& pose) {
  if (const auto bends = json.find("bend")) {
    require_free(*bends, rig, joint);
    const std::vector<ToldBend> told = parse_bends(*bends);
    with_place(*bends, [&] { teller.turn(pose, joint, told, 0); });
  }
  if (const auto twist = json.find("twist")) {
    require_free(*twist, rig, joint);
    const double angle = radians(twist->number());
    with_place(*twist, [&] { teller.turn(pose, joint, {}, angle); });
  }
}

void parse_stretch(const JsonRef& json, const Rig& rig, const PoseTeller& teller, JointIndex joint,
                   ToldPose& pose) {
  const double factor = json.number();
  with_place(json, [&] { teller.stretch(pose, joint, factor); });
  if (factor == 1) return;
  for (const Bone& bone : rig.skeleton.bones) {
    if (bone.joint == joint && bone.tail_joint != no_joint)
      require_free(json, rig, bone.tail_joint);
  }
}

}  // namespace

Quat unit_quaternion(const JsonRef& json) {
  const std::vector<double> v = json.numbers(4);
  const Quat q{v[0], v[1], v[2], v[3]};
  const double off = std::fabs(dot(q, q) - 1);
  if (!(off <= 1e-2)) json.fail("a rotation is a unit quaternion [x, y, z, w]");
  // As good as it gets: what was written is read back.
  return off < 1e-14 ? q : normalized(q);
}

Vec3 bounded_vec3(const JsonRef& json) {
  const Vec3 v = json.vec3();
  if (!std::isfinite(length_squared(v))) json.fail("is too large to compute with");
  return v;
}

ToldPose parse_joint_pose(const JsonRef& json, const Rig& rig, const PoseTeller& teller) {
  json.allow_only({"joints", "shapes", "controls", "targets", "limits", "stiffness", "softness"});
  ToldPose pose{rest_pose(rig), {}, {}};
  for_each_named(
      json, "joints", rig.skeleton.joints, "joint", [&](std::size_t j, const JsonRef& joint) {
        joint.allow_only({"translation", "rotation", "scale", "bend", "twist", "stretch"});
        Transform& local = pose.joints[j];
        if (const auto t = joint.find("translation")) local.translation = bounded_vec3(*t);
        if (const auto r = joint.find("rotation")) local.rotation = unit_quaternion(*r);
        if (const auto s = joint.find("scale")) local.scale = bounded_vec3(*s);
        parse_turn(joint, rig, teller, int(j), pose);
      });
  // After all translations, which they add to.
  for_each_named(json, "joints", rig.skeleton.joints, "joint",
                 [&](std::size_t j, const JsonRef& joint) {
                   if (const auto s = joint.find("stretch")) {
                     parse_stretch(*s, rig, teller, int(j), pose);
                   }
                 });
  const std::vector<bool> is_computed =
      driven_shapes(rig.shape_drivers, rig.pose_spaces, pose.shapes.size());
  for_each_named(json, "shapes", rig.mesh.shapes, "blend shape",
                 [&](std::size_t k, const JsonRef& weight) {
                   if (is_computed[k])
                     weight.fail("this blend shape is computed; it cannot be set");
                   pose.shapes[k] = weight.number();
                 });
  for_each_named(json, "controls", rig.controls, "control",
                 [&](std::size_t c, const JsonRef& value) { pose.controls[c] = value.number(); });
  apply_drivers(rig, pose);
  return pose;
}

PoseKey parse_joint_key(const JsonRef& json, const Rig& rig, const PoseTeller& teller) {
  PoseKey key;
  key.pose = parse_joint_pose(json, rig, teller);
  key.targets = parse_targets(json, rig);
  return key;
}

}  // namespace sinew
