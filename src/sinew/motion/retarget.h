// SPDX-License-Identifier: Apache-2.0
// Plays the motion of one skeleton on another.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sinew/motion/clip.h"
#include "sinew/motion/joint_map.h"

namespace sinew {

// How the clip is made.
struct RetargetOptions {
  double fps = 0;             // frames per second; 0: the motion's own
  double tolerance = 0.0017;  // radians, for keys that are left out (reduce_keys.h): 0.1 degrees
  bool in_place = false;      // the hips rise and sink, but stay over one place
  // The moment of the motion, in seconds, at which the source stands as its skeleton does at rest:
  // for files whose joints at rest form no body.
  std::optional<double> rest_time;
  // Joints of the target that generalized bones compute (Driver::joint): these get no channels, and
  // what is below them is placed as if they were at rest.
  std::vector<JointIndex> computed{};
};

// The clip, without a name, and what was found on the way.
struct Retargeted {
  Clip clip;
  double scale = 1;                   // lengths of the target for a length of 1 of the source
  JointIndex hips;                    // the target's joint that is moved
  std::size_t frames = 0;             // all keys would be frames times channels
  std::vector<JointPair> left_out{};  // of the map: those whose targets are computed
};

// The source's motion on the target, joint by joint of the map. Skeletons may differ in
// proportions, units, local axes and rest poses:
// - Each joint turns in world space as its source does, counted from the rest poses. Source and
//   target are first turned to face the same way and to stand upright (y is up unless the body lies
//   along another axis). Limbs and fingers that point elsewhere at rest (an A pose, not a T pose)
//   are swung over first, so that they point where the source's do. Trunk, head, collar bones, feet
//   and toes are not, so that soles stay flat and a back keeps its curve.
// - Of rows with several joints (see JointMap), the n-th of m targets takes the turn that the
//   source's row has at n / m of its way. Counts turns up to a full one between two joints.
// - The hips move by the source's way times `scale`: leg length against leg length, or without
//   legs the sizes of the paired joints. Target and source stand on the same ground at rest; where
//   the source's hips are at height 0 at rest, which is how many files are written, its lowest foot
//   of all frames is taken to be on the ground.
// The target's rest pose counts or, where that differs from the bind pose, as in files saved in the
// midst of a motion, the bind pose.
// Rotations follow each other on the shorter way, so that a twist of many turns stays one. Joints
// in no pair stay as at rest. The hips are the joint of that part or, if there is none, the pair
// above all others.
//
// Throws UsageError for pairs and computed joints that do not exist and for bad options; InputError
// listing both skeletons' joints if there is no such pair for the hips; InputError for a motion
// without keys, of more than a million seconds or 2 million frames, or too far away to compute
// with, and for joints that are scaled to nothing; and as evaluation_order().
Retargeted retarget(const Skeleton& source, const Clip& motion, const Skeleton& target,
                    const JointMap& map, const RetargetOptions& options = {});

}  // namespace sinew
