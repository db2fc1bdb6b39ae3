// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/bone_use.h"

#include <algorithm>

#include "sinew/skeleton/bones.h"

namespace sinew::detail {
namespace {

constexpr std::size_t fewest_around = 3;
constexpr double widest_tie = 1.25;

// For each joint whether a bone that is marked starts at it or above it.
std::vector<char> at_or_below(const Skeleton& skeleton, const std::vector<char>& marked) {
  std::vector<char> below(skeleton.joints.size(), 0);
  for (std::size_t b = 0; b < marked.size(); ++b) {
    if (marked[b] != 0) below[skeleton.bones[b].joint] = 1;
  }
  for (const int joint : evaluation_order(skeleton)) {
    const int parent = skeleton.joints[joint].parent;
    if (parent != no_joint && below[parent] != 0) below[joint] = 1;
  }
  return below;
}

}  // namespace

bool NearBones::is_nearest(int bone, const std::vector<char>& counted, double ratio) {
  const int nearest = ways_.nearest_in_sight(v_);
  if (nearest == no_bone) return false;
  const Vec3& place = ways_.welded().positions[v_];
  const double squared = distance_squared(ways_.bone(bone), place) / (ratio * ratio);
  const auto is_nearer = [&](int other) {
    if (!counted.empty() && counted[other] == 0) return false;
    return distance_squared(ways_.bone(other), place) < squared;
  };
  if (is_nearer(nearest)) return false;
  // Most have no other bone around, seen or not.
  if (bone == nearest && !ways_.any_closer(v_, squared)) return true;
  if (!near_) near_ = ways_.near_in_sight(v_);
  return std::find(near_->begin(), near_->end(), bone) != near_->end() &&
         std::none_of(near_->begin(), near_->end(), is_nearer);
}

std::vector<char> bones_with_skin(const BoneWays& ways, const Weights& weights) {
  std::vector<char> result(ways.bone_count(), 0);
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    NearBones near(ways, ways.welded().representative_of[v]);
    for (const Influence& i : weights.row(v)) {
      if (i.weight < least_share || result[i.bone] != 0) continue;
      if (near.is_nearest(i.bone, {}, widest_tie)) result[i.bone] = 1;
    }
  }
  return result;
}

std::vector<char> bones_in_use(const Skeleton& skeleton, const std::vector<char>& with_skin) {
  const std::vector<char> below = at_or_below(skeleton, with_skin);
  std::vector<char> above(skeleton.joints.size(), 0);
  for (std::size_t b = 0; b < with_skin.size(); ++b) {
    if (with_skin[b] != 0) above[skeleton.bones[b].joint] = 1;
  }
  const std::vector<JointIndex> order = evaluation_order(skeleton);
  for (auto joint = order.rbegin(); joint != order.rend(); ++joint) {
    const int parent = skeleton.joints[*joint].parent;
    if (parent != no_joint && above[*joint] != 0) above[parent] = 1;
  }
  std::vector<char> used = with_skin;
  for (std::size_t b = 0; b < used.size(); ++b) {
    const int joint = skeleton.bones[b].joint;
    if (below[joint] != 0 && above[joint] != 0) used[b] = 1;
  }
  return used;
}

std::vector<BoneIndex> find_idle_bones(const BoneWays& ways, const Skeleton& skeleton,
                                       const std::vector<char>& with_skin) {
  const std::size_t vertices = ways.welded().positions.size();
  std::vector<std::size_t> around(with_skin.size(), 0);
  for (std::size_t v = 0; v < vertices; ++v) {
    if (const int bone = ways.nearest_in_sight(v); bone != no_bone) ++around[bone];
  }
  const std::vector<char> below = at_or_below(skeleton, with_skin);
  std::vector<BoneIndex> idle;
  std::vector<char> wanted(with_skin.size(), 0);
  for (std::size_t b = 0; b < with_skin.size(); ++b) {
    if (with_skin[b] != 0 || around[b] < fewest_around) continue;
    if (below[skeleton.bones[b].joint] == 0 && 2 * around[b] < vertices) continue;
    wanted[b] = 1;
    if (!ways.are_outside(wanted)) idle.push_back(static_cast<int>(b));
    wanted[b] = 0;
  }
  return idle;
}

}  // namespace sinew::detail
