// SPDX-License-Identifier: Apache-2.0
// What IkSolver plans, and the memory it works in.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sinew/motion/detail/ik_clamp.h"
#include "sinew/motion/ik.h"

namespace sinew::motion {

// A handle with the joints that turn for it.
struct PlannedHandle {
  IkHandle asked;
  bool dragged = false;
  std::vector<JointIndex> chain;  // root first; empty if dragged
  // From this place in the chain on, no other handle of the group has a share in it.
  int own_from = 0;
  // For dragged joints: the parent, if its bone points to the joint and is free to turn; and the
  // child that the joint's own bone points to, if it stays.
  JointIndex turned_parent = no_joint;
  JointIndex tail = no_joint;
  bool children_stay = false;
};

// Handles whose chains share joints, solved together.
struct IkGroup {
  struct Turning {
    JointIndex joint = no_joint;
    std::optional<Vec3> hinge{};  // its axis in the parent's frame, if it turns about one alone
    int above = -1;               // in `joints`: the parent, if it is one of them
    double yield = 1;             // how much of its last turn its limit let through
    double sum = 0;               // of its turn and those above, in one iteration
    // Of one solve(): the parent's frame is a similarity, and this over its scale (negative if it
    // mirrors) takes axes between it and the world.
    bool is_even = true;
    double per_scale = 1;
  };
  // A handle that a joint moves (`row`, in the order of `handles`), and the joint that is in its
  // place: the handle's own, or the first on the way to it that keeps its rotation in the world.
  struct End {
    int row = 0;
    JointIndex point = no_joint;
  };
  // Joints one below the other that move the same ends.
  struct Run {
    int first = 0, count = 0;  // in `joints`
    std::vector<End> ends;     // by row
  };
  std::vector<int> handles;
  std::vector<Turning> joints;   // in evaluation order
  std::vector<Run> runs;         // in evaluation order
  std::vector<JointIndex> path;  // the joints and the handles, in evaluation order
};

// One bone of a chain while it is solved; zero-length bones are left out.
struct ChainBone {
  JointIndex joint = no_joint, next = no_joint;
  Vec3 direction;  // of unit length, in the pose handed in
  double length = 0;
  Vec3 axis;        // about which the joint bends: from the bone before to this one
  double bend = 0;  // by this angle
  double gain = 0;  // and this is its part in more or less bend of the whole chain
};

// Either a drag (of a handle) or a group.
struct IkStep {
  bool is_drag = false;
  int index = 0;
};

// See IkSolver.
struct IkData {
  // The tree.
  std::vector<JointIndex> parents, order;
  std::vector<int> place, subtree_end;  // in `order`, which lists subtrees one after the other
  std::vector<std::vector<JointIndex>> children;
  std::vector<Quat> rest_rotations;
  std::vector<Vec3> bend_axes;  // in each joint's frame: where a straight chain bends first
  // What was asked for.
  std::vector<PlannedHandle> handles;
  std::vector<IkGroup> groups;
  std::vector<IkStep> steps;
  std::vector<IkLimit> limits;
  std::vector<JointClamp> clamps;  // one per limit
  std::vector<int> handle_of;      // per joint: in `handles`, or -1
  std::vector<int> limit_of;       // per joint: in `limits`, or -1
  std::vector<double> compliance;  // per joint: 1 / stiffness of the bone that starts there
  std::vector<JointIndex> changed;
  double softness = 0;
  // Memory of one solve().
  std::span<const IkGoal> goals;
  std::span<Transform> locals;
  std::vector<Affine> globals;
  std::vector<Vec3> positions;        // per handle: the goal
  std::vector<Quat> loose_rotations;  // per handle: of the pose handed in, relative to the parent
  std::vector<Quat> rotations;        // per handle: the goal, where it is given
  std::vector<char> locked;           // per joint: its handle gives its rotation
  std::vector<IkResult> results;
  std::vector<ChainBone> bones;
  std::vector<double> matrix, right;  // of the least-squares solver
  std::vector<double> strength;       // per row: the root of the goal's weight
  std::vector<JointIndex> points;     // per row
  std::vector<Vec3> turns;
};

// The frame of a joint's parent in world space, as far as it is linear.
inline Mat3 parent_frame(const IkData& ik, JointIndex joint) {
  const JointIndex parent = ik.parents[joint];
  return parent == no_joint ? Mat3{} : ik.globals[parent].linear;
}

// Computes a joint's frame from its parent's. A joint whose rotation is given in world space gets
// the local rotation that fits.
void update_joint(IkData& ik, JointIndex joint);
// The same for a joint and all below it.
void update_below(IkData& ik, JointIndex joint);

// Whether the map turns and scales evenly, so that turning a joint below it keeps lengths.
bool is_similarity(const Mat3& m);

// A rotation in world space as one in the coordinates of `frame`, which is a similarity:
// frame^-1 * world * frame.
Quat in_frame(const Quat& world, const Mat3& frame);

// Clamps the joint's rotation to its limit, if it has one, and returns whether that changed it.
bool clamp_joint(IkData& ik, JointIndex joint);

// Plans handles, groups and steps. See IkSolver.
IkData plan_ik(const Skeleton& skeleton, std::span<const IkHandle> handles,
               const IkOptions& options);

// Moves a joint to its goal by its translation.
void drag(IkData& ik, int handle);

// Solves the handle's chain from place `from` on in closed form: bends all its joints by the same
// factor until its length from end to end fits, and turns it at its root. Stretches it where that
// is allowed. Returns false if limits, uneven scales or a goal too near to the root are in the way;
// the joints are then within their limits and near the goal.
bool bend_chain(IkData& ik, int handle, int from);

// The place in the handle's chain from which it is turned for this handle alone, and by a rotation
// that is not given; the chain's length if there is none.
int own_part(const IkData& ik, int handle);
// Whether there is such a part, without limits: bend_chain() can do its share there.
bool has_own_part(const IkData& ik, int handle);

// Damped least squares for all handles of the group.
void least_squares(IkData& ik, IkGroup& group);

}  // namespace sinew::motion
