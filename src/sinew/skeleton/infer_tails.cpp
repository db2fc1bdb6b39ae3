// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/error.h"
#include "sinew/skeleton/bones.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew {
namespace {

// Data for choosing among a joint's children.
struct Tree {
  std::vector<std::vector<JointIndex>> children;
  std::vector<JointIndex> order;
  std::vector<int> subtree;              // joints in each joint's subtree, itself included
  std::vector<BoneIndex> bone_of_joint;  // the first bone of each joint, or -1
  std::vector<BoneIndex> next_bone;      // the next bone of the same joint, or -1
  std::vector<JointIndex> above;         // the nearest joint above with a bone, or no_joint
};

Tree make_tree(const Skeleton& skeleton) {
  Tree tree{children_of(skeleton), evaluation_order(skeleton), {}, {}, {}, {}};
  tree.subtree.assign(skeleton.joints.size(), 1);
  for (auto j = tree.order.rbegin(); j != tree.order.rend(); ++j) {
    const int parent = skeleton.joints[*j].parent;
    if (parent != no_joint) {
      tree.subtree[parent] += tree.subtree[*j];
    }
  }
  tree.bone_of_joint.assign(skeleton.joints.size(), -1);
  tree.next_bone.resize(skeleton.bones.size());
  for (std::size_t b = skeleton.bones.size(); b-- > 0;) {
    BoneIndex& first = tree.bone_of_joint[skeleton.bones[b].joint];
    tree.next_bone[b] = first;
    first = b;
  }
  tree.above.assign(skeleton.joints.size(), no_joint);
  for (const int j : tree.order) {
    const int parent = skeleton.joints[j].parent;
    if (parent == no_joint) continue;
    tree.above[j] = tree.bone_of_joint[parent] >= 0 ? JointIndex(parent) : tree.above[parent];
  }
  return tree;
}

// The joints that the bone of `joint` can point to: its children; those at its own position or
// without a bone are replaced by their children.
std::vector<int> candidates(const Skeleton& skeleton, const Tree& tree, const Bone& bone,
                            double shortest) {
  std::vector<int> found;
  const auto& own = tree.children[bone.joint];
  std::vector<int> pending(own.rbegin(), own.rend());
  while (!pending.empty()) {
    const int joint = pending.back();
    pending.pop_back();
    const int b = tree.bone_of_joint[joint];
    if (b >= 0 && !skeleton.joints[joint].is_frame &&
        distance(skeleton.bones[b].head, bone.head) > shortest) {
      found.push_back(joint);
    } else {
      const auto& next = tree.children[joint];
      pending.insert(pending.end(), next.rbegin(), next.rend());
    }
  }
  return found;
}

// For each joint with a bone, the candidate with the largest subtree, or no_joint. Made from the
// leaves up: in a long chain of joints at one place each of them would otherwise search all that
// follow.
std::vector<JointIndex> largest_candidates(const Skeleton& skeleton, const Tree& tree,
                                           double shortest) {
  std::vector<JointIndex> largest(skeleton.joints.size(), no_joint);
  const auto bone_at = [&](int joint) { return tree.bone_of_joint[joint]; };
  const auto is_apart = [&](int joint, int from) {
    return distance(skeleton.bones[bone_at(joint)].head, skeleton.bones[bone_at(from)].head) >
           shortest;
  };
  std::vector<int> pending;
  for (auto j = tree.order.rbegin(); j != tree.order.rend(); ++j) {
    if (bone_at(*j) < 0) continue;
    pending.assign(tree.children[*j].rbegin(), tree.children[*j].rend());
    while (!pending.empty()) {
      const int child = pending.back();
      pending.pop_back();
      JointIndex candidate = no_joint;
      if (bone_at(child) >= 0 && !is_apart(child, *j)) {
        candidate = largest[child];
        if (candidate != no_joint && !is_apart(candidate, *j)) candidate = largest[candidate];
      } else if (bone_at(child) >= 0 && !skeleton.joints[child].is_frame) {
        candidate = child;
      } else {
        const auto& next = tree.children[child];
        pending.insert(pending.end(), next.rbegin(), next.rend());
      }
      if (candidate == no_joint) continue;
      JointIndex& best = largest[*j];
      if (best == no_joint || tree.subtree[candidate] > tree.subtree[best]) best = candidate;
    }
  }
  return largest;
}

}  // namespace

void infer_tails(Skeleton& skeleton, double fallback_length) {
  if (!(fallback_length > 0) || !std::isfinite(fallback_length)) {
    throw UsageError("the length of a bone that nothing else gives one is a number above 0");
  }
  require_joints_of_bones(skeleton);
  if (skeleton.bones.empty()) return;
  const Tree tree = make_tree(skeleton);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Vec3 low{infinity, infinity, infinity};
  Vec3 high = -low;
  for (const Bone& bone : skeleton.bones) {
    low = component_min(low, bone.head);
    high = component_max(high, bone.head);
  }
  const double shortest = 1e-6 * distance(low, high);

  const std::vector<JointIndex> largest = largest_candidates(skeleton, tree, shortest);
  // A chain of leaves at one place halves its length each time, but not below this, which is more
  // than the spacing of numbers there.
  const double floor = std::max(shortest > 0 ? 2 * shortest : 1e-6 * fallback_length,
                                1e-13 * std::max(length(low), length(high)));
  const auto head_of = [&](int joint) -> const Vec3& {
    const int b = tree.bone_of_joint[joint];
    return skeleton.bones[b].head;
  };

  for (const int joint : tree.order) {
    if (tree.bone_of_joint[joint] < 0) continue;
    Bone bone = skeleton.bones[tree.bone_of_joint[joint]];
    const int parent = tree.above[joint];
    const Bone* above = parent == no_joint ? nullptr : &skeleton.bones[tree.bone_of_joint[parent]];

    // The best continuation of the parent's direction; at a root, the largest subtree.
    bone.tail_joint = largest[joint];
    if (above != nullptr && distance(above->head, bone.head) > shortest) {
      bone.tail_joint = no_joint;
      const Vec3 way = normalized(bone.head - above->head);
      double best = -infinity;
      for (const int child : candidates(skeleton, tree, bone, shortest)) {
        const double score = dot(normalized(head_of(child) - bone.head), way);
        if (score > best) {
          best = score;
          bone.tail_joint = child;
        }
      }
    }
    if (bone.tail_joint != no_joint) {
      bone.tail = head_of(bone.tail_joint);
    } else if (above != nullptr) {
      bone.tail = bone.head + (above->tail - above->head) * 0.5;
    } else {
      const Vec3 y = inverse(bone.inverse_bind).linear.y;
      bone.tail = bone.head + normalized(y, Vec3{0, 1, 0}) * fallback_length;
    }
    if (!(distance(bone.head, bone.tail) > floor / 2)) {
      bone.tail = bone.head + normalized(bone.tail - bone.head, Vec3{0, 1, 0}) * floor;
    }
    for (int b = tree.bone_of_joint[joint]; b >= 0; b = tree.next_bone[b]) {
      Bone& other = skeleton.bones[b];
      other.tail_joint = bone.tail_joint;
      // A bone of another skin may be bound elsewhere: use the same point in the joint's frame.
      other.tail =
          other.inverse_bind == bone.inverse_bind
              ? bone.tail
              : transform_point(inverse(other.inverse_bind) * bone.inverse_bind, bone.tail);
    }
  }
}

}  // namespace sinew
