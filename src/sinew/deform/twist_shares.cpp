// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/twist_shares.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/deform/bone_tree.h"
#include "sinew/skeleton/body_parts.h"

namespace sinew {
namespace {

constexpr int none = -1;

// Finds the joints where skin is joined, and the width of the bones.
struct SkinFacts {
  std::vector<bool> is_joined;  // per bone: see TwistPlan
  std::vector<double> radius;   // per bone: mean distance of its vertices from its axis
  std::vector<bool> has_skin;   // per bone
};

class Rule {
 public:
  explicit Rule(const Rig& rig)
      : skeleton_(rig.skeleton), count_(rig.skeleton.bones.size()), tree_(bone_tree(skeleton_)) {
    find_family();
    if (rig.skin.weights.influences.empty()) {
      facts_ = {std::vector<bool>(count_, true), std::vector<double>(count_, 0),
                std::vector<bool>(count_, true)};
    } else {
      look_at_skin(rig);
    }
    find_roles();
  }

  TwistPlan plan() {
    TwistPlan result{roles_, std::vector<TwistShares>(count_), facts_.is_joined};
    for (std::size_t b = 0; b < count_; ++b) {
      const auto& said = skeleton_.joints[index(skeleton_.bones[b].joint)].twist_shares;
      result.shares[b] = said ? *said : shares_of(b);
    }
    return result;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  const Bone& bone(std::size_t b) const { return skeleton_.bones[b]; }
  double length_of(std::size_t b) const { return distance(bone(b).head, bone(b).tail); }
  Vec3 direction(std::size_t b) const { return normalized(bone(b).tail - bone(b).head); }
  bool is_frame(std::size_t b) const { return skeleton_.joints[index(bone(b).joint)].is_frame; }

  void find_family() {
    children_.resize(count_);
    next_.assign(count_, none);
    reach_.assign(count_, 0);
    parts_.reserve(count_);
    for (std::size_t b = 0; b < count_; ++b) {
      parts_.push_back(body_part(skeleton_.joints[index(bone(b).joint)].name));
      const int parent = tree_.parents[b];
      if (parent < 0) continue;
      children_[index(parent)].push_back(b);
      if (bone(index(parent)).tail_joint == bone(b).joint) next_[index(parent)] = int(b);
    }
    depths_.assign(count_, 0);
    for (const int b : tree_.order) {
      const int parent = tree_.parents[index(b)];
      if (parent >= 0) depths_[index(b)] = depths_[index(parent)] + 1;
    }
    // Leaves first.
    for (auto it = tree_.order.rbegin(); it != tree_.order.rend(); ++it) {
      const auto b = index(*it);
      reach_[b] = std::max(reach_[b], length_of(b));
      const int parent = tree_.parents[b];
      if (parent < 0) continue;
      double& above = reach_[index(parent)];
      above = std::max(above, distance(bone(index(parent)).head, bone(b).head) + reach_[b]);
    }
  }

  // Marks the heads between the bones of one vertex: on the path from each bone to their common
  // ancestor. Returns whether there is one with at least 5% of the weight on either side.
  bool join(std::span<const Influence> row, double sum) {
    std::vector<Influence>& moving = moving_;
    moving.assign(row.begin(), row.end());
    const auto is_deeper = [&](const Influence& a, const Influence& b) {
      return depths_[index(a.bone)] < depths_[index(b.bone)];
    };
    bool is_blended = false;
    while (moving.size() > 1) {
      const auto deepest = std::max_element(moving.begin(), moving.end(), is_deeper);
      const Influence below = *deepest;
      const int parent = tree_.parents[index(below.bone)];
      if (parent < 0) break;
      if (below.weight > 0.05 * sum && below.weight < 0.95 * sum) {
        facts_.is_joined[index(below.bone)] = true;
        is_blended = true;
      }
      moving.erase(deepest);
      const auto there = std::find_if(moving.begin(), moving.end(),
                                      [&](const Influence& other) { return other.bone == parent; });
      if (there != moving.end()) {
        there->weight += below.weight;
      } else {
        moving.push_back({parent, below.weight});
      }
    }
    return is_blended;
  }

  void look_at_skin(const Rig& rig) {
    facts_ = {std::vector<bool>(count_, false), std::vector<double>(count_, 0),
              std::vector<bool>(count_, false)};
    const Weights& weights = rig.skin.weights;
    std::size_t blended = 0;
    std::vector<double> mass(count_, 0);
    std::vector<int> leading(weights.vertex_count(), none);
    for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
      double sum = 0, most = 0;
      for (const Influence& influence : weights.row(v)) {
        const auto b = index(influence.bone);
        sum += influence.weight;
        if (influence.weight > most) {
          most = influence.weight;
          leading[v] = influence.bone;
        }
        facts_.has_skin[b] = facts_.has_skin[b] || influence.weight > 0;
        const Vec3 offset = rig.mesh.positions[v] - bone(b).head;
        facts_.radius[b] += influence.weight * length(cross(direction(b), offset));
        mass[b] += influence.weight;
      }
      if (join(weights.row(v), sum)) ++blended;
    }
    for (std::size_t b = 0; b < count_; ++b) {
      if (mass[b] > 0) facts_.radius[b] /= mass[b];
    }
    const bool is_machine = double(blended) < 0.01 * double(weights.vertex_count());
    if (is_machine) {
      facts_.is_joined.assign(count_, false);
    } else {
      join_by_triangles(rig.mesh, leading);
    }
    skip_what_has_no_skin();
  }

