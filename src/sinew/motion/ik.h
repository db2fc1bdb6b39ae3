// SPDX-License-Identifier: Apache-2.0
// Posing by handles: joints are given places in world space, and the rotations (and, if allowed,
// the lengths) of the bones above them are computed. See docs/methods/inverse-kinematics.md.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/core/affine.h"
#include "sinew/motion/ik_limits.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew {
namespace motion {
struct IkData;
}

// What happens to the lengths of the bones of a handle's chain.
enum class IkLengths {
  kept,          // they never change; a goal out of reach is approached as far as possible
  beyond_reach,  // as kept, but a goal out of reach is reached with longer bones
  free,          // the joint is dragged to its goal; the bones next to it turn and stretch
};

// What the children of a joint that is dragged (IkLengths::free) do.
enum class IkChildren {
  automatic,  // stay if there is one child, follow if there are several (a hand, a chest)
  follow,     // they move with the joint
  stay,       // they stay where they are; the joint's own bone turns and stretches towards its tail
};

// A joint that can be given a goal, and how it gets there. Planned once.
struct IkHandle {
  JointIndex joint = no_joint;
  // The first joint that turns, an ancestor of `joint`; the last one is the parent of `joint`. If
  // missing, two bones lie between them (an arm, a leg), or as many as there are. Chains do not go
  // through frames or above joints with free handles. A joint without anything to turn above it is
  // dragged, whatever `lengths` says, and its children follow.
  JointIndex root = no_joint;
  IkLengths lengths = IkLengths::kept;
  IkChildren children = IkChildren::automatic;  // for free
  friend bool operator==(const IkHandle&, const IkHandle&) = default;
};

// Where a handle should be in one pose, in world space.
struct IkGoal {
  std::optional<Vec3> position;  // if missing, where the pose handed in has the joint: a pin
  std::optional<Quat> rotation;  // of the joint's frame; if missing, it turns with its parent
  bool keep_rotation = false;  // the rotation is the one in the pose handed in: a foot that stands
  // The chain bends towards this point; if missing, as it is bent in the pose handed in. Has no
  // meaning for joints that are dragged.
  std::optional<Vec3> pole;
  // From 0 (as if there were no handle) to 1: how much of the way from the pose handed in, and how
  // much the goal counts against other goals that it conflicts with.
  double weight = 1;
  friend bool operator==(const IkGoal&, const IkGoal&) = default;
};

// How much the bone that starts at a joint resists stretch: 1 as any other, 2 stretches half as
// much, infinity not at all.
struct IkStiffness {
  JointIndex joint = no_joint;
  double stiffness = 1;
  friend bool operator==(const IkStiffness&, const IkStiffness&) = default;
};

// What holds for all goals.
struct IkOptions {
  std::vector<IkLimit> limits;         // of joints in chains; at most one per joint
  std::vector<IkStiffness> stiffness;  // for IkLengths::beyond_reach
  // The part of a chain's length before full extension in which it slows down: 0 reaches goals
  // exactly up to full extension, where joints turn infinitely fast; 0.05 avoids that. With kept
  // lengths the joint then lags behind its goal there, otherwise bones stretch a little earlier.
  double softness = 0;
  friend bool operator==(const IkOptions&, const IkOptions&) = default;
};

// How well a handle did.
struct IkResult {
  double distance = 0;  // from the joint to its goal, as far as the weight lets it go there
  int iterations = 0;   // of the least-squares solver; 0 where the solution is in closed form
};

// A skeleton prepared for a set of handles. Holds copies and its own memory: one thread at a time
// may use a solver.
//
// A pose depends on nothing but the pose handed in and the goals: same input, same bits. There is
// no memory of earlier poses; for motion that goes on from the last frame, hand that in. Joints
// above and below the chains, and chains that are at their goals already, keep their bits.
class IkSolver {
 public:
  // The skeleton must be valid. Throws UsageError naming a handle, limit or stiffness whose joint
  // does not exist or occurs twice, whose root is not above it, or whose numbers are out of range.
  IkSolver(const Skeleton& skeleton, std::span<const IkHandle> handles,
           const IkOptions& options = {});

  IkSolver(IkSolver&&) noexcept;
  IkSolver& operator=(IkSolver&&) noexcept;
  ~IkSolver();

  // Changes the joints' local transforms so that the handles are at their goals, one goal per
  // handle. Allocates nothing. Throws UsageError if the counts do not fit, or a number of a goal or
  // of a joint is not finite; the pose is then as it was.
  void solve(std::span<const IkGoal> goals, std::span<Transform> locals);

  // Of the last solve(), one per handle.
  std::span<const IkResult> results() const;

  // The joints that turn for a handle, root first: its chain. Empty if the joint is dragged. The
  // handle must exist.
  std::span<const JointIndex> chain(int handle) const;

  // The joints whose transforms solve() may change, in ascending order.
  std::span<const JointIndex> changed() const;

 private:
  std::unique_ptr<motion::IkData> data_;
};

}  // namespace sinew
