// SPDX-License-Identifier: Apache-2.0
// Poses told by joint: bends, twists and stretches relative to rest.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/motion/clip.h"
#include "sinew/rig/rig.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew {

// How far a joint is twisted about its bone (see twist_axes), in radians, with the full turns that
// its rotation cannot show.
struct ToldTwist {
  JointIndex joint = no_joint;
  double angle = 0;
  friend bool operator==(const ToldTwist&, const ToldTwist&) = default;
};

// The length of the bones that start at a joint, relative to bind, if no joint moves their tails.
struct TailStretch {
  JointIndex joint = no_joint;
  double factor = 1;
  friend bool operator==(const TailStretch&, const TailStretch&) = default;
};

// A pose made by hand, and what the transforms of its joints cannot express. A joint that is not
// listed is twisted by less than half a turn.
struct ToldPose : Pose {
  std::vector<ToldTwist> twists;
  std::vector<TailStretch> tails;
  friend bool operator==(const ToldPose&, const ToldPose&) = default;
};

// As bone_states() of a pose, with the pose's twists and tails. Throws as PosedRig::set().
std::vector<BoneState> bone_states(const Rig& rig, const ToldPose& pose,
                                   const StateOptions& options = {});

// Twists and bends beyond a hundred turns and stretches beyond a million are refused.
inline constexpr double largest_twist = 200 * pi, largest_stretch = 1e6;

// The axis about which each joint twists: the direction of its bone in the rest pose, as a unit
// vector in the joint's own frame (before its scale). A joint's bone is the first in the skeleton's
// order that starts there or, if none does, the first that points to it. Zero for joints without
// either. Throws InputError as evaluation_order() and require_joints_of_bones() (bones.h).
std::vector<Vec3> twist_axes(const Skeleton& skeleton);

// Whether a generalized bone computes the joint, so that it cannot be posed.
bool is_driven(const Rig& rig, JointIndex joint);

// A turn by `angle` (radians) about a unit vector in the joint's own frame.
struct ToldBend {
  Vec3 axis{1, 0, 0};
  double angle = 0;
  friend bool operator==(const ToldBend&, const ToldBend&) = default;
};

// Turns joints and stretches bones in poses. Holds copies: the skeleton need not outlive it.
class PoseTeller {
 public:
  // Throws as twist_axes().
  explicit PoseTeller(const Skeleton& skeleton);

  // Turns the joint, whose rotation in `pose` is taken for that before the turn (usually that at
  // rest): first by `twist` (radians) about its bone, then by the bends in their order, all about
  // axes that stay where they are in the joint's frame before the turn. Throws UsageError for a
  // joint that does not exist or a pose with another number of joints, InputError for a twist or a
  // bend beyond largest_twist (radians), an axis without a length, or a twist of a joint without a
  // bone.
  void turn(ToldPose& pose, JointIndex joint, std::span<const ToldBend> bends, double twist) const;

  // Makes the bones that start at the joint `factor` times as long as at rest, by moving the joints
  // that hang from it along them: those at a tail go all the way, those beside the bone as far as
  // the point of the bone next to them, so that they stay where they are on the skin. Bones whose
  // tails no joint moves are entered in pose.tails. Throws UsageError as turn(), InputError for a
  // factor that is not positive or beyond largest_stretch, or if no bone starts at
  // the joint. A factor of 1 changes nothing.
  void stretch(ToldPose& pose, JointIndex joint, double factor) const;

 private:
  // A bone in its joint's frame at rest.
  struct RestBone {
    Vec3 vector;                       // from head to tail
    JointIndex tail_joint = no_joint;  // the joint that moves the tail, if one does
  };
  void require_fits(const Pose& pose, JointIndex joint) const;
  bool hangs_from(JointIndex joint, JointIndex ancestor) const;
  void stretch_to(Pose& pose, JointIndex joint, JointIndex node, const RestBone& bone,
                  double factor) const;

  Skeleton skeleton_;
  std::vector<std::vector<JointIndex>> children_;
  std::vector<Affine> rest_;
  std::vector<Vec3> axes_;
  std::vector<std::vector<RestBone>> bones_;  // of each joint
};

}  // namespace sinew
