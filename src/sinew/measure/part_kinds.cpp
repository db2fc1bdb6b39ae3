// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "sinew/measure/parts.h"

namespace sinew {
namespace {

constexpr double farthest_fingers = 2;      // of the palm's length
constexpr double farthest_toes = 1;         // of the foot's
constexpr double most_unequal = 1.5;        // lengths in a chain of near-equals
constexpr double on_axis = 0.1;             // of the bone's length: helpers lie on it
const double foot_angle = radians(45);      // at least, at the ankle
const double straight_angle = radians(30);  // at most, in a chain of near-equals

class Tree {
 public:
  explicit Tree(const Skeleton& skeleton)
      : bones_(skeleton.bones), tree_(bone_tree(skeleton)), children_(bones_.size()) {
    for (std::size_t b = 0; b < bones_.size(); ++b) {
      if (tree_.parents[b] >= 0) children_[parent(b)].push_back(b);
    }
    reach_.resize(bones_.size());
    for (auto place = tree_.order.rbegin(); place != tree_.order.rend(); ++place) {
      const auto b = static_cast<std::size_t>(*place);
      double below = 0;
      for (const std::size_t child : children_[b]) below = std::max(below, reach_[child]);
      reach_[b] = bone_length(b) + below;
    }
  }

  PartKind kind(std::size_t b) const {
    const std::vector<std::size_t> branches = branches_of(b);
    const bool hangs = tree_.parents[b] >= 0;
    if (branches.empty()) return hangs && !continues_chain(b) ? PartKind::end : PartKind::limb;
    if (branches.size() == 1) {
      const bool is_foot = hangs && reach_[branches[0]] <= farthest_toes * bone_length(b) &&
                           angle_to_parent(b) > foot_angle;
      return is_foot ? PartKind::end : PartKind::limb;
    }
    const auto limbs = std::count_if(branches.begin(), branches.end(),
                                     [&](std::size_t child) { return !children_[child].empty(); });
    if (limbs == 1) return PartKind::limb;
    const bool is_palm = std::all_of(branches.begin(), branches.end(), [&](std::size_t child) {
      return reach_[child] <= farthest_fingers * bone_length(b);
    });
    return hangs && is_palm ? PartKind::end : PartKind::trunk;
  }

 private:
  std::size_t parent(std::size_t b) const { return static_cast<std::size_t>(tree_.parents[b]); }
  Vec3 along(std::size_t b) const { return bones_[b].tail - bones_[b].head; }
  double bone_length(std::size_t b) const { return length(along(b)); }

  double angle_to_parent(std::size_t b) const {
    const Vec3 own = along(b), above = along(parent(b));
    return std::atan2(length(cross(own, above)), dot(own, above));
  }

  bool continues_chain(std::size_t b) const {
    const double ratio = bone_length(b) / bone_length(parent(b));
    return branches_of(parent(b)).size() == 1 && ratio < most_unequal && ratio > 1 / most_unequal &&
           angle_to_parent(b) < straight_angle;
  }

  std::vector<std::size_t> branches_of(std::size_t b) const {
    const Vec3 u = normalized(along(b));
    const double own = bone_length(b);
    std::vector<std::size_t> branches;
    for (const std::size_t child : children_[b]) {
      const Vec3 at = bones_[child].head - bones_[b].head;
      const double t = dot(at, u) / own;
      const bool is_inside = t > on_axis && t < 1 - on_axis;
      const bool is_helper =
          children_[child].empty() && is_inside && length(at - u * dot(at, u)) < on_axis * own;
      if (!is_helper) branches.push_back(child);
    }
    return branches;
  }

  const std::vector<Bone>& bones_;
  BoneTree tree_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<double> reach_;  // from the bone's head to the farthest tail below it, along bones
};

}  // namespace

std::vector<PartKind> part_kinds(const Skeleton& skeleton) {
  const Tree tree(skeleton);
  std::vector<PartKind> kinds;
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) kinds.push_back(tree.kind(b));
  return kinds;
}

}  // namespace sinew
