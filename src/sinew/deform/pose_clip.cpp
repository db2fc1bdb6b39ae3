// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/pose_clip.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/deform/bone_tree.h"
#include "sinew/deform/twist.h"

namespace sinew {
namespace {

constexpr int smooth_pieces = 32;
constexpr double largest_turn = pi / 3;  // between two keys of a joint that turns further than pi

Vec3 between(const Vec3& a, const Vec3& b, double s) { return a + (b - a) * s; }
double between(double a, double b, double s) { return a + (b - a) * s; }
std::vector<double> between(const std::vector<double>& a, const std::vector<double>& b, double s) {
  std::vector<double> result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(between(a[i], b[i], s));
  return result;
}

// Keys for the values at the poses, with those in between that the eases need. `at(k, s)` is the
// value at the fraction s of the way from pose k to the next, `pieces(k)` the fewest parts for it.
template <class T, class At, class Pieces>
Curve<T> make_curve(std::span<const PoseKey> keys, const std::vector<T>& values, const At& at,
                    const Pieces& pieces) {
  Curve<T> curve;
  const auto add = [&](double time, const T& value) {
    curve.times.push_back(time);
    curve.values.push_back(value);
  };
  add(keys.front().time, values.front());
  const std::size_t last = keys.size() - 1;
  const auto is_still = [&](std::size_t k) { return values[k] == values[k + 1] && pieces(k) == 1; };
  bool stays = true;
  for (std::size_t k = 0; k < last; ++k) stays = stays && is_still(k);
  if (stays) {
    if (last > 0) add(keys.back().time, values.back());
    return curve;
  }
  const bool steps = std::all_of(keys.begin(), keys.begin() + std::ptrdiff_t(last),
                                 [](const PoseKey& key) { return key.ease == Ease::step; });
  if (steps) curve.interpolation = Interpolation::step;
  for (std::size_t k = 0; k < last; ++k) {
    const double begin = keys[k].time, length = keys[k + 1].time - begin;
    if (keys[k].ease == Ease::step) {
      if (!steps) add(keys[k + 1].time - std::min(stepping_time, length / 2), values[k]);
    } else {
      const bool is_curved = keys[k].ease == Ease::smooth && !is_still(k);
      const int count = std::max(pieces(k), is_curved ? smooth_pieces : 1);
      for (int p = 1; p < count; ++p) {
        const double t = double(p) / count;
        add(begin + length * t, at(k, eased(keys[k].ease, t)));
      }
    }
    add(keys[k + 1].time, values[k + 1]);
  }
  return curve;
}

template <class T>
Curve<T> make_curve(std::span<const PoseKey> keys, const std::vector<T>& values) {
  return make_curve(
      keys, values, [&](std::size_t k, double s) { return between(values[k], values[k + 1], s); },
      [](std::size_t) { return 1; });
}

std::optional<double> told_twist(const ToldPose& pose, JointIndex joint) {
  for (const ToldTwist& twist : pose.twists) {
    if (twist.joint == joint) return twist.angle;
  }
  return {};
}

// One joint's rotations, with the full turns between them that the shorter way leaves out.
class Turns {
 public:
  Turns(const Skeleton& skeleton, JointIndex joint, const Vec3& axis, std::span<const PoseKey> keys)
      : rest_(skeleton.joints[joint].rest.rotation), axis_(axis) {
    for (const PoseKey& key : keys) values_.push_back(key.pose.joints[joint].rotation);
    for (std::size_t k = 0; k + 1 < keys.size(); ++k) {
      const auto from = told_twist(keys[k].pose, joint), to = told_twist(keys[k + 1].pose, joint);
      const bool is_told = (from || to) && axis != Vec3{};
      turns_.push_back(is_told ? missing_turns(k, from, to) : 0);
    }
  }

  const std::vector<Quat>& values() const { return values_; }
  double turns(std::size_t k) const { return turns_[k]; }
  Quat at(std::size_t k, double s) const {
    const Quat q = slerp(values_[k], values_[k + 1], s);
    return turns_[k] == 0 ? q : q * rotation_about(axis_, 2 * pi * turns_[k] * s);
  }
  // Into how many parts a curve must divide the way from pose k to the next.
  int pieces(std::size_t k) const {
    return turns_[k] == 0 ? 1 : int(std::ceil(angle(k) / largest_turn));
  }
  // How far it turns from pose k to the next, at most.
  double angle(std::size_t k) const {
    return rotation_angle(conjugate(values_[k]) * values_[k + 1]) + 2 * pi * std::fabs(turns_[k]);
  }

 private:
  double twist(const Quat& q) const { return twist_angle(conjugate(rest_) * q, axis_); }

