// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/detail/live.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "sinew/bake/detail/helpers.h"
#include "sinew/deform/bone_links.h"
#include "sinew/deform/bone_state.h"

namespace sinew::baking {
namespace {

template <class T>
decltype(auto) at(T& list, int index) {
  return list[index];
}

Quat bind_rotation(const Bone& bone) { return to_transform(inverse(bone.inverse_bind)).rotation; }

Vec3 along_bone(const Bone& bone) { return bone.inverse_bind.linear * (bone.tail - bone.head); }

// The axis of the joint's frame that is nearest to the bone, in either direction, and the turn that
// brings it there.
struct Alignment {
  int axis = 0;
  Quat turn;
};
Alignment alignment_of(const Bone& bone) {
  const Vec3 along = normalized(along_bone(bone));
  std::size_t axis = 0;
  for (const std::size_t k : {1U, 2U}) {
    if (std::fabs(along[k]) > std::fabs(along[axis]) + 1e-9) axis = k;
  }
  Vec3 from;
  from[axis] = along[axis] < 0 ? -1 : 1;
  const Quat turn = rotation_between(from, along);
  // Rotations below the rounding of files do not count.
  return {static_cast<int>(axis), rotation_angle(turn) > 1e-6 ? turn : Quat{}};
}

class Rolls {
 public:
  Rolls(const Rig& before, Skeleton& baked, std::vector<std::string>& notes)
      : before_(before.skeleton), baked_(baked), notes_(notes), links_(bone_links(before)) {
    for (const Joint& joint : baked.joints) taken_.insert(joint.name);
  }

  void add(const SplitBone& split) {
    const Bone& bone = at(before_.bones, split.bone);
    const BoneLinks& links = at(links_, split.bone);
    const Joint& joint = at(before_.joints, bone.joint);
    const Alignment alignment = alignment_of(bone);
    const int next = next_joint(split.bone);
    int frame = bone.joint, origin = no_joint;
    if (links.parent >= 0 && links.own_share > 0) {
      const Transform beside{
          joint.rest.translation, joint.rest.rotation * alignment.turn, {1, 1, 1}};
      const int roll = add_node(joint.name + "_roll", joint.parent, beside);
      follow(roll, bone.joint, alignment.axis, 1);
      if (alignment.turn != Quat{}) {
        frame = add_node(joint.name + "_frame", bone.joint, {{}, alignment.turn, {1, 1, 1}});
      }
      Vec3 across;
      across[(alignment.axis + 1) % 3] = 1;
      const Quat backwards{across.x, across.y, across.z, 0};
      origin = add_node(joint.name + "_origin", frame, {{}, backwards, {1, 1, 1}});
      constraints.push_back({origin, roll, JointConstraint::Kind::copy, 0, 1});
    }
    for (int k = 0; k <= split.segments(); ++k) {
      const double e = split.twist_share[k];
      const double over = next == no_joint ? 0 : e * links.next_share;
      const double off = origin == no_joint ? 0 : (1 - e) * links.own_share;
      Bone& helper = at(baked_.bones, split.first_helper + k);
      const int h = helper.joint;
      if (off > 0 || (next == no_joint && origin != no_joint)) {
        int parent = frame;
        if (over > 0) {
          parent = add_node(at(baked_.joints, h).name + "_over", bone.joint,
                            {{}, alignment.turn, {1, 1, 1}});
          follow(parent, next, alignment.axis, over);
        }
        hang(helper, bone, parent, alignment.turn, {});
        follow(h, origin, alignment.axis, off);
      } else {
        hang(helper, bone, bone.joint, {}, alignment.turn);
        if (next != no_joint) follow(h, next, alignment.axis, over);
      }
    }
  }

  std::vector<JointConstraint> constraints;

 private:
  // The joint whose twist the bone takes over; rolls are read in the frame of the source's parent.
  int next_joint(int bone) {
    const BoneLinks& links = at(links_, bone);
    if (!(links.next_share > 0)) return no_joint;
    if (links.end != no_joint) return links.end;
    const int joint = at(before_.bones, bone).joint, next = at(before_.bones, links.next).joint;
    if (at(before_.joints, next).parent == joint) return next;
    notes_.push_back(
        fmt::format("{}: constraints leave out the twist of {}, which is not its direct child",
                    at(before_.joints, joint).name, at(before_.joints, next).name));
    return no_joint;
  }

  int add_node(const std::string& name, int parent, const Transform& rest) {
    Joint joint;
    joint.name = free_name(taken_, name);
    joint.parent = parent;
    joint.rest = rest;
    joint.is_frame = true;
    baked_.joints.push_back(std::move(joint));
    return static_cast<int>(baked_.joints.size()) - 1;
  }

  void follow(int joint, int source, int axis, double weight) {
    constraints.push_back({joint, source, JointConstraint::Kind::roll, axis, weight});
  }

  // `above` is the turn of the parent in the frame of the bone's joint; they share their origin.
  void hang(Bone& helper, const Bone& bone, int parent, const Quat& above, const Quat& own) {
    Joint& joint = at(baked_.joints, helper.joint);
    const Vec3 place = transform_point(bone.inverse_bind, helper.head);
    joint.parent = parent;
    joint.rest.translation = rotate(conjugate(above), place);
    joint.rest.rotation = own;
    const Mat3 back = to_matrix(conjugate(above * own));
    helper.inverse_bind = {back * bone.inverse_bind.linear,
                           back * (bone.inverse_bind.translation - place)};
  }

