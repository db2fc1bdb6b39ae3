// SPDX-License-Identifier: Apache-2.0
#include "sinew/rig/replace_skeleton.h"

#include <algorithm>
#include <map>
#include <type_traits>

#include "sinew/core/overload.h"
#include "sinew/skin/internal/rows.h"

namespace sinew {
namespace {

constexpr int no_partner = -1;

// For each old name the new one of the same rank among equal names, or no_partner.
std::vector<int> partners(const std::vector<std::string>& before,
                          const std::vector<std::string>& after) {
  std::map<std::string, std::vector<int>> places;
  for (std::size_t i = 0; i < after.size(); ++i) places[after[i]].push_back(static_cast<int>(i));
  std::map<std::string, std::size_t> used;
  std::vector<int> result;
  for (const std::string& name : before) {
    const std::vector<int>& found = places[name];
    const std::size_t rank = used[name]++;
    result.push_back(!name.empty() && rank < found.size() ? found[rank] : no_partner);
  }
  return result;
}

std::vector<std::string> joint_names(const Skeleton& skeleton) {
  std::vector<std::string> names;
  for (const Joint& joint : skeleton.joints) names.push_back(joint.name);
  return names;
}

std::vector<std::string> bone_joint_names(const Skeleton& skeleton) {
  std::vector<std::string> names;
  for (const Bone& bone : skeleton.bones) {
    const std::size_t joint = static_cast<int>(bone.joint);
    names.push_back(joint < skeleton.joints.size() ? skeleton.joints[joint].name : "");
  }
  return names;
}

double sum_of(const detail::EditRow& row) {
  double sum = 0;
  for (const detail::EditInfluence& influence : row) sum += influence.weight;
  return sum;
}

void move_weights(Skin& skin, const std::vector<int>& bones) {
  if (skin.weights.vertex_count() == 0) return;
  Skin moved;
  detail::EditRow row, kept;
  for (std::size_t v = 0; v < skin.weights.vertex_count(); ++v) {
    detail::get_row(skin, v, row);
    kept.clear();
    for (detail::EditInfluence influence : row) {
      const int bone = bones[influence.bone];
      if (bone == no_partner) continue;
      influence.bone = bone;
      kept.push_back(influence);
    }
    const double left = sum_of(kept);
    if (kept.size() != row.size() && left > 0) {
      const double scale = sum_of(row) / left;
      for (detail::EditInfluence& influence : kept) influence.weight *= scale;
    }
    detail::push_row(kept, !skin.endpoints.empty(), !skin.twist_endpoints.empty(), moved);
  }
  if (moved.weights.influences.empty()) moved = {};
  skin.weights = std::move(moved.weights);
  skin.endpoints = std::move(moved.endpoints);
  skin.twist_endpoints = std::move(moved.twist_endpoints);
}

void move_filters(Skin& skin, const std::vector<int>& bones, std::size_t count) {
  if (skin.filters.empty()) return;
  std::vector<BoneFilter> moved(count);
  for (std::size_t b = 0; b < bones.size(); ++b) {
    if (bones[b] != no_partner) moved[bones[b]] = skin.filters[b];
  }
  const bool any = std::any_of(moved.begin(), moved.end(),
                               [](const BoneFilter& filter) { return !(filter == BoneFilter{}); });
  skin.filters = any ? std::move(moved) : std::vector<BoneFilter>();
}

void move_muscles(Skin& skin, const std::vector<int>& bones, const std::vector<int>& joints,
                  std::size_t count) {
  if (skin.muscles.empty()) return;
  std::vector<Muscle> moved(count);
  for (std::size_t b = 0; b < bones.size(); ++b) {
    Muscle& muscle = skin.muscles[b];
    if (bones[b] == no_partner) continue;
    if (muscle.angle) {
      const int joint = joints[muscle.angle->joint];
      if (joint == no_partner) muscle.angle.reset();
      if (muscle.angle) muscle.angle->joint = joint;
    }
    if (!muscle.is_none()) moved[bones[b]] = std::move(muscle);
  }
  const bool any = std::any_of(moved.begin(), moved.end(),
                               [](const Muscle& muscle) { return !muscle.is_none(); });
  skin.muscles = any ? std::move(moved) : std::vector<Muscle>();
}

// Whether it still has a joint.
template <class Joint>
bool move_joint(Joint& joint, const std::vector<int>& joints) {
  joint = joints[joint];
  return joint != no_partner;
}

bool move_channel(Channel& channel, const std::vector<int>& joints) {
  return std::visit(
      [&](auto& kind) {
        using Kind = std::decay_t<decltype(kind)>;
        if constexpr (std::is_same_v<Kind, ShapeChannel> || std::is_same_v<Kind, ControlChannel>) {
          return true;
        } else {
          return move_joint(kind.joint, joints);
        }
      },
      channel);
}

bool move_input(DriverInput& input, const std::vector<int>& joints) {
  auto* angle = std::get_if<AngleInput>(&input);
  return angle == nullptr || move_joint(angle->joint, joints);
}

bool move_space(PoseSpace& space, const std::vector<int>& joints) {
  return std::all_of(space.joints.begin(), space.joints.end(),
                     [&](JointIndex& joint) { return move_joint(joint, joints); });
}

bool move_driver(Driver& driver, const std::vector<int>& joints) {
  const bool has_inputs =
      std::visit(Overload{[&](RotationShare& share) { return move_joint(share.source, joints); },
                          [&](Follow& follow) { return move_input(follow.input, joints); }},
                 driver.rule);
  return has_inputs && move_joint(driver.joint, joints);
}

void move_curves(OffsetCurves& settings, const std::vector<int>& bones) {
  bool complete = true;
  const auto move = [&](BoneIndex& bone) {
    if (bone < 0) return;
    bone = bones[bone];
    complete = complete && bone != no_partner;
  };
  for (InfluenceCurve& curve : settings.curves) {
    for (BoneIndex& bone : curve.bones) move(bone);
    move(curve.lead_in);
  }
  if (complete) return;
  settings.curves.clear();
  settings.painted_weights.clear();
}

}  // namespace

void replace_skeleton(Rig& rig, Skeleton skeleton) {
  const std::vector<int> joints = partners(joint_names(rig.skeleton), joint_names(skeleton));
  const std::vector<int> bones =
      partners(bone_joint_names(rig.skeleton), bone_joint_names(skeleton));
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j] == no_partner || skeleton.joints[joints[j]].twist_shares) continue;
    skeleton.joints[joints[j]].twist_shares = rig.skeleton.joints[j].twist_shares;
  }
  move_weights(rig.skin, bones);
  move_filters(rig.skin, bones, skeleton.bones.size());
  move_muscles(rig.skin, bones, joints, skeleton.bones.size());
  for (Clip& clip : rig.clips) {
    std::erase_if(clip.channels, [&](Channel& channel) { return !move_channel(channel, joints); });
  }
  std::erase_if(rig.clips, [](const Clip& clip) { return clip.channels.empty(); });
  std::erase_if(rig.drivers, [&](Driver& driver) { return !move_driver(driver, joints); });
  std::erase_if(rig.shape_drivers,
                [&](ShapeDriver& driver) { return !move_input(driver.input, joints); });
  std::erase_if(rig.pose_spaces, [&](PoseSpace& space) { return !move_space(space, joints); });
  std::erase_if(rig.limits, [&](IkLimit& limit) { return !move_joint(limit.joint, joints); });
  move_curves(rig.offset_curves, bones);
  rig.skeleton = std::move(skeleton);
}

}  // namespace sinew
