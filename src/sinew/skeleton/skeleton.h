// SPDX-License-Identifier: Apache-2.0
// The joint tree, and the bones in it.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/affine.h"
#include "sinew/skeleton/indices.h"

namespace sinew {

// How a joint's twist relative to its parent bone is spread along bones: `parent` is the share that
// the bone pointing to the joint takes up towards its tail, `own` the share that the joint's own
// bone gives up at its head. Both at least 0, with a sum of at most 1; the rest is not spread.
// {1, 0} suits a wrist, {0, 1} a shoulder, {0.5, 0.5} a spine, {0, 0} a machine.
struct TwistShares {
  double parent = 0;
  double own = 0;

  friend bool operator==(const TwistShares&, const TwistShares&) = default;
};

// A node of the tree. Its parent may come before or after it in the list.
struct Joint {
  std::string name;              // may be empty, may repeat
  JointIndex parent = no_joint;  // no_joint: a root
  Transform rest;                // relative to the parent
  bool is_frame = false;  // a scene node above joints or with a rigid mesh; not part of a skin
  std::optional<TwistShares> twist_shares{};  // empty: chosen automatically, see plan_twists()

  friend bool operator==(const Joint&, const Joint&) = default;
};

// A bone moves skin: the segment from a joint (its head) to a tail, in mesh space at bind time. The
// bind pose need not be the rest pose of the joints (glTF allows the two to differ).
struct Bone {
  JointIndex joint = no_joint;
  JointIndex tail_joint = no_joint;  // the joint it points to; no_joint: the tail is not at a joint
  Vec3 head, tail;                   // always distinct: see infer_tails
  Affine inverse_bind;               // from mesh space into the joint's frame at bind time

  friend bool operator==(const Bone&, const Bone&) = default;
};

// Joints move, bones move skin. validate() says what must hold.
struct Skeleton {
  std::vector<Joint> joints;
  std::vector<Bone> bones;  // weights are per bone, in this order; bones may share a joint

  friend bool operator==(const Skeleton&, const Skeleton&) = default;
};

// Whether a bone between the two points is valid: finite, and too long for its squared length to
// underflow.
bool has_length(const Vec3& head, const Vec3& tail);

// Whether the joint index is in range.
inline bool has_joint(const Skeleton& skeleton, JointIndex joint) {
  return joint >= 0 && static_cast<std::size_t>(joint) < skeleton.joints.size();
}

// The first joint with this name; no_joint if there is none.
JointIndex find_joint(const Skeleton& skeleton, std::string_view name);

// "joint 3 (wrist)", for messages; the joint need not exist.
std::string describe_joint(const Skeleton& skeleton, JointIndex joint);

// Throws InputError naming a joint whose parent does not exist.
std::vector<std::vector<JointIndex>> children_of(const Skeleton& skeleton);

// The joints ordered so that parents precede their children; ties in list order. Throws InputError
// naming the joints of a cycle or a parent that does not exist.
std::vector<JointIndex> evaluation_order(const Skeleton& skeleton);

// Each joint's frame in world space, in the rest pose. Throws as evaluation_order().
std::vector<Affine> rest_globals(const Skeleton& skeleton);

// One bone for each joint that is not a frame, in joint order, bound at the rest pose. It points to
// a child, or gets an inferred tail. Throws InputError for a joint whose rest frame is singular,
// and as evaluation_order().
std::vector<Bone> bones_from_joints(const Skeleton& skeleton);

// Sets tail_joint and tail of every bone from the heads and the joint tree. A joint with several
// children points to the one that best continues its parent's direction or, at a root, to the one
// with the largest subtree. Children at the joint's own position are replaced by their children. A
// leaf continues its parent bone with half its length; a lone joint points along its own y axis,
// over `fallback_length`. Every bone is at least 1e-6 of the skeleton's extent long. Throws
// UsageError for a fallback length that is not positive, InputError as evaluation_order() and
// require_joints_of_bones() (bones.h).
void infer_tails(Skeleton& skeleton, double fallback_length = 1.0);

// A skeleton from a plain list of segments, which may touch, cross or lie apart. `points` become
// the joints, `segments` (pairs of point indices) the bones, in the same order. The parent of a
// point is the start of the first segment that ends in it, unless that would close a cycle. Throws
// InputError for an index out of range or a segment of zero length.
Skeleton skeleton_from_segments(std::span<const Vec3> points,
                                std::span<const std::array<int, 2>> segments);

// Throws InputError naming the joint or bone that breaks a rule: a parent, joint or tail joint that
// does not exist, a cycle, a rest transform or inverse bind matrix that is not finite, a rotation
// that is not a unit quaternion, a twist share outside [0, 1], a bone of zero length.
void validate(const Skeleton& skeleton);

}  // namespace sinew
