// SPDX-License-Identifier: Apache-2.0
// The poses that a bake is made for and measured in.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/rig/rig.h"

namespace sinew::baking {

// How far a bone goes in all poses.
struct Extent {
  double twist_difference = 0;  // largest |theta_b - theta_a|, radians
  double twist = 0;             // largest |theta_a| or |theta_b|
  double swing = 0;             // largest angle between R and the joint's own rotation
  double shortest = 1, longest = 1;
  double pull = 0;    // largest stretch, as a share of the length, beyond the joint's own scale
  double along = 0;   // largest difference of the joint's own scale along the bone from 1
  double across = 0;  // the same across the bone, which the true result keeps
  Mat3 widest;        // the scale across the bone in the pose where that is largest
};

void include(Extent& extent, const BoneState& state);

// What of scale is rounding in files and tracks; anything above it is scale.
inline constexpr double scale_tolerance = 1e-3;

// The largest difference of a bone's scale from 1.
double scale_of(const BoneState& state);

// A moment that errors are measured in.
struct TestPose {
  std::size_t clip = 0;
  double time = 0;
  std::vector<BoneState> states{};  // of the rig before the bake
  std::vector<double> shapes{};
  bool is_extra = false;  // measured, but influences are not chosen for it
  // Poses of no clip have no clip and no time, but joints.
  bool is_made_up = false;
  bool is_stretched = false;
  std::vector<Transform> joints{};
};

struct PoseSet {
  std::vector<Extent> extents;  // one per bone, over all moments of all clips
  std::vector<bool> has_scale;  // one per clip: some bone is scaled in it
  std::vector<TestPose> tests;
};

// The moments at which a clip is sampled: 60 a second, its keys, and its end. At most about 20000;
// clips that last longer than this allows are sampled more coarsely.
std::vector<double> sample_times(const Clip& clip);

PoseSet poses_of_clips(const Rig& rig);

struct GenericPoses {
  std::vector<double> degrees = {120};
  bool one_by_one = false;    // also poses in which every other joint stays
  double bend = 0;            // degrees: also poses in which the joints swing by it
  bool drivers = true;        // generalized bones follow
  std::vector<bool> moved{};  // per joint; empty: all that a bone points to
};

// Each bone's tail joint turned about the bone, or about its own where that takes the twist, by
// those angles either way, in step and against its neighbours, and moved to 1.5 times its distance;
// with `bend` also swung, about two axes across the bone. A flat rig, mesh and bones in one plane,
// is only stretched: all else would take it out of its plane.
PoseSet generic_poses(const Rig& rig, const GenericPoses& options = {});

// Adds the poses of `more`, which has no clips.
void append(PoseSet& poses, PoseSet more);

}  // namespace sinew::baking
