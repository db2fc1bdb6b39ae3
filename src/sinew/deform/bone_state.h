// SPDX-License-Identifier: Apache-2.0
// Bones in a pose, the input of every deformation method.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/core/affine.h"
#include "sinew/deform/bone_tree.h"
#include "sinew/motion/clip.h"
#include "sinew/rig/rig.h"

namespace sinew {

// A bone posed directly: its ends, its rotation, and its twist at both ends in radians.
struct BonePose {
  Vec3 start, end;               // a', b' in world space
  std::optional<Quat> rotation;  // R; if missing, the smallest rotation from the bind direction
  double twist_start = 0, twist_end = 0;

  friend bool operator==(const BonePose&, const BonePose&) = default;
};

// One bone of the skeleton in a pose. a and b are its ends at bind, in mesh space; a' and b' are
// its ends in the pose, in world space; u = (b - a) / |b - a|.
struct BoneState {
  Vec3 head, tail;              // a, b
  Vec3 posed_head, posed_tail;  // a', b'
  Quat rotation;                // R, with R u along b' - a' (Jacobson and Sorkine 2011, eq. 2)
  double twist_head = 0;        // theta_a in radians, unwrapped
  double twist_tail = 0;        // theta_b
  Mat3 across;                  // scale perpendicular to the bone, before R; the identity along it
  double own_twist = 0;         // about its own axis, relative to its parent bone, unwrapped
  double bulge = 0;             // the drive of its muscle (deform/muscles.h); 0 if it has none

  // The standard methods' view of the same bone: one affine map from mesh to world space, and that
  // map as a rotation after scale and shear about the head, linear p = turn * scale_shear * p.
  Affine matrix;
  Quat turn;
  Mat3 scale_shear;
};

// The stretch vector at the tail, s = (|b' - a'| / |b - a| - 1)(b - a). The bone must not have zero
// length at bind.
Vec3 stretch_vector(const BoneState& bone);

// The length in the pose against that at bind, |b' - a'| / |b - a|. The bone must not have zero
// length at bind.
double stretch_factor(const BoneState& bone);

// Scales across the bone by 1 / sqrt(stretch), which preserves volume. Limited to a factor of a
// thousand, for bones squeezed to nothing.
void squash(BoneState& bone);

// How much of a BoneState a method reads. Each level includes all before it.
enum class BoneDetail {
  matrices,  // head, tail, matrix: linear blending
  turns,     // and turn, stretch: dual quaternions
  ends,      // and posed ends, rotation, scale across, end twists, bulges: stretchable bones
  all,       // and own_twist
};

// What is computed of each bone, and how.
struct StateOptions {
  bool squash = false;  // squash() each bone; its change of length then drives no muscle
  // For fair comparisons: gives the standard methods as much of the pose as they can express. A
  // bone is rotated by the mean of its end twists; a bone whose length changes for whatever reason
  // is scaled along its axis (Jacobson and Sorkine 2011, eq. 3).
  bool same_intent = false;
  // What to compute for bones that follow joints. Values that are not computed are NaN.
  BoneDetail detail = BoneDetail::all;
};

// From one BonePose per bone. For the standard methods, `matrix` scales along the axis (Jacobson
// and Sorkine 2011, eq. 3), and `turn` and `stretch` are R without scale; twist only affects
// methods that support it. Throws InputError naming the bone if the counts differ, a value is not
// finite, or a rotation fails to take the bind direction to the posed one within `tolerance`
// radians. The skeleton must be valid.
std::vector<BoneState> bone_states(const Skeleton& skeleton, std::span<const BonePose> poses,
                                   const StateOptions& options = {}, double tolerance = 1e-3);

// The same with the drives of the rig's muscles. A muscle that follows an angle takes that of its
// joint's bone against the bone before it.
std::vector<BoneState> bone_states(const Rig& rig, std::span<const BonePose> poses,
                                   const StateOptions& options = {}, double tolerance = 1e-3);

// The bones of a rig in one pose, or at one moment of a clip. Makes a RigPlan and a PosedRig for
// this one call; planning visits the whole skin, so keep both if you need more than one pose.
// Throws as they do.
std::vector<BoneState> bone_states(const Rig& rig, const Pose& pose,
                                   const StateOptions& options = {});
std::vector<BoneState> bone_states(const Rig& rig, const Clip& clip, double time,
                                   const StateOptions& options = {});

// Each bone's twist about its own axis, accumulated along the chain from its root, relative to
// bind, in radians (Yang and Zhang 2006, eq. 7; a child inherits its parent's twist). Throws
// UsageError if `states` or `out` do not have one entry per bone of the tree.
void accumulate_twists(const BoneTree& tree, std::span<const BoneState> states,
                       std::span<double> out);

}  // namespace sinew
