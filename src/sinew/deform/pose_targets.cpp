// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/pose_targets.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/deform/pose_clip.h"
#include "sinew/motion/clip_sampler.h"

namespace sinew {
namespace {

// Nearer than this, in parts of the skeleton's size, a target counts as reached.
constexpr double reached = 1e-4;

double size_of(const Skeleton& skeleton) {
  const std::vector<Affine> rest = rest_globals(skeleton);
  if (rest.empty()) return 0;
  Vec3 low = rest.front().translation, high = low;
  for (const Affine& frame : rest) {
    low = component_min(low, frame.translation);
    high = component_max(high, frame.translation);
  }
  return distance(low, high);
}

// One joint's target over time.
struct TargetTrack {
  IkHandle handle;
  std::vector<std::optional<IkGoal>> goals;  // one per key
};

bool has_same_parts(const IkGoal& a, const IkGoal& b) {
  return a.position.has_value() == b.position.has_value() &&
         a.rotation.has_value() == b.rotation.has_value() &&
         a.pole.has_value() == b.pole.has_value() && a.keep_rotation == b.keep_rotation;
}

[[noreturn]] void fail_at(const Rig& rig, std::size_t key, JointIndex joint, const char* problem) {
  throw InputError(formatted("/keys/{}", key),
                   formatted("the target of {} {}", describe_joint(rig.skeleton, joint), problem));
}

void add_goal(const Rig& rig, std::vector<TargetTrack>& tracks, std::span<const PoseKey> keys,
              std::size_t k, std::size_t t) {
  const IkHandle& handle = keys[k].targets.handles[t];
  const IkGoal& goal = keys[k].targets.goals[t];
  auto track = std::find_if(tracks.begin(), tracks.end(), [&](const TargetTrack& other) {
    return other.handle.joint == handle.joint;
  });
  if (track == tracks.end()) {
    tracks.push_back({handle, std::vector<std::optional<IkGoal>>(keys.size())});
    track = tracks.end() - 1;
  }
  if (track->handle != handle) {
    fail_at(rig, k, handle.joint,
            "has another root, other lengths or other children than in a key before");
  }
  for (const auto& before : track->goals) {
    if (before && !has_same_parts(*before, goal)) {
      fail_at(rig, k, handle.joint,
              "has a position, rotation or pole in some keys only; give it in all that have the "
              "target");
    }
  }
  track->goals[k] = goal;
}

std::vector<TargetTrack> tracks_of(const Rig& rig, std::span<const PoseKey> keys,
                                   IkOptions& options) {
  std::vector<TargetTrack> tracks;
  std::optional<std::size_t> first;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const PoseTargets& targets = keys[k].targets;
    if (targets.handles.empty()) continue;
    if (!first) {
      first = k;
      options = targets.options;
    } else if (targets.options != options) {
      throw InputError(formatted("/keys/{}", k),
                       formatted("its limits, stiffness or softness differ from those of key {}; "
                                 "give the same in all keys with targets",
                                 *first));
    }
    for (std::size_t t = 0; t < targets.handles.size(); ++t) add_goal(rig, tracks, keys, k, t);
  }
  return tracks;
}

IkGoal goal_between(const IkGoal& a, const IkGoal& b, double s) {
  IkGoal goal = a;
  if (a.position) goal.position = lerp(*a.position, *b.position, s);
  if (a.pole) goal.pole = lerp(*a.pole, *b.pole, s);
  if (a.rotation) goal.rotation = slerp(*a.rotation, *b.rotation, s);
  goal.weight = a.weight + (b.weight - a.weight) * s;
  return goal;
}

// The goal at the fraction s of the way from key k to the next.
IkGoal goal_at(const TargetTrack& track, std::size_t k, double s) {
  std::optional<IkGoal> from = track.goals[k];
  std::optional<IkGoal> to = track.goals[std::min(k + 1, track.goals.size() - 1)];
  const auto faded = [](IkGoal goal) {
    goal.weight = 0;
    return goal;
  };
  if (!from && !to) {
    IkGoal none;
    none.weight = 0;
    return none;
  }
  if (!from) from = faded(*to);
  if (!to) to = faded(*from);
  return goal_between(*from, *to, s);
}

// A moment at which the clip gets keys: a fraction of the way from a key to the next.
struct Moment {
  double time = 0;
  std::size_t key = 0;
  double fraction = 0;
};

// A file of a few bytes may ask for any time.
constexpr std::size_t most_moments = 2'000'000;

std::vector<Moment> moments_of(std::span<const PoseKey> keys, double rate) {
  std::vector<Moment> moments{{keys.front().time, 0, 0}};
  for (std::size_t k = 0; k + 1 < keys.size(); ++k) {
    const double begin = keys[k].time, length = keys[k + 1].time - begin;
    const double wanted = std::ceil(length * rate - 1e-9);
    if (!(wanted <= double(most_moments - std::min(most_moments, moments.size())))) {
      throw InputError(formatted("/keys/{}/time", k + 1),
                       formatted("at {} seconds and {} keys per second, the targets take more than "
                                 "{} keys",
                                 keys[k + 1].time, rate, most_moments));
    }
    const int count = std::max(1, int(wanted));
    for (int i = 1; i < count; ++i) {
      const double t = double(i) / count;
      moments.push_back({begin + length * t, k, eased(keys[k].ease, t)});
    }
    if (keys[k].ease == Ease::step) {
      const double last = keys[k + 1].time - std::min(stepping_time, length / (2 * count));
      moments.push_back({last, k, 0});
    }
    const bool is_end = k + 2 == keys.size();
    moments.push_back({keys[k + 1].time, is_end ? k : k + 1, is_end ? 1.0 : 0.0});
  }
  return moments;
}

// The solved joints at all moments.
struct SolvedJoint {
  JointIndex joint = no_joint;
  Curve<Vec3> translation;
  Curve<Quat> rotation;
};

void replace_channels(const Rig& rig, Clip& clip, std::vector<SolvedJoint> solved) {
  const auto is_solved = [&](const Channel& channel) {
    return !std::holds_alternative<ScaleChannel>(channel) &&
           std::any_of(solved.begin(), solved.end(),
                       [&](const SolvedJoint& s) { return s.joint == joint_of(channel); });
  };
  std::erase_if(clip.channels, is_solved);
  for (SolvedJoint& s : solved) {
    const Transform& rest = rig.skeleton.joints[s.joint].rest;
    const auto is = [](const auto& value) {
      return [&value](const auto& other) { return other == value; };
    };
    const auto& places = s.translation.values;
    const auto& turns = s.rotation.values;
    if (!std::all_of(places.begin(), places.end(), is(rest.translation))) {
      clip.channels.push_back(TranslationChannel{s.joint, std::move(s.translation)});
    }
    if (!std::all_of(turns.begin(), turns.end(), is(rest.rotation))) {
      clip.channels.push_back(RotationChannel{s.joint, std::move(s.rotation)});
    }
  }
}

}  // namespace

