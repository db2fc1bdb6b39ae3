// SPDX-License-Identifier: Apache-2.0
// Clips made of poses: what lies between two of them, and how full turns get into a clip.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/deform/pose_targets.h"
#include "sinew/deform/told_pose.h"
#include "sinew/rig/rig.h"

namespace sinew {

// How to go from a key to the next: evenly, slowly at both ends, or not before the next key.
enum class Ease { linear, smooth, step };

// How much of the way is done at the fraction t of the time, both in [0, 1).
double eased(Ease ease, double t);

// In a clip of linear curves, a step takes this last part of the time before the key, in seconds.
inline constexpr double stepping_time = 1e-3;

// A pose at a time in seconds. What the generalized bones compute in it does not matter.
struct PoseKey {
  double time = 0;
  ToldPose pose;
  Ease ease = Ease::linear;
  PoseTargets targets{};  // for solve_targets()
  friend bool operator==(const PoseKey&, const PoseKey&) = default;
};

// A clip twists each joint by at most this many turns per second, so that ClipPlan can follow.
inline constexpr double most_turns_per_second = 15;

// How close two keys may be and how late the last, in seconds.
inline constexpr double least_key_distance = 1e-3, latest_key = 1e6;

// Lets the keys end where they began: appends the pose of the first, after the last by the mean
// time between two keys (a second if there is only one). Nothing if they end there already.
void close_loop(std::vector<PoseKey>& keys);

// A clip through the poses, for the rig as make_ends() leaves it. Joints turn the shorter way,
// except where the poses tell a twist: it goes evenly from one angle to the other, through as many
// turns as lie between. Curves are linear, with more keys where needed: where a joint turns by more
// than half a turn, and 32 for each smooth part; if every key steps, they step, otherwise a step
// takes the last millisecond before the key. What no pose changes has no channel, nor do
// generalized bones. Throws InputError with the place "/keys/N/time" for times that are negative,
// too late, or not ascending by least_key_distance, and "/keys/N" for a first pose that is twisted
// by more than half a turn (a clip begins within it), and twists that are too fast or step by more
// than half a turn; UsageError for poses that do not fit the rig or no pose at all.
Clip clip_from_poses(const Rig& rig, std::string name, std::span<const PoseKey> keys);

// Lets the clip, made from these keys, reach their targets at all times: joints that these turn or
// move get keys at `rate` per second. A target goes from key to key by the ease, on a straight
// line; a rotation the shorter way. Towards a key that does not have it, its weight fades to 0.
// `notes` gets a line for each target that is out of reach at some time. Throws InputError with the
// place "/keys/N" for a target that differs between keys in more than its position, rotation, pole
// and weight, or has one of these in some keys only, and "/keys/N/time" where more than 2,000,000
// keys would be needed; UsageError for a rate that is not positive.
Clip solve_targets(const Rig& rig, Clip clip, std::span<const PoseKey> keys, double rate = 60,
                   std::vector<std::string>* notes = nullptr);

// Gives each bone whose tail a pose stretches without a joint to do it (ToldPose::tails) an end
// joint, a frame at its tail, and lets the poses move that instead. Adds joints at the end of the
// rig's list, and their transforms to all poses; nothing if no pose stretches such a bone. Throws
// UsageError for poses that do not fit the rig.
void make_ends(Rig& rig, std::span<PoseKey> keys);

// Puts the clip in place of the one with its name, or after the others.
void put_clip(Rig& rig, Clip clip);

}  // namespace sinew
