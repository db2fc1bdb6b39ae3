// SPDX-License-Identifier: Apache-2.0
#include "sinew/skeleton/human_joints.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace sinew {
namespace {

constexpr std::array leg_parts = {HumanPart::thigh, HumanPart::shin, HumanPart::foot,
                                  HumanPart::toes};
constexpr std::array arm_parts = {HumanPart::clavicle, HumanPart::upper_arm, HumanPart::forearm,
                                  HumanPart::hand};

// The place of the part in the limb, from 1 on; 0 if it is no part of it.
int place_in(const std::array<HumanPart, 4>& limb, HumanPart part) {
  const auto found = std::find(limb.begin(), limb.end(), part);
  return found == limb.end() ? 0 : static_cast<int>(found - limb.begin()) + 1;
}

class Finder {
 public:
  explicit Finder(const Skeleton& skeleton)
      : skeleton_(skeleton),
        order_(evaluation_order(skeleton)),
        children_(children_of(skeleton)),
        below_(skeleton.joints.size()),
        above_(skeleton.joints.size()),
        joints_(skeleton.joints.size()) {
    for (const Joint& joint : skeleton.joints) {
      names_.push_back(joint.is_frame ? NamedPart{} : named_part(joint.name));
    }
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
      const int j = *it;
      add(below_[j], names_[j]);
      const int parent = skeleton.joints[j].parent;
      if (parent == no_joint) continue;
      Below& above = below_[parent];
      for (std::size_t side = 0; side < 3; ++side) {
        above.parts[side] |= below_[j].parts[side];
        above.arms[side] = std::max(above.arms[side], below_[j].arms[side]);
      }
    }
  }

  std::vector<HumanJoint> find() {
    for (const JointIndex j : order_) name_limb(j);
    name_hips();
    name_trunk();
    for (HumanJoint& joint : joints_) {
      if (joint.part == HumanPart::unknown) joint = {};
    }
    return std::move(joints_);
  }

 private:
  // What the joint and those below it are called, by side; `arms` is the longest row of open arms.
  struct Below {
    std::array<unsigned, 3> parts{};
    std::array<int, 3> arms{};
  };

  // How far down the limbs the joint and those above it have come, by side.
  struct Above {
    std::array<int, 3> leg{}, arm{};
    std::array<bool, 3> thigh{};  // one is called so
    JointIndex hand;
  };

  static std::size_t index(BodySide side) { return static_cast<std::size_t>(side); }
  static unsigned bit(HumanPart part) { return 1u << static_cast<unsigned>(part); }

  static void add(Below& below, const NamedPart& name) {
    below.parts[index(name.side)] |= bit(name.part);
    if (name.part == HumanPart::arm) ++below.arms[index(name.side)];
  }

  // Whether one of these is the name of a joint below j on its side.
  bool follows(int j, std::initializer_list<HumanPart> parts) const {
    unsigned wanted = 0, found = 0;
    for (const HumanPart part : parts) wanted |= bit(part);
    for (const int c : children_[j]) found |= below_[c].parts[index(names_[j].side)];
    return (found & wanted) != 0;
  }

  // The next part of the limb, unless a joint below is called that: then it is one more of the
  // part before.
  HumanPart next_part(int j, int place, const std::array<HumanPart, 4>& limb) const {
    if (place >= 4) return HumanPart::unknown;
    if (!follows(j, {limb[place]})) return limb[place];
    return place > 0 ? limb[place - 1] : HumanPart::unknown;
  }