  double missing_turns(std::size_t k, std::optional<double> from, std::optional<double> to) const {
    constexpr int steps = 16;
    const double start = twist(values_[k]);
    double now = start;
    for (int s = 1; s <= steps; ++s) {
      now = nearest_turn(twist(slerp(values_[k], values_[k + 1], double(s) / steps)), now);
    }
    const double wanted = to.value_or(twist(values_[k + 1])) - from.value_or(start);
    return std::round((wanted - (now - start)) / (2 * pi));
  }

  Quat rest_;
  Vec3 axis_;
  std::vector<Quat> values_;
  std::vector<double> turns_;  // from each pose to the next, beside the shorter way
};

[[noreturn]] void fail(std::size_t key, const std::string& problem) {
  throw InputError(formatted("/keys/{}", key), problem);
}

void check(const Rig& rig, std::span<const PoseKey> keys) {
  if (keys.empty()) throw UsageError("a clip needs at least one pose");
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const ToldPose& pose = keys[k].pose;
    if (pose.joints.size() != rig.skeleton.joints.size() ||
        pose.shapes.size() != rig.mesh.shapes.size() ||
        pose.controls.size() != rig.controls.size()) {
      throw UsageError(formatted("pose {} does not fit the rig", k));
    }
    if (!pose.tails.empty()) throw UsageError("make_ends() comes before clip_from_poses()");
    const double earliest = k == 0 ? 0 : keys[k - 1].time + least_key_distance;
    if (keys[k].time >= earliest && keys[k].time <= latest_key) continue;
    throw InputError(formatted("/keys/{}/time", k),
                     k == 0 ? "must be from 0 to a million seconds"
                            : "must be at least a millisecond after the key before");
  }
  for (const ToldTwist& twist : keys.front().pose.twists) {
    if (std::fabs(twist.angle) <= pi + 1e-9) continue;
    fail(0, formatted("{} is twisted by {} degrees, but a clip begins within half a turn: begin "
                      "with a key that is not, and twist from there",
                      describe_joint(rig.skeleton, twist.joint),
                      significant(degrees(twist.angle), 6)));
  }
}

void check(const Rig& rig, JointIndex joint, const Turns& turns, std::span<const PoseKey> keys) {
  for (std::size_t k = 0; k + 1 < keys.size(); ++k) {
    if (turns.turns(k) == 0) continue;
    if (keys[k].ease == Ease::step) {
      fail(k, describe_joint(rig.skeleton, joint) +
                  " twists by more than half a turn to the next key, which a step cannot do");
    }
    const double speed = turns.angle(k) / (2 * pi) / (keys[k + 1].time - keys[k].time);
    if (speed <= most_turns_per_second) continue;
    fail(k + 1, formatted("{} twists by {} turns per second to get there; at most {} can be "
                          "followed, so leave it more time",
                          describe_joint(rig.skeleton, joint), significant(speed, 3),
                          most_turns_per_second));
  }
}

template <class Get>
auto values_of(std::span<const PoseKey> keys, const Get& get) {
  std::vector<std::decay_t<decltype(get(keys.front().pose))>> values;
  for (const PoseKey& key : keys) values.push_back(get(key.pose));
  return values;
}

template <class T>
bool stays_at(const std::vector<T>& values, const T& rest) {
  return std::all_of(values.begin(), values.end(), [&](const T& v) { return v == rest; });
}

Curve<Quat> turn_curve(const Turns& turns, std::span<const PoseKey> keys) {
  return make_curve(
      keys, turns.values(), [&](std::size_t k, double s) { return turns.at(k, s); },
      [&](std::size_t k) { return turns.pieces(k); });
}

void add_joint(const Rig& rig, JointIndex joint, const Vec3& axis, std::span<const PoseKey> keys,
               std::vector<Channel>& channels) {
  const Transform& rest = rig.skeleton.joints[joint].rest;
  const auto moves =
      values_of(keys, [&](const ToldPose& pose) { return pose.joints[joint].translation; });
  if (!stays_at(moves, rest.translation)) {
    channels.push_back(TranslationChannel{joint, make_curve(keys, moves)});
  }
  const Turns turns(rig.skeleton, joint, axis, keys);
  check(rig, joint, turns, keys);
  bool turns_at_all = !stays_at(turns.values(), rest.rotation);
  for (std::size_t k = 0; k + 1 < keys.size(); ++k) turns_at_all |= turns.turns(k) != 0;
  if (turns_at_all) channels.push_back(RotationChannel{joint, turn_curve(turns, keys)});
  const auto scales =
      values_of(keys, [&](const ToldPose& pose) { return pose.joints[joint].scale; });
  if (!stays_at(scales, rest.scale)) {
    channels.push_back(ScaleChannel{joint, make_curve(keys, scales)});
  }
}

// A bone whose tail only ToldPose::tails can move; see PoseTeller::stretch().
bool has_free_tail(const Skeleton& skeleton, BoneIndex b, std::span<const BoneIndex> carriers) {
  return carriers[b] == b && end_frame(skeleton, skeleton.bones[b]) == no_joint;
}

// A joint's name that the rig does not have yet.
std::string end_name(const Skeleton& skeleton, const std::string& joint) {
  std::string name = joint + "_end";
  while (find_joint(skeleton, name) != no_joint) name += "_";
  return name;
}

}  // namespace