  void join_by_triangles(const Mesh& mesh, const std::vector<int>& leading) {
    std::set<std::pair<int, int>> pairs;
    for (const auto& triangle : mesh.triangles) {
      for (std::size_t k = 0; k < 3; ++k) {
        const int a = leading[triangle[k]], b = leading[triangle[(k + 1) % 3]];
        if (a != b && a >= 0 && b >= 0) pairs.emplace(std::min(a, b), std::max(a, b));
      }
    }
    for (const auto& [a, b] : pairs) join(std::array{Influence{a, 1}, Influence{b, 1}}, 2);
  }

  // If a side has no skin, nothing can tear.
  void skip_what_has_no_skin() {
    std::vector<bool> below = facts_.has_skin, above(count_, false);
    for (auto it = tree_.order.rbegin(); it != tree_.order.rend(); ++it) {
      const int parent = tree_.parents[index(*it)];
      if (parent >= 0 && below[index(*it)]) below[index(parent)] = true;
    }
    for (const int bone : tree_.order) {
      const auto b = index(bone);
      const int parent = tree_.parents[b];
      above[b] = parent >= 0 && (above[index(parent)] || facts_.has_skin[index(parent)]);
      if (!below[b] || !above[b]) facts_.is_joined[b] = true;
    }
  }

  bool is_leaf(std::size_t b) const { return children_[b].empty(); }

  // A leaf that its parent bone does not point to, and that is short or lies beside it.
  bool is_helper(std::size_t b) const {
    const int parent = tree_.parents[b];
    if (parent < 0 || !is_leaf(b) || next_[index(parent)] == int(b)) return false;
    if (parts_[b] == BodyPart::twist) return true;
    const auto p = index(parent);
    const double along = dot(bone(b).head - bone(p).head, direction(p)) / length_of(p);
    const bool lies_beside = along > 0.1 && along < 0.9 && length_of(b) < 0.75 * length_of(p);
    return length_of(b) < 0.25 * length_of(p) || lies_beside;
  }

  bool is_end_part(std::size_t b, std::size_t branches) const {
    if (parts_[b] == BodyPart::end) return true;
    if (next_[b] == none && branches == 0) return true;
    const int parent = tree_.parents[b];
    if (parent < 0) return false;
    const double beside = reach_[b] / length_of(index(parent));
    if (branches == 0) return beside < 0.6;
    const bool is_named = parts_[b] == BodyPart::chain || parts_[b] == BodyPart::limb;
    const bool all_are_leaves = std::all_of(children_[b].begin(), children_[b].end(),
                                            [&](std::size_t c) { return is_leaf(c); });
    return !is_named && (beside < 1 || all_are_leaves);
  }

