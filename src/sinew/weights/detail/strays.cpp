// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/strays.h"

#include <algorithm>
#include <limits>

#include "sinew/skeleton/bones.h"

namespace sinew::detail {
namespace {

constexpr double least_share = 0.05;
constexpr double far_ratio = 4;            // times the path to the nearest bone, of another limb
constexpr double farthest_meeting = 0.75;  // from where limbs meet, in lengths of the nearest bone
// Up to so many times as far away as the nearest bone, a bone may be the nearest itself.
constexpr double rim_ratio = 1.1;
// A vertex beside the far half of its nearest bone, seen from another bone of the limb, does not
// belong to that other bone, if the path there is this many times as long as to the nearest.
constexpr double far_part = 0.5;
constexpr double past_ratio = 1.05;
constexpr double no_way = std::numeric_limits<double>::infinity();

// The bones that move something or lie between two that do.
std::vector<char> bones_in_use(const Skeleton& skeleton, const Weights& weights) {
  std::vector<char> used(skeleton.bones.size(), 0);
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    for (const Influence& i : weights.row(v)) {
      if (i.weight >= least_share) used[i.bone] = 1;
    }
  }
  std::vector<char> at(skeleton.joints.size(), 0);
  for (std::size_t b = 0; b < used.size(); ++b) {
    if (used[b] != 0) at[skeleton.bones[b].joint] = 1;
  }
  const std::vector<JointIndex> order = evaluation_order(skeleton);
  std::vector<char> above = at, below = at;
  for (const int joint : order) {
    const int parent = skeleton.joints[joint].parent;
    if (parent != no_joint && above[parent] != 0) above[joint] = 1;
  }
  for (auto joint = order.rbegin(); joint != order.rend(); ++joint) {
    const int parent = skeleton.joints[*joint].parent;
    if (parent != no_joint && below[*joint] != 0) below[parent] = 1;
  }
  for (std::size_t b = 0; b < used.size(); ++b) {
    const int joint = skeleton.bones[b].joint;
    if (above[joint] != 0 && below[joint] != 0) used[b] = 1;
  }
  return used;
}

// For each joint the nearest one from it upwards, itself left out, that has a bone.
std::vector<int> joints_above(const Skeleton& skeleton) {
  std::vector<char> has_bone(skeleton.joints.size(), 0);
  for (const Bone& bone : skeleton.bones) has_bone[bone.joint] = 1;
  std::vector<int> above(skeleton.joints.size(), no_joint);
  for (const int joint : evaluation_order(skeleton)) {
    const int parent = skeleton.joints[joint].parent;
    if (parent != no_joint) above[joint] = has_bone[parent] != 0 ? parent : above[parent];
  }
  return above;
}

// For each bone whether it is a leaf beside the chain of its limb: a kneecap, an eyelid.
std::vector<char> find_side_bones(const Skeleton& skeleton, const Limbs& limbs,
                                  const std::vector<int>& above) {
  const std::size_t count = skeleton.bones.size();
  std::vector<char> has_child(skeleton.joints.size(), 0), is_side(count, 0);
  for (const Bone& bone : skeleton.bones) {
    if (above[bone.joint] != no_joint) has_child[above[bone.joint]] = 1;
  }
  for (std::size_t b = 0; b < count; ++b) {
    const int joint = skeleton.bones[b].joint;
    if (has_child[joint] != 0) continue;
    for (std::size_t other = 0; other < count; ++other) {
      const bool is_sibling = other != b && limbs.of_bone[other] == limbs.of_bone[b] &&
                              above[skeleton.bones[other].joint] == above[joint];
      if (is_sibling) is_side[b] = 1;
    }
  }
  return is_side;
}

class Search {
 public:
  Search(const BoneWays& ways, const Skeleton& skeleton, const Limbs& limbs, const Weights& weights)
      : ways_(ways),
        skeleton_(skeleton),
        limbs_(limbs),
        weights_(weights),
        above_(joints_above(skeleton)),
        used_(bones_in_use(skeleton, weights)),
        is_side_(find_side_bones(skeleton, limbs, above_)) {
    depth_.assign(skeleton.joints.size(), 0);
    for (const int joint : evaluation_order(skeleton)) {
      if (above_[joint] != no_joint) depth_[joint] = depth_[above_[joint]] + 1;
    }
    constexpr Index none = std::numeric_limits<Index>::max();
    source_.assign(ways.welded().positions.size(), none);
    main_.assign(source_.size(), -1);
    for (std::size_t v = weights.vertex_count(); v-- > 0;) {
      source_[ways.welded().representative_of[v]] = static_cast<Index>(v);
    }
    for (std::size_t v = 0; v < source_.size(); ++v) {
      if (source_[v] == none) continue;
      double most = 0;
      for (const Influence& i : weights.row(source_[v])) {
        if (i.weight <= most) continue;
        most = i.weight;
        main_[v] = i.bone;
      }
    }
    to_bone_.resize(skeleton.bones.size());
    to_limb_.resize(limbs.count);
  }

