// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/math.h"
#include "sinew/puppet/detail/puppet_skeleton.h"
#include "sinew/puppet/puppet.h"

namespace sinew {
namespace {

constexpr Vec3 out_of_the_picture{0, 0, 1};

// By how much the bone is turned, counter-clockwise.
double angle_between(const Vec3& from, const Vec3& to) {
  return math::atan2(from.x * to.y - from.y * to.x, from.x * to.x + from.y * to.y);
}

// Where joints are in the rig's units.
class Joints {
 public:
  Joints(const Puppet& puppet, std::span<const Vec2> places) : puppet_(puppet), places_(places) {
    const std::size_t count = puppet.bones.joints.size();
    if (places.size() != count) {
      throw UsageError(fmt::format("{} places for {} joints", places.size(), count));
    }
  }
  Vec3 operator()(int joint) const { return detail::to_units(puppet_, places_[joint]); }
  // The angle by which each bone is turned.
  std::vector<double> angles() const {
    std::vector<double> angles;
    for (std::size_t b = 0; b < puppet_.bones.bones.size(); ++b) {
      const Bone& rest = puppet_.rig.skeleton.bones[b];
      const PictureBone& bone = puppet_.bones.bones[b];
      angles.push_back(angle_between(rest.tail - rest.head, (*this)(bone.to) - (*this)(bone.from)));
    }
    return angles;
  }

 private:
  const Puppet& puppet_;
  std::span<const Vec2> places_;
};

}  // namespace

std::vector<BoneState> puppet_states(const Puppet& puppet, std::span<const Vec2> places,
                                     const StateOptions& options) {
  const Joints place(puppet, places);
  const std::vector<double> angles = place.angles();
  std::vector<BonePose> poses;
  for (std::size_t b = 0; b < angles.size(); ++b) {
    const PictureBone& bone = puppet.bones.bones[b];
    poses.push_back(
        {place(bone.from), place(bone.to), rotation_about(out_of_the_picture, angles[b]), 0, 0});
  }
  return bone_states(puppet.rig.skeleton, poses, options);
}

Pose puppet_pose(const Puppet& puppet, std::span<const Vec2> places) {
  const PictureBones& bones = puppet.bones;
  const Joints place(puppet, places);
  const Skeleton& skeleton = puppet.rig.skeleton;
  Pose pose = rest_pose(puppet.rig);
  const std::vector<double> angles = place.angles();
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
    const bool is_end = j >= bones.bones.size();
    const int parent = skeleton.joints[j].parent;
    const Vec3 here = is_end ? place(bones.bones[parent].to) : place(bones.bones[j].from);
    Transform& local = pose.joints[j];
    if (parent == no_joint) {
      local.translation = here;
      local.rotation = rotation_about(out_of_the_picture, angles[j]);
      continue;
    }
    const std::size_t p = parent;
    local.translation =
        rotate(rotation_about(out_of_the_picture, -angles[p]), here - place(bones.bones[p].from));
    if (!is_end) local.rotation = rotation_about(out_of_the_picture, angles[j] - angles[p]);
  }
  return pose;
}

Clip picture_clip(const Puppet& puppet, const PictureMotion& motion, double keys_per_second) {
  if (motion.joints.size() != puppet.bones.joints.size()) {
    throw UsageError("the motion does not belong to the puppet's joints");
  }
  const double keys = std::ceil(motion.duration * keys_per_second - 1e-6);
  if (!(keys >= 1 && keys <= 1e5)) {
    throw UsageError(fmt::format("a motion of {} s has {} keys", motion.duration, keys));
  }
  const std::size_t joints = puppet.rig.skeleton.joints.size();
  std::vector<TranslationChannel> ways(joints);
  std::vector<Curve<Quat>> turns(joints);
  for (int k = 0; k <= static_cast<int>(keys); ++k) {
    const double time = std::min(k / keys_per_second, motion.duration);
    const Pose pose = puppet_pose(puppet, motion.at(puppet.bones, time));
    for (std::size_t j = 0; j < joints; ++j) {
      ways[j].joint = static_cast<int>(j);
      ways[j].curve.times.push_back(time);
      ways[j].curve.values.push_back(pose.joints[j].translation);
      turns[j].times.push_back(time);
      turns[j].values.push_back(pose.joints[j].rotation);
    }
  }
  Clip clip;
  clip.name = motion.name;
  for (std::size_t j = 0; j < joints; ++j) {
    clip.channels.push_back(std::move(ways[j]));
    if (j < puppet.bones.bones.size()) {
      clip.channels.push_back(RotationChannel{static_cast<int>(j), std::move(turns[j])});
    }
  }
  return clip;
}

}  // namespace sinew
