// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/twist.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr double least_share_of_asked = 0.01;

enum class End { head, tail };

// The part of [from, to] that lies within `reach` of that end of the bone.
double part_within(double reach, double from, double to, End end) {
  const double low = end == End::head ? 0 : 1 - reach;
  const double high = end == End::head ? reach : 1;
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

  // What lies within `reach` of that end.
  void add_to(JointTwist& joint, End joint_at, double reach) const {
    for (std::size_t i = 1; i < sections_.size(); ++i) {
      const Section& a = sections_[i - 1];
      const Section& b = sections_[i];
      const double turn = std::fabs(*b.turn - *a.turn) / (b.t - a.t);
      joint.total += turn * part_within(reach, a.t, b.t, joint_at);
      joint.near += turn * part_within(near_joint, a.t, b.t, joint_at);
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
  const double near = part_within(near_joint, before.t, 1, End::tail) +
                      part_within(near_joint, 0, after.t, End::head);
  joint.total += turn;
  joint.near += gap > 0 ? turn * near / gap : turn;
}

// Which bones have a joint that twists at their ends.
struct TwistedJoints {
  std::vector<bool> at_head, at_tail;
  std::vector<std::optional<std::size_t>> pointing_to;  // for each bone, its parent if that does

  TwistedJoints(const Skeleton& skeleton, std::span<const BoneState> states, double least)
      : at_head(states.size(), false), at_tail(states.size(), false), pointing_to(states.size()) {
    if (states.size() != skeleton.bones.size()) {
      throw UsageError("the pose and the skeleton differ in their number of bones");
    }
    const auto parents = parent_bones(skeleton);
    for (std::size_t b = 0; b < states.size(); ++b) {
      if (parents[b] < 0) continue;
      const std::size_t p = parents[b];
      if (skeleton.bones[p].tail_joint == skeleton.bones[b].joint) pointing_to[b] = p;
      at_head[b] = std::fabs(states[b].own_twist) > least;
      if (at_head[b] && pointing_to[b]) at_tail[p] = true;
    }
  }
};

}  // namespace

std::optional<double> JointTwist::share() const {
  if (!(total > least_share_of_asked * std::fabs(asked))) return std::nullopt;
  return near / total;
}

std::vector<JointTwist> joint_twists(const Skeleton& skeleton, std::span<const BoneState> states,
                                     std::span<const std::vector<Section>> sections, double least) {
  if (sections.size() != states.size()) {
    throw UsageError("the pose and the sections differ in their number of bones");
  }
  const TwistedJoints joints(skeleton, states, least);
  std::vector<JointTwist> result;
  for (std::size_t b = 0; b < states.size(); ++b) {
    JointTwist joint;
    const Profile own(sections[b]);
    if (joints.at_head[b]) {
      joint.asked = states[b].own_twist;
      const std::optional<std::size_t> p = joints.pointing_to[b];
      const Profile before(p ? std::span<const Section>(sections[*p]) : std::span<const Section>());
      if (!before.empty()) {
        joint.before = static_cast<int>(*p);
        before.add_to(joint, End::tail, joints.at_head[*p] ? 0.5 : 1);
      }
      if (!own.empty()) {
        joint.after = static_cast<int>(b);
        own.add_to(joint, End::head, joints.at_tail[b] ? 0.5 : 1);
      }
      if (joint.before && joint.after) add_step(joint, before.last(), own.first(), joint.asked);
    } else if (!joints.at_tail[b]) {
      joint.asked = states[b].twist_tail - states[b].twist_head;
      if (!(std::fabs(joint.asked) > least) || own.empty()) continue;
      joint.before = static_cast<int>(b);
      own.add_to(joint, End::tail, 1);
    }
    if (joint.before || joint.after) result.push_back(joint);
  }
  return result;
}

std::vector<bool> twisted_bones(const Skeleton& skeleton, std::span<const BoneState> states,
                                double least) {
  const TwistedJoints joints(skeleton, states, least);
  std::vector<bool> twisted(states.size(), false);
  for (std::size_t b = 0; b < states.size(); ++b) {
    const double own = std::fabs(states[b].twist_tail - states[b].twist_head);
    twisted[b] = joints.at_head[b] || joints.at_tail[b] || own > least;
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
