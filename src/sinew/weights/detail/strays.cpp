// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/strays.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/parallel.h"
#include "sinew/core/rows.h"
#include "sinew/skeleton/bones.h"
#include "sinew/weights/detail/bone_use.h"
#include "sinew/weights/detail/numbers.h"

namespace sinew::detail {
namespace {

constexpr double reach = 1.5;  // of a bone beyond the skin nearest to it, in depths
constexpr double rim = 0.1;    // in depths; so near to that skin, it may be part of it
// From where a limb begins, in lengths of its first bone.
constexpr double farthest_meeting = 1.0 / 3;
// Bones at most so many times as far away are as near.
constexpr double tie_ratio = 1.01;
constexpr double no_way = std::numeric_limits<double>::infinity();

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
  Search(const BoneWays& ways, const Skeleton& skeleton, const Limbs& limbs, const Weights& weights,
         const std::vector<char>& with_skin)
      : ways_(ways),
        skeleton_(skeleton),
        limbs_(limbs),
        weights_(weights),
        above_(joints_above(skeleton)),
        used_(bones_in_use(skeleton, with_skin)),
        is_side_(find_side_bones(skeleton, limbs, above_)) {
    level_.assign(skeleton.joints.size(), 0);
    for (const int joint : evaluation_order(skeleton)) {
      if (above_[joint] != no_joint) level_[joint] = level_[above_[joint]] + 1;
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
    beyond_.resize(skeleton.bones.size());
    to_bone_.resize(skeleton.bones.size());
  }

  std::vector<char> strays() {
    std::vector<Index> found = in_doubt();
    if (!found.empty()) find_depths(found);
    std::erase_if(found, [&](Index v) {
      return follows(v, [&](int bone) { return reaches(bone, v, reach); });
    });
    std::vector<char> is_stray(main_.size(), 0);
    for (const Index v : found) is_stray[v] = 1;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const Index next : ways_.neighbors()[found[i]]) {
        if (is_stray[next] != 0 || main_[next] != main_[found[i]]) continue;
        if (follows(next, [&](int bone) { return reaches(bone, next, rim); })) continue;
        is_stray[next] = 1;
        found.push_back(next);
      }
    }
    return is_stray;
  }