  void name_limb(int j) {
    const NamedPart& name = names_[j];
    const int parent = skeleton_.joints[j].parent;
    if (parent != no_joint) above_[j] = above_[parent];
    Above& above = above_[j];
    int& leg_place = above.leg[index(name.side)];
    int& arm_place = above.arm[index(name.side)];
    HumanJoint& joint = joints_[j];
    joint = {name.part, name.side, false};
    switch (name.part) {
      case HumanPart::hip:
        joint.part = follows(j, {HumanPart::thigh}) ? HumanPart::unknown : HumanPart::thigh;
        break;
      case HumanPart::leg:
        joint.part = next_part(j, leg_place, leg_parts);
        joint.guessed = leg_place == 0 ? !follows(j, {HumanPart::shin})
                                       : leg_place > 1 || !above.thigh[index(name.side)];
        break;
      case HumanPart::foot:
        if (leg_place == 3 && !follows(j, {HumanPart::toes})) {
          joint.part = HumanPart::toes;
        }
        break;
      case HumanPart::shoulder:
        joint.part = follows(j, {HumanPart::upper_arm, HumanPart::arm}) ? HumanPart::clavicle
                                                                        : HumanPart::upper_arm;
        break;
      case HumanPart::arm: {
        const bool is_long = below_[j].arms[index(name.side)] >= 4;
        const int place = arm_place == 0 && !is_long ? 1 : arm_place;
        joint.part = next_part(j, place, arm_parts);
        joint.guessed = place != 1 || !follows(j, {HumanPart::forearm});
        break;
      }
      case HumanPart::thumb:
      case HumanPart::index:
      case HumanPart::middle:
      case HumanPart::ring:
      case HumanPart::little:
        // It has the side of its hand.
        joint.side = above.hand == no_joint ? BodySide::none : joints_[above.hand].side;
        if (above.hand == no_joint) joint.part = HumanPart::unknown;
        break;
      default:
        break;
    }
    leg_place = std::max(leg_place, place_in(leg_parts, joint.part));
    arm_place = std::max(arm_place, place_in(arm_parts, joint.part));
    if (name.part == HumanPart::thigh) above.thigh[index(name.side)] = true;
    if (joint.part == HumanPart::hand) above.hand = j;
  }

  // Where the two sides of the limb meet; no_joint if one of them is missing.
  JointIndex meeting_of(const std::array<HumanPart, 4>& limb) const {
    std::array<JointIndex, 2> sides;
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
      const HumanJoint& joint = joints_[*it];
      if (place_in(limb, joint.part) == 0 || joint.side == BodySide::none) continue;
      sides[joint.side == BodySide::left ? 0 : 1] = *it;
    }
    if (sides[0] == no_joint || sides[1] == no_joint) return no_joint;
    std::vector<bool> above_left(joints_.size(), false);
    for (int a = sides[0]; a != no_joint; a = skeleton_.joints[a].parent) above_left[a] = true;
    for (int a = sides[1]; a != no_joint; a = skeleton_.joints[a].parent) {
      if (above_left[a]) return a;
    }
    return no_joint;
  }

  void name_hips() {
    bool found = false;
    for (const int j : order_) {
      if (joints_[j].part != HumanPart::hips) continue;
      if (found) joints_[j] = {};
      found = true;
    }
    if (found) return;
    const JointIndex meeting = meeting_of(leg_parts);
    if (meeting == no_joint || skeleton_.joints[meeting].is_frame) return;
    joints_[meeting] = {HumanPart::hips, BodySide::none, true};
  }

  void name_trunk() {
    std::vector<bool> is_under_arms(joints_.size(), false), leads_up(joints_.size(), false);
    const JointIndex arms = meeting_of(arm_parts);
    bool has_head = false, has_top = false;
    for (const int j : order_) {
      const int parent = skeleton_.joints[j].parent;
      HumanJoint& joint = joints_[j];
      is_under_arms[j] = parent != no_joint && (parent == arms || is_under_arms[parent]);
      if (joint.part == HumanPart::spine && is_under_arms[j]) joint = {HumanPart::neck, {}, true};
      if (joint.part == HumanPart::head) {
        if (has_head) joint = {};
        has_head = true;
      }
    }
    JointIndex last_neck;
    int necks = 0;
    for (const JointIndex j : order_) {
      if (joints_[j].part != HumanPart::neck) continue;
      last_neck = j;
      ++necks;
    }
    if (!has_head && necks > 1) joints_[last_neck] = {HumanPart::head, BodySide::none, true};
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
      const int j = *it;
      const HumanPart part = joints_[j].part;
      const bool is_top =
          part == HumanPart::neck || part == HumanPart::head || place_in(arm_parts, part) > 0;
      leads_up[j] = leads_up[j] || is_top;
      has_top = has_top || is_top;
      const int parent = skeleton_.joints[j].parent;
      if (parent != no_joint && leads_up[j]) leads_up[parent] = true;
    }
    for (std::size_t j = 0; has_top && j < joints_.size(); ++j) {
      if (joints_[j].part == HumanPart::spine && !leads_up[j]) joints_[j] = {};
    }
  }

  const Skeleton& skeleton_;
  std::vector<JointIndex> order_;  // parents before children
  std::vector<std::vector<JointIndex>> children_;
  std::vector<NamedPart> names_;
  std::vector<Below> below_;
  std::vector<Above> above_;
  std::vector<HumanJoint> joints_;
};

}  // namespace

std::vector<HumanJoint> human_joints(const Skeleton& skeleton) { return Finder(skeleton).find(); }

}  // namespace sinew