  void find_roles() {
    roles_.assign(count_, BoneRole::other);
    for (std::size_t b = 0; b < count_; ++b) {
      if (is_frame(b)) {
        roles_[b] = BoneRole::rigid;
      } else if (is_helper(b)) {
        roles_[b] = BoneRole::helper;
      }
    }
    for (std::size_t b = 0; b < count_; ++b) {
      if (roles_[b] != BoneRole::other || !facts_.has_skin[b]) continue;
      std::size_t branches = 0;
      bool spreads_itself = false;
      for (const std::size_t c : children_[b]) {
        const bool is_twist = parts_[c] == BodyPart::twist && facts_.has_skin[c];
        spreads_itself |= is_twist;
        if (int(c) != next_[b] && roles_[c] != BoneRole::helper) ++branches;
      }
      const bool has_frame = end_frame(skeleton_, bone(b)) != no_joint;
      if (!facts_.is_joined[b]) {
        roles_[b] = BoneRole::rigid;
      } else if (!has_frame && is_end_part(b, branches)) {
        roles_[b] = BoneRole::end_part;
      } else if (branches > 0 || parts_[b] == BodyPart::trunk) {
        roles_[b] = BoneRole::trunk;
      } else if ((has_frame || next_[b] != none) && !spreads_itself) {
        roles_[b] = BoneRole::tube;
      }
    }
    leave_out_squat_ones();
  }

  bool is_tube(std::size_t b) const { return roles_[b] == BoneRole::tube; }

  // Whether c continues p, in about the same direction.
  bool goes_on(std::size_t p, std::size_t c) const {
    const double ratio = length_of(c) / length_of(p);
    return next_[p] == int(c) && dot(direction(p), direction(c)) > 0.866 && ratio > 0.6 &&
           ratio < 1 / 0.6;
  }

  // Consecutive bones that continue each other are a row. If a row is no longer than it is wide,
  // its bones are not tubes.
  void leave_out_squat_ones() {
    row_of_.assign(count_, 0);
    std::vector<double> length;
    for (const int bone : tree_.order) {
      const auto b = index(bone);
      const int parent = tree_.parents[b];
      if (parent >= 0 && goes_on(index(parent), b)) {
        row_of_[b] = row_of_[index(parent)];
      } else {
        row_of_[b] = row_sizes_.size();
        row_sizes_.push_back(0);
        length.push_back(0);
      }
      ++row_sizes_[row_of_[b]];
      if (is_tube(b)) length[row_of_[b]] += length_of(b);
    }
    for (std::size_t b = 0; b < count_; ++b) {
      if (is_tube(b) && length[row_of_[b]] <= facts_.radius[b]) roles_[b] = BoneRole::other;
    }
  }

  bool are_a_chain(std::size_t p, std::size_t c) const {
    if (parts_[p] == BodyPart::limb || parts_[c] == BodyPart::limb) return false;
    if (parts_[p] == BodyPart::chain && parts_[c] == BodyPart::chain) return true;
    return goes_on(p, c) && row_sizes_[row_of_[c]] >= 3;
  }

  TwistShares shares_of(std::size_t b) const {
    const int parent = tree_.parents[b];
    if (parent < 0 || !facts_.is_joined[b]) return {};
    const auto p = index(parent);
    const bool over = is_tube(p) && next_[p] == int(b), off = is_tube(b);
    if (over && off) return are_a_chain(p, b) ? TwistShares{0.5, 0.5} : TwistShares{0, 1};
    return {over ? 1.0 : 0.0, off ? 1.0 : 0.0};
  }

  const Skeleton& skeleton_;
  std::size_t count_;
  BoneTree tree_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<int> depths_;
  std::vector<Influence> moving_;  // of join
  std::vector<int> next_;          // the child that a bone points to, or none
  std::vector<double> reach_;      // from a bone's head, along bones, to the furthest tail below it
  std::vector<BodyPart> parts_;
  SkinFacts facts_;
  std::vector<BoneRole> roles_;
  std::vector<std::size_t> row_of_;     // per bone: see leave_out_squat_ones
  std::vector<std::size_t> row_sizes_;  // bones of each row
};

}  // namespace

TwistPlan plan_twists(const Rig& rig) {
  const std::size_t rows = rig.skin.weights.vertex_count(), vertices = rig.mesh.vertex_count();
  if (!rig.skin.weights.influences.empty() && rows != vertices) {
    throw UsageError(formatted("{} rows of weights for {} vertices", rows, vertices));
  }
  const std::size_t bones = bones_used(rig.skin.weights), there = rig.skeleton.bones.size();
  if (bones > there) {
    throw UsageError(formatted("weights of {} bones for a skeleton of {}", bones, there));
  }
  return Rule(rig).plan();
}

}  // namespace sinew
