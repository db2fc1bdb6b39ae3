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
};

Tree make_tree(const Skeleton& skeleton) {
  Tree tree{children_of(skeleton), evaluation_order(skeleton), {}, {}, {}};
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
  return tree;
}

// The nearest joint above `joint` that has a bone; no_joint if there is none.
int parent_with_bone(const Skeleton& skeleton, const Tree& tree, int joint) {
  do {
    joint = skeleton.joints[joint].parent;
  } while (joint != no_joint && tree.bone_of_joint[joint] < 0);
  return joint;
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

  const auto head_of = [&](int joint) -> const Vec3& {
    const int b = tree.bone_of_joint[joint];
    return skeleton.bones[b].head;
  };

  for (const int joint : tree.order) {
    if (tree.bone_of_joint[joint] < 0) continue;
    Bone bone = skeleton.bones[tree.bone_of_joint[joint]];
    const int parent = parent_with_bone(skeleton, tree, joint);
    const Bone* above = parent == no_joint ? nullptr : &skeleton.bones[tree.bone_of_joint[parent]];

    bone.tail_joint = no_joint;
    double best = -infinity;
    for (const int child : candidates(skeleton, tree, bone, shortest)) {
      // The best continuation of the parent's direction; at a root, the largest subtree.
      const bool has_way = above != nullptr && distance(above->head, bone.head) > shortest;
      const double score =
          has_way ? dot(normalized(head_of(child) - bone.head), normalized(bone.head - above->head))
                  : tree.subtree[child];
      if (score > best) {
        best = score;
        bone.tail_joint = child;
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
    // A chain of leaves at one place halves its length each time: keep it above the floor.
    if (!(distance(bone.head, bone.tail) > shortest)) {
      const double floor = shortest > 0 ? 2 * shortest : fallback_length;
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
