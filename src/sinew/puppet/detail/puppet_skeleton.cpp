// SPDX-License-Identifier: Apache-2.0
#include "sinew/puppet/detail/puppet_skeleton.h"

namespace sinew::detail {

Vec3 to_units(const Puppet& puppet, const Vec2& place) {
  return Vec3{place.x, puppet.height - place.y, 0} / puppet.pixels_per_unit;
}

std::vector<int> bones_above(const PictureBones& bones) {
  const std::size_t count = bones.bones.size();
  std::vector<int> above(count, no_picture_bone);
  // Bones in a cycle: one of them gets no parent.
  const auto hang = [&](std::size_t b, int parent) {
    bool ring = false;
    for (int k = parent; k != no_picture_bone; k = above[k]) {
      ring |= k == static_cast<int>(b);
    }
    if (!ring) above[b] = parent;
  };
  for (std::size_t b = 0; b < count; ++b) {
    for (std::size_t p = 0; p < count && above[b] == no_picture_bone; ++p) {
      if (bones.bones[p].to == bones.bones[b].from) hang(b, static_cast<int>(p));
    }
  }
  for (std::size_t b = 0; b < count; ++b) {
    if (above[b] == no_picture_bone) hang(b, bones.bones[b].parent);
  }
  return above;
}

Skeleton puppet_skeleton(const Puppet& puppet) {
  const PictureBones& bones = puppet.bones;
  const std::vector<int> above = bones_above(bones);
  const auto place = [&](int joint) { return to_units(puppet, bones.joints[joint].place); };
  Skeleton skeleton;
  for (std::size_t b = 0; b < bones.bones.size(); ++b) {
    const PictureBone& bone = bones.bones[b];
    const Vec3 head = place(bone.from), tail = place(bone.to);
    Joint joint;
    joint.name = bone.name;
    joint.parent = above[b];
    joint.rest.translation = above[b] < 0 ? head : head - place(bones.bones[above[b]].from);
    skeleton.joints.push_back(std::move(joint));
    skeleton.bones.push_back(
        {static_cast<int>(b), no_joint, head, tail, inverse(Affine{Mat3{}, head})});
  }
  for (std::size_t b = 0; b < bones.bones.size(); ++b) {
    JointIndex& tail_joint = skeleton.bones[b].tail_joint;
    for (std::size_t next = 0; next < bones.bones.size() && tail_joint == no_joint; ++next) {
      if (bones.bones[next].from == bones.bones[b].to) tail_joint = next;
    }
    if (tail_joint != no_joint) continue;
    tail_joint = static_cast<int>(skeleton.joints.size());
    Joint end;
    end.name = bones.bones[b].name + "_end";
    end.parent = static_cast<int>(b);
    end.rest.translation = skeleton.bones[b].tail - skeleton.bones[b].head;
    end.is_frame = true;
    skeleton.joints.push_back(std::move(end));
  }
  return skeleton;
}

}  // namespace sinew::detail