double eased(Ease ease, double t) {
  return ease == Ease::step ? 0 : ease == Ease::smooth ? t * t * (3 - 2 * t) : t;
}

void close_loop(std::vector<PoseKey>& keys) {
  if (keys.empty()) return;
  if (keys.size() > 1 && keys.back().pose == keys.front().pose &&
      keys.back().targets == keys.front().targets) {
    return;
  }
  const double span = keys.back().time - keys.front().time;
  PoseKey end = keys.front();
  end.time = keys.back().time + (keys.size() > 1 ? span / double(keys.size() - 1) : 1.0);
  keys.push_back(std::move(end));
}

Clip clip_from_poses(const Rig& rig, std::string name, std::span<const PoseKey> keys) {
  check(rig, keys);
  Clip clip{std::move(name), {}};
  const std::vector<Vec3> axes = twist_axes(rig.skeleton);
  const JointIndex joint_count = int(rig.skeleton.joints.size());
  for (JointIndex j = 0; j < joint_count; j = j + 1) {
    if (!is_driven(rig, j)) add_joint(rig, j, axes[j], keys, clip.channels);
  }
  const Pose rest = rest_pose(rig);
  const std::vector<bool> is_computed =
      driven_shapes(rig.shape_drivers, rig.pose_spaces, rest.shapes.size());
  const auto shapes = values_of(keys, [&](const ToldPose& pose) {
    std::vector<double> weights = pose.shapes;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      if (is_computed[k]) weights[k] = rest.shapes[k];
    }
    return weights;
  });
  if (!stays_at(shapes, rest.shapes)) {
    clip.channels.push_back(ShapeChannel{0, make_curve(keys, shapes)});
  }
  for (std::size_t c = 0; c < rest.controls.size(); ++c) {
    const auto values = values_of(keys, [&](const ToldPose& pose) { return pose.controls[c]; });
    if (stays_at(values, rest.controls[c])) continue;
    clip.channels.push_back(ControlChannel{int(c), make_curve(keys, values)});
  }
  // So that it lasts as long as the keys say.
  if (clip.channels.empty() && !rest.joints.empty()) {
    const auto still =
        values_of(keys, [](const ToldPose& pose) { return pose.joints.front().translation; });
    clip.channels.push_back(TranslationChannel{0, make_curve(keys, still)});
  }
  return clip;
}

void make_ends(Rig& rig, std::span<PoseKey> keys) {
  Skeleton& skeleton = rig.skeleton;
  std::vector<bool> is_stretched(skeleton.joints.size(), false);
  for (const PoseKey& key : keys) {
    for (const TailStretch& tail : key.pose.tails) {
      if (!has_joint(skeleton, tail.joint)) throw UsageError("a pose stretches an unknown joint");
      is_stretched[tail.joint] = true;
    }
  }
  const std::vector<BoneIndex> carriers = tail_carriers(skeleton);
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    Bone& bone = skeleton.bones[b];
    if (!is_stretched[bone.joint] || !has_free_tail(skeleton, b, carriers)) continue;
    if (bone.tail_joint != no_joint || skeleton.joints[bone.joint].is_frame) {
      throw InputError(describe_joint(skeleton, bone.joint),
                       "its bone ends beside the joint it points to, or carries a rigid mesh; a "
                       "clip cannot stretch it");
    }
    const Vec3 head = transform_point(bone.inverse_bind, bone.head);
    const Vec3 tail = transform_point(bone.inverse_bind, bone.tail);
    const JointIndex end = int(skeleton.joints.size());
    Joint joint;
    joint.name = end_name(skeleton, skeleton.joints[bone.joint].name);
    joint.parent = bone.joint;
    joint.rest.translation = tail;
    joint.is_frame = true;
    for (PoseKey& key : keys) {
      Transform local = joint.rest;
      for (const TailStretch& told : key.pose.tails) {
        if (told.joint == bone.joint) local.translation = head + (tail - head) * told.factor;
      }
      key.pose.joints.push_back(local);
    }
    skeleton.joints.push_back(std::move(joint));
    bone.tail_joint = end;
  }
  for (PoseKey& key : keys) key.pose.tails.clear();
}

void put_clip(Rig& rig, Clip clip) {
  const auto same = std::find_if(rig.clips.begin(), rig.clips.end(),
                                 [&](const Clip& other) { return other.name == clip.name; });
  if (same != rig.clips.end()) {
    *same = std::move(clip);
  } else {
    rig.clips.push_back(std::move(clip));
  }
}

}  // namespace sinew