std::string describe_miss(const Skeleton& skeleton, JointIndex joint, double distance) {
  return formatted("{} cannot reach its target and stops {} from it",
                   describe_joint(skeleton, joint), significant(distance, 3));
}

void solve_targets(const Rig& rig, const PoseTargets& targets, ToldPose& pose,
                   std::vector<std::string>* notes) {
  if (targets.handles.empty()) return;
  IkSolver solver(rig.skeleton, targets.handles, targets.options);
  solver.solve(targets.goals, pose.joints);
  apply_drivers(rig, pose);
  if (!notes) return;
  const double near = reached * size_of(rig.skeleton);
  for (std::size_t h = 0; h < targets.handles.size(); ++h) {
    const double off = solver.results()[h].distance;
    if (off > near) {
      notes->push_back(describe_miss(rig.skeleton, targets.handles[h].joint, off));
    }
  }
}

Clip solve_targets(const Rig& rig, Clip clip, std::span<const PoseKey> keys, double rate,
                   std::vector<std::string>* notes) {
  if (!(rate > 0) || !std::isfinite(rate)) throw UsageError("the rate of keys is a number above 0");
  IkOptions options;
  const std::vector<TargetTrack> tracks = tracks_of(rig, keys, options);
  if (tracks.empty()) return clip;
  std::vector<IkHandle> handles;
  for (const TargetTrack& track : tracks) handles.push_back(track.handle);
  IkSolver solver(rig.skeleton, handles, options);
  const ClipSampler sampler(clip);
  const std::vector<int> drivers =
      driver_order(rig.skeleton, int(rig.controls.size()), rig.drivers);
  std::vector<SolvedJoint> solved;
  for (const JointIndex joint : solver.changed()) {
    if (!is_driven(rig, joint)) solved.push_back({joint, {}, {}});
  }
  std::vector<double> missed(handles.size());
  std::vector<IkGoal> goals(handles.size());
  const Pose rest = rest_pose(rig);
  for (const Moment& moment : moments_of(keys, rate)) {
    Pose pose = rest;
    sampler.sample(moment.time, pose);
    apply(rig.skeleton, rig.drivers, drivers, pose);
    for (std::size_t h = 0; h < tracks.size(); ++h) {
      goals[h] = goal_at(tracks[h], moment.key, moment.fraction);
    }
    solver.solve(goals, pose.joints);
    for (std::size_t h = 0; h < tracks.size(); ++h) {
      missed[h] = std::max(missed[h], solver.results()[h].distance);
    }
    for (SolvedJoint& s : solved) {
      s.translation.times.push_back(moment.time);
      s.translation.values.push_back(pose.joints[s.joint].translation);
      s.rotation.times.push_back(moment.time);
      s.rotation.values.push_back(pose.joints[s.joint].rotation);
    }
  }
  replace_channels(rig, clip, std::move(solved));
  const double near = reached * size_of(rig.skeleton);
  for (std::size_t h = 0; notes && h < handles.size(); ++h) {
    if (missed[h] > near) {
      notes->push_back(describe_miss(rig.skeleton, handles[h].joint, missed[h]));
    }
  }
  return clip;
}

}  // namespace sinew
