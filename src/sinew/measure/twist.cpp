// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/twist.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double least_share_of_asked = 0.01;

enum class End { head, tail };

// The part of [from, to] that lies within near_joint of that end of the bone.
double near_part(double from, double to, End end) {
  const double low = end == End::head ? 0 : 1 - near_joint;
  const double high = end == End::head ? near_joint : 1;
  return std::max(0.0, std::min(to, high) - std::max(from, low));
}

// The sections of one bone that show a turn.
class Profile {
 public:
  explicit Profile(std::span<const Section> sections) {
    for (const Section& section : sections) {
      if (section.turn) sections_.push_back(section);
    }
  }

  bool empty() const { return sections_.empty(); }
  const Section& first() const { return sections_.front(); }
  const Section& last() const { return sections_.back(); }

  void add_to(JointTwist& joint, End joint_at) const {
    for (std::size_t i = 1; i < sections_.size(); ++i) {
      const Section& a = sections_[i - 1];
      const Section& b = sections_[i];
      const double turn = std::fabs(*b.turn - *a.turn);
      joint.total += turn;
      joint.near += turn * near_part(a.t, b.t, joint_at) / (b.t - a.t);
    }
  }

 private:
  std::vector<Section> sections_;
};

// What happens between the last section before the joint and the first after it.
void add_step(JointTwist& joint, const Section& before, const Section& after, double own_twist) {
  const double step = *after.turn + own_twist - *before.turn;
  const double turn = std::fabs(step - 2 * pi * std::round(step / (2 * pi)));
  const double gap = 1 - before.t + after.t;
  const double near = near_part(before.t, 1, End::tail) + near_part(0, after.t, End::head);
  joint.total += turn;
  joint.near += gap > 0 ? turn * near / gap : turn;
}

// Whether the parent points to the bone.
bool is_next(const Skeleton& skeleton, int parent, std::size_t bone) {
  return skeleton.bones[static_cast<std::size_t>(parent)].tail_joint == skeleton.bones[bone].joint;
}

}  // namespace

std::optional<double> JointTwist::share() const {
  if (!(total > least_share_of_asked * std::fabs(asked))) return std::nullopt;
  return near / total;
}

std::vector<JointTwist> joint_twists(const Skeleton& skeleton, std::span<const BoneState> states,
                                     std::span<const std::vector<Section>> sections, double least) {
  const std::vector<int> parents = parent_bones(skeleton);
  std::vector<bool> at_joint(states.size(), false);
  std::vector<JointTwist> result;
  for (std::size_t b = 0; b < states.size(); ++b) {
    const Profile after(sections[b]);
    if (parents[b] < 0 || !(std::fabs(states[b].own_twist) > least)) continue;
    const auto p = static_cast<std::size_t>(parents[b]);
    at_joint[b] = true;
    const Profile before(is_next(skeleton, parents[b], b) ? std::span<const Section>(sections[p])
                                                          : std::span<const Section>());
    JointTwist joint;
    joint.asked = states[b].own_twist;
    if (!before.empty()) {
      at_joint[p] = true;
      joint.before = parents[b];
      before.add_to(joint, End::tail);
    }
    if (!after.empty()) {
      joint.after = static_cast<int>(b);
      after.add_to(joint, End::head);
    }
    if (joint.before && joint.after) {
      add_step(joint, before.last(), after.first(), states[b].own_twist);
    }
    if (joint.before || joint.after) result.push_back(joint);
  }
  for (std::size_t b = 0; b < states.size(); ++b) {
    const double asked = states[b].twist_tail - states[b].twist_head;
    const Profile profile(sections[b]);
    if (at_joint[b] || !(std::fabs(asked) > least) || profile.empty()) continue;
    JointTwist joint;
    joint.asked = asked;
    joint.before = static_cast<int>(b);
    profile.add_to(joint, End::tail);
    result.push_back(joint);
  }
  return result;
}

std::vector<bool> twisted_bones(const Skeleton& skeleton, std::span<const BoneState> states,
                                double least) {
  const std::vector<int> parents = parent_bones(skeleton);
  std::vector<bool> twisted(states.size(), false);
  for (std::size_t b = 0; b < states.size(); ++b) {
    const double own = states[b].twist_tail - states[b].twist_head;
    if (std::fabs(own) > least) twisted[b] = true;
    if (parents[b] < 0 || !(std::fabs(states[b].own_twist) > least)) continue;
    twisted[b] = true;
    if (is_next(skeleton, parents[b], b)) twisted[static_cast<std::size_t>(parents[b])] = true;
  }
  return twisted;
}

std::optional<double> share_near_joints(std::span<const JointTwist> joints) {
  JointTwist sum;
  for (const JointTwist& joint : joints) {
    sum.asked += std::fabs(joint.asked);
    sum.total += joint.total;
    sum.near += joint.near;
  }
  return sum.share();
}

}  // namespace sinew