  const Skeleton& before_;
  Skeleton& baked_;
  std::vector<std::string>& notes_;
  std::vector<BoneLinks> links_;
  std::set<std::string> taken_;
};

// `turned`: a bone, or one made of a bone's end.
LiveTwist twist_of(const Skeleton& skeleton, const Bone& turned, int parent, int axis_bone,
                   double share) {
  const Bone &against = at(skeleton.bones, parent), &along = at(skeleton.bones, axis_bone);
  const Quat frame = conjugate(bind_rotation(against));
  return {at(skeleton.joints, turned.joint).name, at(skeleton.joints, against.joint).name,
          rotate(frame, normalized(along.tail - along.head)), frame * bind_rotation(turned), share};
}

// What twists the far end of the bone; no joint: nothing.
Bone twister_of(const Skeleton& skeleton, const Bone& bone, const BoneLinks& links) {
  if (links.next >= 0) return at(skeleton.bones, links.next);
  Bone end;
  end.joint = links.end;
  if (links.end != no_joint) end.inverse_bind = end_inverse_bind(skeleton, bone, links.end);
  return end;
}

}  // namespace

std::vector<bool> live_joints(const Rig& rig, const SkinRows& rows,
                              std::span<const SplitBone> splits) {
  const Skeleton& skeleton = rig.skeleton;
  const std::vector<BoneLinks> links = bone_links(rig);
  std::vector<bool> is_tail(skeleton.joints.size(), false);
  std::vector<bool> lacks_helpers(skeleton.bones.size(), false);
  for (const SkinInfluence& influence : rows.items) at(lacks_helpers, influence.bone) = true;
  for (const SplitBone& split : splits) {
    at(lacks_helpers, split.bone) = false;
    const int tail = at(skeleton.bones, split.bone).tail_joint;
    if (tail != no_joint) at(is_tail, tail) = true;
  }
  std::vector<bool> is_live = is_tail;
  for (std::size_t b = 0; b < links.size(); ++b) {
    if (!lacks_helpers[b]) continue;
    if (links[b].own_share > 0) at(is_live, skeleton.bones[b].joint) = false;
    if (links[b].next_share > 0) {
      const JointIndex end = links[b].end;
      at(is_live, end != no_joint ? end : at(skeleton.bones, links[b].next).joint) = false;
    }
  }
  const bool any = std::find(is_live.begin(), is_live.end(), true) != is_live.end();
  return any ? is_live : is_tail;
}

void name_joints(Skeleton& skeleton) {
  std::set<std::string> taken;
  for (const Joint& joint : skeleton.joints) taken.insert(joint.name);
  for (const Bone& bone : skeleton.bones) {
    for (const int joint : {bone.joint, bone.tail_joint}) {
      if (joint == no_joint) continue;
      std::string& name = at(skeleton.joints, joint).name;
      if (name.empty()) name = free_name(taken, fmt::format("joint{}", joint));
    }
  }
}

std::vector<JointConstraint> add_rolls(const Rig& before, std::span<const SplitBone> splits,
                                       Skeleton& baked, std::vector<std::string>& notes) {
  Rolls rolls(before, baked, notes);
  for (const SplitBone& split : splits) rolls.add(split);
  return std::move(rolls.constraints);
}

LiveTable live_table(const Rig& rig, std::span<const SplitBone> splits, const Skeleton& baked) {
  const Skeleton& before = rig.skeleton;
  const std::vector<BoneLinks> all_links = bone_links(rig);
  LiveTable table;
  for (const SplitBone& split : splits) {
    const Bone& bone = at(before.bones, split.bone);
    const BoneLinks& links = at(all_links, split.bone);
    for (int k = 0; k <= split.segments(); ++k) {
      const double e = split.twist_share[k];
      const Bone& helper = at(baked.bones, split.first_helper + k);
      const Joint& joint = at(baked.joints, helper.joint);
      const Quat above = joint.parent == bone.joint
                             ? Quat{}
                             : conjugate(at(baked.joints, joint.parent).rest.rotation);
      LiveHelper row;
      row.name = joint.name;
      row.joint = at(before.joints, bone.joint).name;
      row.axis = rotate(above, normalized(along_bone(bone)));
      row.length = length(along_bone(bone));
      row.place = double(k) / split.segments();
      row.rotation = above * conjugate(bind_rotation(bone)) * bind_rotation(helper);
      if (links.parent >= 0 && links.own_share > 0 && e < 1) {
        row.twists.push_back(
            twist_of(before, bone, links.parent, split.bone, -(1 - e) * links.own_share));
      }
      const Bone twister = twister_of(before, bone, links);
      if (twister.joint != no_joint && links.next_share > 0 && e > 0) {
        row.twists.push_back(
            twist_of(before, twister, split.bone, split.bone, e * links.next_share));
      }
      const int carrier =
          links.end != no_joint ? links.end : at(before.bones, links.tail_carrier).joint;
      if (carrier != bone.joint) {
        row.stretch_joint = at(before.joints, carrier).name;
        row.stretch_share = split.stretch_share[k];
      }
      table.helpers.push_back(std::move(row));
    }
  }
  return table;
}

std::vector<Affine> constrained_palette(const Skeleton& baked,
                                        std::span<const JointConstraint> constraints,
                                        std::span<const Transform> joints) {
  std::vector<Transform> locals;
  for (const Joint& joint : baked.joints) locals.push_back(joint.rest);
  std::copy(joints.begin(), joints.end(), locals.begin());
  apply_constraints(baked, constraints, locals);
  const std::vector<Affine> frames = forward_kinematics(baked, locals);
  std::vector<Affine> palette;
  for (const Bone& bone : baked.bones) {
    palette.push_back(at(frames, bone.joint) * bone.inverse_bind);
  }
  return palette;
}

}  // namespace sinew::baking