  std::vector<char> strays() {
    std::vector<Index> found = in_doubt();
    if (!found.empty()) find_nearest();
    std::erase_if(found,
                  [&](Index v) { return follows(v, [&](int bone) { return is_near(v, bone); }); });
    std::vector<char> is_stray(main_.size(), 0);
    for (const Index v : found) is_stray[v] = 1;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const Index next : ways_.neighbors()[found[i]]) {
        if (is_stray[next] != 0 || main_[next] != main_[found[i]]) continue;
        if (follows(next, [&](int bone) { return is_nearest(next, bone); })) continue;
        is_stray[next] = 1;
        found.push_back(next);
      }
    }
    return is_stray;
  }

 private:
  // Whether bones that are `near` have a share of the vertex.
  template <class Near>
  bool follows(Index v, const Near& near) {
    double share = 0;
    for (const Influence& i : weights_.row(source_[v])) {
      if (i.weight > 0 && near(i.bone)) share += i.weight;
    }
    return share >= least_share;
  }

  // What the vertices see settles most, without a search for paths.
  std::vector<Index> in_doubt() {
    constexpr int unknown = -1, several = -2;
    std::vector<int> of_part(main_.size(), unknown);
    for (std::size_t v = 0; v < main_.size(); ++v) {
      if (main_[v] < 0) continue;
      int& known = of_part[ways_.part(v)];
      known = known == unknown || known == main_[v] ? main_[v] : several;
    }
    std::vector<Index> result;
    for (std::size_t v = 0; v < main_.size(); ++v) {
      const Index part = ways_.part(v);
      if (main_[v] < 0 || of_part[part] != several || ways_.is_blind(part)) continue;
      const auto seen = ways_.near_in_sight(v);
      const auto nearest =
          std::find_if(seen.begin(), seen.end(), [&](int bone) { return used_[bone] != 0; });
      const Vec3& place = ways_.welded().positions[v];
      const auto is_seen = [&](int bone) {
        if (std::find(seen.begin(), seen.end(), bone) == seen.end()) return false;
        if (nearest == seen.end() || !is_past(v, bone, *nearest)) return true;
        return distance_squared(ways_.bone(bone), place) <=
               past_ratio * past_ratio * distance_squared(ways_.bone(*nearest), place);
      };
      if (!follows(static_cast<Index>(v), is_seen)) result.push_back(static_cast<Index>(v));
    }
    return result;
  }

  void find_nearest() {
    const bool all = std::find(used_.begin(), used_.end(), 0) == used_.end();
    nearest_ = all ? ways_.ways_to_nearest() : ways_.ways(used_);
  }

  bool is_near(Index v, int bone) {
    const double way = to_bone(bone)[v], near = BoneWays::near_ratio * nearest_[v];
    if (way <= near) return way <= past_ratio * nearest_[v] || !is_past_nearest(v, bone);
    if (is_where_limbs_meet(v, bone)) return true;
    return way <= far_ratio * nearest_[v] && to_limb(limbs_.of_bone[bone])[v] > near;
  }

  bool is_nearest(Index v, int bone) {
    return to_bone(bone)[v] <= rim_ratio * nearest_[v] || is_where_limbs_meet(v, bone);
  }

  // Whether `nearest`, another bone of the same limb, lies between the vertex and `bone` by more
  // than half of its length.
  bool is_past(std::size_t v, int bone, int nearest) const {
    if (limbs_.of_bone[bone] != limbs_.of_bone[nearest]) return false;
    if (is_side_[bone] != 0 || is_side_[nearest] != 0) return false;
    const int depth = depth_[skeleton_.bones[bone].joint],
              nearest_depth = depth_[skeleton_.bones[nearest].joint];
    const double along = closest_on(ways_.bone(nearest), ways_.welded().positions[v]);
    return depth < nearest_depth ? along > far_part : depth > nearest_depth && along < 1 - far_part;
  }

  bool is_past_nearest(Index v, int bone) {
    for (std::size_t b = 0; b < to_bone_.size(); ++b) {
      const int other = static_cast<int>(b);
      if (used_[b] == 0 || !is_past(v, bone, other)) continue;
      if (to_bone(other)[v] <= (1 + 1e-9) * nearest_[v]) return true;
    }
    return false;
  }

  // Whether the nearest bone, or one nearly as near, branches from this one or this one from it.
  bool is_where_limbs_meet(Index v, int bone) {
    for (std::size_t b = 0; b < to_bone_.size(); ++b) {
      const int other = static_cast<int>(b);
      if (limbs_.of_bone[b] == limbs_.of_bone[bone]) continue;
      const int one = skeleton_.bones[bone].joint, two = skeleton_.bones[b].joint;
      if (one != two && above_[one] != two && above_[two] != one) continue;
      const Segment& child = ways_.bone(above_[one] == two ? bone : other);
      const double reach = farthest_meeting * length(ways_.bone(b).arm);
      if (distance(ways_.welded().positions[v], child.head) > reach) continue;
      if (to_bone(other)[v] <= rim_ratio * nearest_[v]) return true;
    }
    return false;
  }

  // The lengths of the paths; 0 to a bone outside the shape, and where there is none.
  const std::vector<double>& to_bone(int bone) {
    std::vector<double>& lengths = to_bone_[bone];
    if (lengths.empty()) {
      std::vector<char> wanted(to_bone_.size(), 0);
      wanted[bone] = 1;
      lengths =
          ways_.are_outside(wanted) ? std::vector<double>(main_.size(), 0.0) : ways_.ways(wanted);
      std::replace(lengths.begin(), lengths.end(), no_way, 0.0);
    }
    return lengths;
  }

  const std::vector<double>& to_limb(int limb) {
    std::vector<double>& lengths = to_limb_[limb];
    if (lengths.empty()) {
      std::vector<char> wanted;
      for (const int of_bone : limbs_.of_bone) wanted.push_back(of_bone == limb ? 1 : 0);
      lengths = ways_.ways(wanted);
    }
    return lengths;
  }

  const BoneWays& ways_;
  const Skeleton& skeleton_;
  const Limbs& limbs_;
  const Weights& weights_;
  std::vector<int> above_;       // for each joint, the nearest above it that has a bone
  std::vector<char> used_;       // for each bone, see bones_in_use()
  std::vector<char> is_side_;    // for each bone
  std::vector<int> depth_;       // for each joint, how many that have bones are above it
  std::vector<Index> source_;    // for each vertex of the welded mesh, the one with its weights
  std::vector<int> main_;        // the bone with the largest weight; -1 for none
  std::vector<double> nearest_;  // paths to the nearest bone in use
  std::vector<std::vector<double>> to_bone_, to_limb_;  // as far as they are known
};

}  // namespace

std::vector<char> find_strays(const BoneWays& ways, const Skeleton& skeleton, const Limbs& limbs,
                              const Weights& weights) {
  return Search(ways, skeleton, limbs, weights).strays();
}

}  // namespace sinew::detail
