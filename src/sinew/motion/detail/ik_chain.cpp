// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "sinew/core/math.h"
#include "sinew/motion/detail/ik_data.h"

namespace sinew::motion {
namespace {

// Bends below this, in radians, are noise of the file that a pose came from: the chain is straight.
constexpr double straight = 1e-4;

// The chain after bending: from its root to its end, and the sum of its inner joints, also from the
// root, which says to which side it is bent.
struct Shape {
  Vec3 end, middle;
};

struct Chain {
  std::span<ChainBone> bones;
  Vec3 root;
  double reach = 0;          // the sum of their lengths
  bool is_straight = false;  // so that its joints have no bends to scale, and all gain alike

  // Of the joint in front of bone i. The little that a straight chain is bent is taken out first.
  Quat turn_at(std::size_t i, double factor) const {
    const ChainBone& bone = bones[i];
    const Quat turn = rotation_about(bone.axis, factor * bone.gain - bone.bend);
    return is_straight ? turn * rotation_between(bone.direction, bones[i - 1].direction) : turn;
  }

  // With each bend replaced by factor * gain. Turns are about the axes of the pose handed in, the
  // ones near the root applied last.
  Shape shape(double factor) const {
    Shape result{bones[0].direction * bones[0].length, {}};
    Quat turn;
    for (std::size_t i = 1; i < bones.size(); ++i) {
      result.middle += result.end;
      turn = turn * turn_at(i, factor);
      result.end += rotate(turn, bones[i].direction) * bones[i].length;
    }
    return result;
  }
};

// The component of v across the unit vector u.
Vec3 across(const Vec3& v, const Vec3& u) { return v - u * dot(v, u); }

Chain gather(IkData& ik, const PlannedHandle& handle, int from) {
  Chain chain;
  const auto position = [&](JointIndex j) { return ik.globals[j].translation; };
  const int count = int(handle.chain.size());
  const auto next_of = [&](int k) {
    return k + 1 < count ? handle.chain[k + 1] : handle.asked.joint;
  };
  double total = 0;
  for (int k = from; k < count; ++k) {
    total += distance(position(handle.chain[k]), position(next_of(k)));
  }
  std::size_t used = 0;
  for (int k = from; k < count; ++k) {
    const Vec3 bone = position(next_of(k)) - position(handle.chain[k]);
    const double size = length(bone);
    if (!(size > 1e-12 * total)) continue;
    ik.bones[used++] = {handle.chain[k], next_of(k), bone / size, size, {}, 0, 0};
  }
  chain.bones = std::span(ik.bones).first(used);
  chain.reach = total;
  if (from < count) chain.root = position(handle.chain[from]);
  return chain;
}

// Lengthens bones for a goal at `away` from the root.
void stretch(IkData& ik, Chain& chain, double away) {
  const double soft = ik.softness * chain.reach;
  const double over = away - (chain.reach - soft);
  if (!(over > 0)) return;
  double give = 0;
  for (const ChainBone& bone : chain.bones) give += bone.length * ik.compliance[bone.joint];
  if (!(give > 0)) return;
  const double wanted = away + (soft > 0 ? soft * math::exp(-over / soft) : 0);
  const double share = (wanted - chain.reach) / give;
  for (ChainBone& bone : chain.bones) {
    const double factor = 1 + share * ik.compliance[bone.joint];
    bone.length *= factor;
    ik.locals[bone.next].translation *= factor;
  }
  chain.reach = wanted;
}

// Where a straight chain bends to: about the axis of a hinge, towards the pole, or as planned.
void give_axes(const IkData& ik, Chain& chain, const std::optional<Vec3>& pole) {
  const Vec3 along = chain.bones[0].direction;
  const JointIndex middle = chain.bones[1].joint;
  Vec3 axis = ik.globals[middle].linear * ik.bend_axes[middle];
  if (pole && length(cross(*pole - chain.root, along)) > 1e-9 * chain.reach) {
    axis = cross(*pole - chain.root, along);
  }
  axis = normalized(across(axis, along), any_perpendicular(along));
  for (std::size_t i = 1; i < chain.bones.size(); ++i) {
    ChainBone& bone = chain.bones[i];
    bone.axis = axis;
    const int limit = ik.limit_of[bone.joint];
    const auto* hinge = limit < 0 ? nullptr : std::get_if<HingeLimit>(&ik.limits[limit].range);
    if (hinge && !pole) {
      const Vec3 local = rotate(ik.rest_rotations[bone.joint], hinge->axis);
      const double side = hinge->min + hinge->max < 0 ? -1 : 1;
      const Vec3 turned = parent_frame(ik, bone.joint) * local * side;
      bone.axis = normalized(across(turned, along), axis);
    }
  }
}

// Finds how each joint is bent, and how it will bend more or less.
void find_bends(const IkData& ik, Chain& chain, const std::optional<Vec3>& pole) {
  if (chain.bones.size() < 2) return;
  double largest = 0;
  give_axes(ik, chain, pole);
  for (std::size_t i = 1; i < chain.bones.size(); ++i) {
    ChainBone& bone = chain.bones[i];
    const Vec3 normal = cross(chain.bones[i - 1].direction, bone.direction);
    const double sine = length(normal);
    bone.bend = math::atan2(sine, dot(chain.bones[i - 1].direction, bone.direction));
    // Straight or folded, it has no axis of its own.
    if (sine > straight) bone.axis = normal / sine;
    bone.gain = bone.bend;
    largest = std::max(largest, bone.bend);
  }
  chain.is_straight = largest <= straight;
  if (!chain.is_straight) return;
  for (ChainBone& bone : chain.bones.subspan(1)) {
    bone.bend = 0;
    bone.gain = 1;
  }
}

// The factor at which the root and the end of a chain of two bones are `away` from each other: the
// law of cosines, solved for half the angle, which is accurate where the chain is straight.
double factor_of_two(const Chain& chain, double away) {
  const double a = chain.bones[0].length, b = chain.bones[1].length;
  const double sine = (a + b - away) * (a + b + away) / (4 * a * b);
  return 2 * math::asin(std::sqrt(std::clamp(sine, 0.0, 1.0))) / chain.bones[1].gain;
}

// A factor, and whether it takes the end to where it should be.
struct Curl {
  double factor = 0;
  bool fits = true;
};

// A chain closes, or one of its joints is folded, before the factor that this returns.
double largest_factor(const Chain& chain) {
  double largest = 0;
  Vec3 sum;
  for (const ChainBone& bone : chain.bones.subspan(1)) {
    largest = std::max(largest, bone.gain);
    sum += bone.axis * bone.gain;
  }
  return std::min(pi / largest, 2 * pi / std::max(length(sum), 1e-9 * largest));
}

// The distance from end to end falls as the factor grows: the first factor where it fits, by
// regula falsi (the Illinois variant) in the square of the factor, of which the squared distance is
// almost a linear function.
Curl find_curl(const Chain& chain, double away) {
  const auto excess = [&](double square) {
    return length_squared(chain.shape(std::sqrt(square)).end) - away * away;
  };
  const double accuracy = 1e-15 * chain.reach * chain.reach;
  double low = 0, above = (chain.reach - away) * (chain.reach + away);
  if (above <= accuracy) return {0, true};
  const double last = largest_factor(chain);
  const double first = chain.is_straight ? 0 : std::min(1.0, last);
  constexpr int steps = 16;
  double high = first * first, below = chain.is_straight ? above : excess(high);
  for (int i = 1; i <= steps && below > 0; ++i) {
    low = high;
    above = below;
    const double factor = first + (last - first) * i / steps;
    high = factor * factor;
    below = excess(high);
  }
  if (below > 0) return {last, below <= accuracy};
  int side = 0;
  for (int i = 0; i < 64; ++i) {
    const double middle = low + (high - low) * (above / (above - below));
    if (!(middle > low && middle < high)) return {std::sqrt(middle), true};
    const double value = excess(middle);
    if (std::fabs(value) <= accuracy) return {std::sqrt(middle), true};
    if (value > 0) {
      low = middle;
      above = value;
      if (side > 0) below *= 0.5;
      side = 1;
    } else {
      high = middle;
      below = value;
      if (side < 0) above *= 0.5;
      side = -1;
    }
  }
  return {std::sqrt(low), true};
}

Curl curl_to(const Chain& chain, double away) {
  if (chain.bones.size() < 2) return {};
  if (chain.bones.size() == 2) return {factor_of_two(chain, away), true};
  return find_curl(chain, away);
}

// A unit vector, or none if it is too short to have a direction.
std::optional<Vec3> direction_of(const Vec3& v, double reach) {
  return length(v) > 1e-9 * reach ? std::optional(normalized(v)) : std::nullopt;
}

// The turn of the whole chain at its root. It takes the end back to where it was seen from the root
// before, and from there the shortest way to the goal: so a chain that does not bend turns by the
// smallest rotation, and one that bends does so in its own plane.
Quat aim(const Chain& chain, const Vec3& old_end, const Vec3& end, const Vec3& to) {
  const auto from = direction_of(end, chain.reach), before = direction_of(old_end, chain.reach);
  const auto goal = direction_of(to, chain.reach);
  if (!from) return {};
  if (!before) return goal ? rotation_between(*from, *goal) : Quat{};
  const Quat back = rotation_between(*from, *before);
  return goal ? rotation_between(*before, *goal) * back : back;
}

// The turn about the line from root to goal that takes the bend to the side of the pole. A straight
// chain is taken to be bent a little, so that its roll is the limit of those of bent ones.
Quat turn_to_pole(const Chain& chain, const Curl& curl, const Vec3& old_end, const Vec3& to,
                  const Vec3& along, const Vec3& pole) {
  double largest = 0;
  for (const ChainBone& bone : chain.bones.subspan(1)) largest = std::max(largest, bone.gain);
  const Shape bent = chain.shape(std::max(curl.factor, 1e-3 / largest));
  const Vec3 side = across(rotate(aim(chain, old_end, bent.end, to), bent.middle), along);
  const Vec3 wanted = across(pole - chain.root, along);
  const double least = 1e-9 * chain.reach;
  if (!(length(side) > least) || !(length(wanted) > least)) return {};
  return rotation_about(along, math::atan2(dot(along, cross(side, wanted)), dot(side, wanted)));
}

// Turns a joint in world space. Returns whether its limit allows that, and clamps it if not.
bool turn_joint(IkData& ik, JointIndex joint, const Quat& turn) {
  Quat& rotation = ik.locals[joint].rotation;
  if (turn.vector() != Vec3{}) {
    rotation = normalized(in_frame(turn, parent_frame(ik, joint)) * rotation);
  }
  return !clamp_joint(ik, joint);
}

}  // namespace

bool bend_chain(IkData& ik, int handle_index, int from) {
  const PlannedHandle& handle = ik.handles[handle_index];
  const std::optional<Vec3>& pole = ik.goals[handle_index].pole;
  Chain chain = gather(ik, handle, from);
  if (chain.bones.empty()) return true;
  const Vec3 to = ik.positions[handle_index] - chain.root;
  const Vec3 old_end = ik.globals[handle.asked.joint].translation - chain.root;
  const double slow_from = (1 - ik.softness) * chain.reach;
  double away = length(to);
  if (!pole && distance(old_end, to) <= 1e-13 * chain.reach &&
      away <= slow_from + 1e-13 * chain.reach) {
    return true;
  }
  const JointIndex first = chain.bones[0].joint;
  if (handle.asked.lengths == IkLengths::beyond_reach) {
    stretch(ik, chain, away);
  } else if (ik.softness > 0 && away > slow_from) {
    const double soft = ik.softness * chain.reach;
    away = chain.reach - soft * math::exp((slow_from - away) / soft);
  }
  away = std::min(away, chain.reach);
  const bool even = std::all_of(chain.bones.begin(), chain.bones.end(), [&](const ChainBone& bone) {
    return is_similarity(parent_frame(ik, bone.joint));
  });
  if (!even) {
    update_below(ik, first);
    return false;
  }
  find_bends(ik, chain, pole);
  const Curl curl = curl_to(chain, away);
  const Vec3 end = chain.shape(curl.factor).end;
  Quat root_turn = aim(chain, old_end, end, to);
  if (pole && chain.bones.size() > 1) {
    const Vec3 along = normalized(rotate(root_turn, end), chain.bones[0].direction);
    root_turn = turn_to_pole(chain, curl, old_end, to, along, *pole) * root_turn;
  }
  bool allowed = turn_joint(ik, first, root_turn);
  for (std::size_t i = 1; i < chain.bones.size(); ++i) {
    const ChainBone& bone = chain.bones[i];
    const Quat turn = chain.turn_at(i, curl.factor);
    allowed = turn_joint(ik, bone.joint, turn) && allowed;
  }
  update_below(ik, first);
  return allowed && curl.fits;
}

}  // namespace sinew::motion
