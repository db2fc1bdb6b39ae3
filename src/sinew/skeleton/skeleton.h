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

namespace sinew {

// In place of a joint's number: none.
inline constexpr int no_joint = -1;

// How a joint's twist against its parent bone is spread along bones: which share the bone that
// points to the joint takes over towards its tail, and which share is taken off at the head of the
// joint's own bone. Both at least 0, with a sum of at most 1; what is left is not spread.
// {1, 0} suits a wrist, {0, 1} a shoulder, {0.5, 0.5} a spine, {0, 0} a machine.
struct TwistShares {
  double parent = 0;
  double own = 0;

  friend bool operator==(const TwistShares&, const TwistShares&) = default;
};

// A node of the tree. Its parent may come before or after it in the list.
struct Joint {
  std::string name;       // may be empty, may repeat
  int parent = no_joint;  // no_joint: a root
  Transform rest;         // relative to the parent
  bool is_frame = false;  // a scene node that carries joints or a rigid mesh: not part of a skin
  std::optional<TwistShares> twist_shares{};  // none: by what the bones are, see twist_shares()

  friend bool operator==(const Joint&, const Joint&) = default;
};

// What moves skin: the segment from a joint to its tail. All in mesh space at bind time, which need
// not be the joints' rest pose (glTF allows the two to differ).
struct Bone {
  int joint = no_joint;
  int tail_joint = no_joint;  // the joint it points to; no_joint: a leaf, whose tail is its own
  Vec3 head, tail;            // never the same point: see infer_tails
  Affine inverse_bind;        // from mesh space into the joint's frame at bind time

  friend bool operator==(const Bone&, const Bone&) = default;
};

// Joints move, bones move skin. validate() says what must hold.
struct Skeleton {
  std::vector<Joint> joints;
  std::vector<Bone> bones;  // weights are per bone, in this order; bones may share a joint

  friend bool operator==(const Skeleton&, const Skeleton&) = default;
};

// Whether there is a bone between the two: finite, and longer than what vanishes in computing.
bool has_length(const Vec3& head, const Vec3& tail);

// Whether there is a joint of that number.
inline bool has_joint(const Skeleton& skeleton, int joint) {
  return joint >= 0 && static_cast<std::size_t>(joint) < skeleton.joints.size();
}

// The first joint of that name; no_joint if there is none.
int find_joint(const Skeleton& skeleton, std::string_view name);

// "joint 3 (wrist)", for messages; also of a joint that does not exist.
std::string describe_joint(const Skeleton& skeleton, int joint);

// Throws InputError naming a joint whose parent does not exist.
std::vector<std::vector<int>> children_of(const Skeleton& skeleton);

// The joints in an order that has each parent before its children; ties in list order. Throws
// InputError naming the joints of a cycle or a parent that does not exist.
std::vector<int> evaluation_order(const Skeleton& skeleton);

// The rest pose: each joint's frame in world space. Throws as evaluation_order().
std::vector<Affine> rest_globals(const Skeleton& skeleton);

// One bone for each joint that is not a frame, in joint order, bound at the rest pose: to the child
// it points to, or with an inferred tail. Throws InputError for a joint whose rest frame has no
// volume, and as evaluation_order().
std::vector<Bone> bones_from_joints(const Skeleton& skeleton);

// Sets tail_joint and tail of every bone from heads and the joint tree. A joint with several
// children points to the one that continues its parent's direction best, or (at a root) to the one
// with the largest subtree; children at the joint's own place are passed over in favour of theirs.
// A leaf continues its parent bone at half its length; a lone joint points along its own y axis for
// `fallback_length`. Tails are never closer to heads than 1e-6 of the skeleton's extent. Throws
// UsageError for a fallback length that is not above 0, InputError as evaluation_order() and
// require_joints_of_bones() (bones.h).
void infer_tails(Skeleton& skeleton, double fallback_length = 1.0);

// A skeleton from a plain list of segments, which may touch, cross or lie apart: `points` become
// the joints, `segments` (pairs of point indices) the bones in the same order. A point's parent is
// the start of the first segment that ends in it, unless that would close a cycle. Throws
// InputError for an index out of range or a segment of no length.
Skeleton skeleton_from_segments(std::span<const Vec3> points,
                                std::span<const std::array<int, 2>> segments);

// Throws InputError naming the joint or bone that breaks a rule: a parent, joint or tail joint that
// does not exist, a cycle, a rest transform or inverse bind matrix that is not finite, a rotation
// that is not unit, a twist share outside [0, 1], a bone without length.
void validate(const Skeleton& skeleton);

}  // namespace sinew
