// SPDX-License-Identifier: Apache-2.0
// The poses that a bake is optimised for and measured in.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/rig/rig.h"

namespace sinew::baking {

// The range of a bone's motion over all poses.
struct Extent {
  double twist_difference = 0;  // largest |theta_b - theta_a|, radians
  double twist = 0;             // largest |theta_a| or |theta_b|
  double swing = 0;             // largest angle between R and the joint's own rotation
  double shortest = 1, longest = 1;
  double pull = 0;    // largest stretch, as a share of the length, beyond the joint's own scale
  double along = 0;   // largest deviation from 1 of the joint's own scale along the bone
  double across = 0;  // the same across the bone; the true result keeps this scale
  Mat3 widest;        // the scale across the bone in the pose where that is largest
};

void include(Extent& extent, const BoneState& state);

// Deviations of scale from 1 up to this are rounding in files and tracks.
inline constexpr double scale_tolerance = 1e-3;

// The largest difference of a bone's scale from 1.
double scale_of(const BoneState& state);

// A pose in which errors are measured.
struct TestPose {
  std::size_t clip = 0;
  double time = 0;
  std::vector<BoneState> states{};  // of the rig before the bake
  std::vector<double> shapes{};
  bool is_extra = false;  // measured, but influences are not chosen for it
  // Generated poses have joints instead of a clip and a time.
  bool is_made_up = false;
  bool is_stretched = false;
  std::vector<Transform> joints{};
};

struct PoseSet {
  std::vector<Extent> extents;  // one per bone, over all moments of all clips
  std::vector<bool> has_scale;  // one per clip: some bone is scaled in it
  std::vector<TestPose> tests;
};

// The times at which a clip is sampled: 60 per second, its keys, and its end. At most about 20000;
// longer clips are sampled more coarsely.
std::vector<double> sample_times(const Clip& clip);

PoseSet poses_of_clips(const Rig& rig, const StateOptions& states = {});

struct GenericPoses {
  std::vector<double> degrees = {120};
  bool one_by_one = false;    // also poses in which only every second joint moves
  double bend = 0;            // degrees; not 0: also poses in which the joints swing by this angle
  bool drivers = true;        // generalized bones follow
  std::vector<bool> moved{};  // per joint; empty: all that a bone points to
};

// Turns each bone's tail joint by the given angles in both directions, about the bone's axis or
// about the tail joint's own bone if that one takes the twist, both in the same and in the opposite
// direction as its neighbours; also moves it to 1.5 times its distance. With `bend` it is also
// swung about two axes perpendicular to the bone. A flat rig (mesh and bones in one plane) is only
// stretched, as anything else would take it out of its plane.
PoseSet generic_poses(const Rig& rig, const GenericPoses& options = {},
                      const StateOptions& states = {});

// Adds the poses of `more`, which must not come from clips.
void append(PoseSet& poses, PoseSet more);

}  // namespace sinew::baking
