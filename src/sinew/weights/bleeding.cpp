// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/bleeding.h"

#include <algorithm>
#include <limits>

#include "sinew/core/parallel.h"
#include "sinew/skeleton/limbs.h"
#include "sinew/weights/detail/bone_use.h"
#include "sinew/weights/detail/bone_ways.h"
#include "sinew/weights/detail/in_scene.h"
#include "sinew/weights/detail/numbers.h"
#include "sinew/weights/detail/strays.h"

namespace sinew {
namespace {

using detail::at;
using detail::BoneWays;

constexpr double far_ratio = 4;  // times the way to the nearest bone
constexpr double detour = 1.25;  // a way longer than so many straight lines leads around a gap
constexpr double long_detour = 2;

// A vertex, its place in the welded mesh, and the limb that has most of it.
struct Tied {
  Index vertex;
  Index welded;
  int limb;
};

class Judge {
 public:
  Judge(detail::BoneScene& scene, const Weights& weights)
      : weights_(weights), limbs_(find_limbs(scene.skeleton())), ways_(scene) {
    const Skeleton& skeleton = scene.skeleton();
    const auto bones = skeleton.bones.size();
    own_.assign(at(limbs_.count), std::vector<char>(bones, 0));
    next_ = own_;
    for (std::size_t b = 0; b < bones; ++b) {
      own_[limbs_.of_bone[b]][b] = 1;
      for (int limb = 0; limb < limbs_.count; ++limb) {
        if (limbs_.connected(limb, limbs_.of_bone[b])) next_[limb][b] = 1;
      }
    }
    for (const auto& bones_of_limb : own_) {
      outside_.push_back(ways_.are_outside(bones_of_limb) ? 1 : 0);
    }
    find_limbs_of_vertices();
    const std::vector<char> with_skin = detail::bones_with_skin(ways_, weights);
    parallel_for(2, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        if (i == 0) is_stray_ = detail::find_strays(ways_, skeleton, limbs_, weights, with_skin);
        if (i == 1) find_doubts();
      }
    });
    idle_ = detail::find_idle_bones(ways_, skeleton, with_skin);
  }

  const std::vector<BoneIndex>& idle_bones() const { return idle_; }

