// SPDX-License-Identifier: Apache-2.0
// Bones in a pose: what every method of deformation is computed from.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/core/affine.h"
#include "sinew/deform/bone_tree.h"
#include "sinew/motion/clip.h"
#include "sinew/rig/rig.h"

namespace sinew {

// A bone posed by hand: where its ends are, how it is turned, how it is twisted (radians).
struct BonePose {
  Vec3 start, end;               // a', b' in world space
  std::optional<Quat> rotation;  // R; missing: the smallest that turns the bind direction to it
  double twist_start = 0, twist_end = 0;

  friend bool operator==(const BonePose&, const BonePose&) = default;
};

// One bone of the skeleton in a pose. a and b are its ends at bind, in mesh space; a' and b' those
// ends in the pose, in world space; u = (b - a) / |b - a|.
struct BoneState {
  Vec3 head, tail;              // a, b
  Vec3 posed_head, posed_tail;  // a', b'
  Quat rotation;                // R, with R u along b' - a' (seed 000 eq. 2)
  double twist_head = 0;        // theta_a: any real number of radians
  double twist_tail = 0;        // theta_b
  Mat3 across;                  // scale across the bone, before R; the identity along it
  double own_twist = 0;         // about its own axis, relative to its parent bone, unwrapped

  // The standard methods' view of the same bone: one affine map from mesh to world space, and that
  // map as a rotation after a stretch about the head, linear p = turn * stretch * p.
  Affine matrix;
  Quat turn;
  Mat3 stretch;
};

// The full stretch at b along the bone, which must have a length at bind: s = (|b' - a'| / |b - a|
// - 1)(b - a).
Vec3 stretch_vector(const BoneState& bone);

// Scales across the bone by 1 / sqrt(stretch), so that it keeps its volume. Bones squeezed to
// nothing would grow without end: they stop at a thousandfold.
void squash(BoneState& bone);

// How much of a BoneState a method reads. Each has all of those before it.
enum class BoneDetail {
  matrices,  // head, tail, matrix: linear blending
  turns,     // and turn, stretch: dual quaternions
  ends,      // and posed ends, rotation, scale across, twists at both ends: stretchable bones
  all,       // and own_twist
};

// What is computed of each bone, and how.
struct StateOptions {
  bool squash = false;  // each bone: see squash()
  // For comparisons: the standard methods get as much of the pose as they can take. A bone's end
  // twists turn it by their mean; a bone whose length changes, by whatever channel, is scaled along
  // its axis (eq. 3).
  bool same_intent = false;
  // What is computed of bones that follow joints. Numbers that are left out are NaN.
  BoneDetail detail = BoneDetail::all;
};

// From poses given bone by bone. The standard methods get eq. 3 (scaled along the axis) as
// `matrix`, and R without any scale as `turn` and `stretch`; twist is for the methods that know it.
// Throws InputError naming the bone if the counts differ, a value is not finite, or a rotation does
// not take the bind direction to the posed one (by more than `tolerance` radians). The skeleton
// must be valid.
std::vector<BoneState> bone_states(const Skeleton& skeleton, std::span<const BonePose> poses,
                                   const StateOptions& options = {}, double tolerance = 1e-3);

// The bones of a rig in one pose, or at one moment of a clip: a PosedRig for this alone. Its plan
// takes a walk over the whole skin, so that who needs more than one keeps both. Throws as these.
std::vector<BoneState> bone_states(const Rig& rig, const Pose& pose,
                                   const StateOptions& options = {});
std::vector<BoneState> bone_states(const Rig& rig, const Clip& clip, double time,
                                   const StateOptions& options = {});

// The accumulated twist of each bone about its own axis along the chain from its root, relative to
// bind, in radians (seed 002 eq. 7; a child inherits its parent's twist). `out` has one place per
// bone. Throws UsageError where states or places are not as many as the tree's bones.
void accumulate_twists(const BoneTree& tree, std::span<const BoneState> states,
                       std::span<double> out);

}  // namespace sinew