 private:
  // Whether bones that are `near` have a share of the vertex.
  template <class Near>
  bool follows(Index v, const Near& near) const {
    double share = 0;
    for (const Influence& i : weights_.row(source_[v])) {
      if (i.weight > 0 && near(i.bone)) share += i.weight;
      if (share >= least_share) return true;
    }
    return false;
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
    std::vector<char> doubt(main_.size(), 0);
    parallel_for(main_.size(), 512, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) {
        const Index part = ways_.part(v);
        if (main_[v] < 0 || of_part[part] != several || ways_.is_blind(part)) continue;
        NearBones near(ways_, v);
        const auto is_seen = [&](int bone) { return near.is_nearest(bone, used_, tie_ratio); };
        if (!follows(static_cast<Index>(v), is_seen)) doubt[v] = 1;
      }
    });
    std::vector<Index> result;
    for (std::size_t v = 0; v < doubt.size(); ++v) {
      if (doubt[v] != 0) result.push_back(static_cast<Index>(v));
    }
    return result;
  }

  void find_depths(const std::vector<Index>& doubtful) {
    const bool all = std::find(used_.begin(), used_.end(), 0) == used_.end();
    depth_ = all ? ways_.ways_to_nearest() : ways_.ways(used_);
    const auto include = [&](double depth, double times) {
      if (depth < no_way) farthest_ = std::max(farthest_, depth * times);
    };
    for (const double depth : depth_) include(depth, rim);
    for (const Index v : doubtful) include(depth_[v], reach);
    find_vertices_beside_bones();
  }

  // For each bone the vertices that see some bone and are as near to this one as to the nearest, to
  // a hundredth.
  void find_vertices_beside_bones() {
    constexpr std::size_t block_size = 4096;
    struct Place {
      int bone;
      Index vertex;
    };
    std::vector<std::vector<Place>> blocks((depth_.size() + block_size - 1) / block_size);
    parallel_for(depth_.size(), block_size, [&](std::size_t begin, std::size_t end) {
      std::vector<double> squared(beyond_.size());
      for (std::size_t v = begin; v < end; ++v) {
        if (ways_.nearest_in_sight(v) == no_bone) continue;
        ways_.measure(v, squared);
        for (std::size_t b = 0; b < squared.size(); ++b) {
          if (std::sqrt(squared[b]) - tie_ratio * depth_[v] > 0) continue;
          blocks[begin / block_size].push_back({static_cast<int>(b), static_cast<Index>(v)});
        }
      }
    });
    beside_ = rows_by_key<Index>(beyond_.size(), [&](const auto& add) {
      for (const auto& block : blocks) {
        for (const Place& place : block) add(at(place.bone), place.vertex);
      }
    });
  }

  // Whether the bone may move a vertex at most so many depths beyond the skin nearest to it.
  bool reaches(int bone, Index v, double depths) {
    std::vector<char> wanted(beyond_.size(), 0);
    wanted[bone] = 1;
    if (ways_.are_outside(wanted)) return true;
    const double beyond = beyond_skin(bone)[v];
    if (beyond <= rim * depth_[v] || is_where_limbs_meet(v, bone)) return true;
    if (beyond <= depths * depth_[v]) return !is_past_another(v, bone);
    if (beyond < no_way) return false;
    const double way = to_bone(bone)[v];
    return way == no_way || way <= BoneWays::near_ratio * depth_[v];
  }

  // Whether a bone of the same limb is the nearest, and the vertex beside the half of it that is
  // farther from this one.
  bool is_past_another(Index v, int bone) {
    const Vec3& place = ways_.welded().positions[v];
    if (is_side_[bone] != 0 || distance_squared(ways_.bone(bone), place) <= depth_[v] * depth_[v]) {
      return false;
    }
    for (std::size_t b = 0; b < beyond_.size(); ++b) {
      const int other = static_cast<int>(b);
      if (other == bone || used_[b] == 0 || is_side_[b] != 0) continue;
      if (limbs_.of_bone[b] != limbs_.of_bone[bone]) continue;
      const int level = level_[skeleton_.bones[bone].joint],
                other_level = level_[skeleton_.bones[b].joint];
      const double along = closest_on(ways_.bone(b), place);
      const bool is_past = level < other_level ? along > 0.5 : level > other_level && along < 0.5;
      if (is_past && beyond_skin(other)[v] == 0) return true;
    }
    return false;
  }

  // Whether the nearest bone is the first of a limb that branches from this one, and begins close
  // to the vertex.
  bool is_where_limbs_meet(Index v, int bone) {
    for (std::size_t b = 0; b < beyond_.size(); ++b) {
      if (limbs_.of_bone[b] == limbs_.of_bone[bone]) continue;
      const int joint = skeleton_.bones[bone].joint, other = skeleton_.bones[b].joint;
      if (other != joint && above_[other] != joint) continue;
      const Segment& first = ways_.bone(b);
      const double farthest = farthest_meeting * length(first.arm);
      if (distance(ways_.welded().positions[v], first.head) > farthest) continue;
      if (beyond_skin(static_cast<int>(b))[v] <= rim * depth_[v]) return true;
    }
    return false;
  }

  // For each vertex how far along the surface it is to the skin that the bone is nearest to, of all
  // bones in use; infinite where none is, and maybe too far where it is farther than is asked for.
  const std::vector<double>& beyond_skin(int bone) {
    std::vector<double>& lengths = beyond_[bone];
    if (!lengths.empty()) return lengths;
    const std::size_t n = main_.size();
    lengths.assign(n, no_way);
    const auto& places = ways_.welded().positions;
    // Below 0 where the bone is the nearest, to a hundredth.
    const auto excess = [&](std::size_t v) {
      return std::sqrt(distance_squared(ways_.bone(bone), places[v])) - tie_ratio * depth_[v];
    };
    const std::span<const Index> candidates = beside_[at(bone)];
    std::vector<char> is_own(candidates.size(), 0);
    parallel_for(candidates.size(), 512, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        NearBones near(ways_, candidates[i]);
        is_own[i] = near.is_nearest(bone, used_, tie_ratio) ? 1 : 0;
      }
    });
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (is_own[i] == 0) continue;
      const Index v = candidates[i];
      lengths[v] = 0;
      // The skin ends somewhere on the edge to a vertex of another bone.
      const double here = std::min(excess(v), 0.0);
      for (const Index next : ways_.neighbors()[v]) {
        const double there = std::max(excess(next), 0.0);
        const double part = there > here ? there / (there - here) : 0.0;
        lengths[next] = std::min(lengths[next], part * distance(places[v], places[next]));
      }
    }
    return lengths = ways_.spread(std::move(lengths), farthest_);
  }

  const std::vector<double>& to_bone(int bone) {
    std::vector<double>& lengths = to_bone_[bone];
    if (lengths.empty()) {
      std::vector<char> wanted(to_bone_.size(), 0);
      wanted[bone] = 1;
      lengths = ways_.ways(wanted);
    }
    return lengths;
  }

  const BoneWays& ways_;
  const Skeleton& skeleton_;
  const Limbs& limbs_;
  const Weights& weights_;
  std::vector<int> above_;     // for each joint, the nearest above it that has a bone
  std::vector<char> used_;     // for each bone, see bone_use.h
  std::vector<char> is_side_;  // for each bone
  std::vector<int> level_;     // for each joint, how many that have bones are above it
  std::vector<Index> source_;  // for each vertex of the welded mesh, the one with its weights
  std::vector<int> main_;      // the bone with the largest weight; -1 for none
  std::vector<double> depth_;  // paths to the nearest bone in use
  Rows<Index> beside_;         // for each bone, the vertices beside it
  double farthest_ = 0;        // of the lengths beyond a bone's skin that decide anything
  std::vector<std::vector<double>> beyond_, to_bone_;  // for each bone, as far as they are known
};

}  // namespace

std::vector<char> find_strays(const BoneWays& ways, const Skeleton& skeleton, const Limbs& limbs,
                              const Weights& weights, const std::vector<char>& with_skin) {
  return Search(ways, skeleton, limbs, weights, with_skin).strays();
}

}  // namespace sinew::detail