  // Those tied to a foreign limb, ascending.
  std::vector<Tied> foreign() const {
    std::vector<std::vector<Tied>> of_limb(at(limbs_.count));
    std::vector<Tied> result;
    for (const Tied& tied : in_doubt()) {
      if (is_stray_[tied.welded] != 0) {
        result.push_back(tied);
      } else {
        of_limb[tied.limb].push_back(tied);
      }
    }
    // For each limb, the vertices in doubt of it and of limbs next to it, and their ways to it.
    std::vector<std::vector<Index>> asked(own_.size());
    std::vector<std::vector<double>> ways(own_.size());
    for (int limb = 0; limb < limbs_.count; ++limb) {
      for (int other = 0; other < limbs_.count; ++other) {
        if (limb != other && !limbs_.connected(other, limb)) continue;
        for (const Tied& tied : of_limb[other]) asked[limb].push_back(tied.welded);
      }
      std::sort(asked[limb].begin(), asked[limb].end());
    }
    parallel_for(asked.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t limb = begin; limb < end; ++limb) {
        if (!asked[limb].empty()) ways[limb] = ways_.ways(own_[limb], asked[limb]);
      }
    });
    const auto to_limb = [&](std::size_t limb, Index welded) {
      const auto& list = asked[limb];
      return ways[limb][std::lower_bound(list.begin(), list.end(), welded) - list.begin()];
    };
    const bool any = std::any_of(of_limb.begin(), of_limb.end(),
                                 [](const std::vector<Tied>& list) { return !list.empty(); });
    const std::vector<double> nearest = any ? ways_.ways_to_nearest() : std::vector<double>();
    for (std::size_t limb = 0; limb < of_limb.size(); ++limb) {
      for (const Tied& tied : of_limb[limb]) {
        const double least = nearest[tied.welded], own = to_limb(limb, tied.welded);
        double next = own;
        for (int other = 0; other < limbs_.count; ++other) {
          if (limbs_.connected(static_cast<int>(limb), other)) {
            next = std::min(next, to_limb(at(other), tied.welded));
          }
        }
        const double straight = ways_.straight(tied.welded, own_[limb]);
        const bool gap = own > detour * straight;
        const bool far = next > BoneWays::near_ratio * least &&
                         own > (gap ? BoneWays::near_ratio : far_ratio) * least;
        const bool across = own > (own > long_detour * straight ? detour : far_ratio) * least;
        // If there is no path at all, its length says nothing.
        const bool has_way = own < std::numeric_limits<double>::infinity();
        if (far || (gap && has_way && across)) result.push_back(tied);
      }
    }
    std::sort(result.begin(), result.end(),
              [](const Tied& a, const Tied& b) { return a.vertex < b.vertex; });
    return result;
  }

  // The bone of the limb that has most of the vertex, of equal ones the lowest.
  int strongest_bone(const Tied& tied) const {
    int bone = -1;
    double most = 0;
    for (const Influence& influence : weights_.row(tied.vertex)) {
      if (limbs_.of_bone[influence.bone] != tied.limb || influence.weight <= most) continue;
      most = influence.weight;
      bone = influence.bone;
    }
    return bone;
  }

 private:
  // The limb with the largest weight, of equal ones the lowest; -1 where there is no weight.
  int strongest_limb(std::size_t vertex, std::vector<double>& sums) const {
    sums.assign(at(limbs_.count), 0.0);
    for (const Influence& influence : weights_.row(vertex)) {
      sums[limbs_.of_bone[influence.bone]] += influence.weight;
    }
    const auto most = std::max_element(sums.begin(), sums.end());
    return *most > 0 ? static_cast<int>(most - sums.begin()) : -1;
  }

  // Which limb has most of each vertex, and which parts follow a single one.
  void find_limbs_of_vertices() {
    constexpr int unknown = -1, several = -2;
    std::vector<int> of_part(ways_.welded().positions.size(), unknown);
    std::vector<double> sums;
    for (std::size_t v = 0; v < weights_.vertex_count(); ++v) {
      const int limb = strongest_limb(v, sums);
      limb_of_.push_back(limb);
      if (limb < 0) continue;
      int& known = of_part[ways_.part(ways_.welded().representative_of[v])];
      known = known == unknown || known == limb ? limb : several;
    }
    for (std::size_t part = 0; part < of_part.size(); ++part) {
      hangs_.push_back(of_part[part] >= 0 ? 1 : 0);
    }
  }

  // What the vertex sees settles most: a limb that is near, or in sight and next to a near one, is
  // not foreign; nor is one in sight that lies outside of the shape, and can move nothing else.
  bool is_in_doubt(Index v, int limb) const {
    const int nearest = ways_.nearest_in_sight(v);
    if (nearest != no_bone && own_[limb][nearest] != 0) return false;
    bool next_is_near = false;
    for (const int bone : ways_.near_in_sight(v)) {
      if (own_[limb][bone] != 0) return false;
      if (next_[limb][bone] != 0) next_is_near = true;
    }
    if (!next_is_near && outside_[limb] == 0) return true;
    return ways_.in_sight(v, own_[limb]) == std::numeric_limits<double>::infinity();
  }

  void find_doubts() {
    doubt_.assign(limb_of_.size(), 0);
    parallel_for(doubt_.size(), 512, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) {
        const Index welded = ways_.welded().representative_of[v];
        if (limb_of_[v] < 0 || hangs_[ways_.part(welded)] != 0) continue;
        doubt_[v] = is_in_doubt(welded, limb_of_[v]) ? 1 : 0;
      }
    });
  }

  std::vector<Tied> in_doubt() const {
    std::vector<Tied> all;
    for (std::size_t v = 0; v < limb_of_.size(); ++v) {
      const Index welded = ways_.welded().representative_of[v];
      if (limb_of_[v] < 0 || (is_stray_[welded] == 0 && doubt_[v] == 0)) continue;
      all.push_back({static_cast<Index>(v), welded, limb_of_[v]});
    }
    return all;
  }

  const Weights& weights_;
  Limbs limbs_;
  BoneWays ways_;
  std::vector<std::vector<char>> own_;   // for each limb, which bones are its own
  std::vector<std::vector<char>> next_;  // the same, with those of limbs next to it
  std::vector<char> outside_;            // for each limb, whether it is outside of the shape
  std::vector<int> limb_of_;             // for each vertex; -1 where it has no weight
  std::vector<char> hangs_;              // for each part, whether it follows one limb as a whole
  std::vector<char> doubt_;              // for each vertex, what is_in_doubt() says
  std::vector<char> is_stray_;           // for each vertex of the welded mesh
  std::vector<BoneIndex> idle_;
};

}  // namespace

Bleeding detail::find_bleeding(BoneScene& scene, const Weights& weights) {
  const std::size_t vertices = scene.mesh().vertex_count(), bones = scene.skeleton().bones.size();
  validate(weights, vertices, bones);
  Bleeding bleeding;
  if (bones == 0 || vertices == 0) return bleeding;
  const Judge judge(scene, weights);
  bleeding.idle_bones = judge.idle_bones();
  for (const Tied& tied : judge.foreign()) {
    bleeding.vertices.push_back(tied.vertex);
    bleeding.bones.push_back(judge.strongest_bone(tied));
  }
  return bleeding;
}

Bleeding find_bleeding(const Mesh& mesh, const Skeleton& skeleton, const Weights& weights) {
  detail::BoneScene scene(mesh, skeleton);
  return detail::find_bleeding(scene, weights);
}

}  // namespace sinew
