// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/exclaves.h"

#include <algorithm>
#include <limits>

#include "sinew/skeleton/bones.h"

namespace sinew::detail {
namespace {

struct Exclave {
  int bone;
  std::vector<Index> vertices;
  std::vector<int> borders;  // the bones next to it, ascending
};

std::vector<Exclave> find_pieces(const Adjacency& neighbors, std::span<const int> bone_of) {
  std::vector<Exclave> pieces;
  std::vector<char> seen(bone_of.size(), 0);
  for (std::size_t first = 0; first < bone_of.size(); ++first) {
    if (seen[first] != 0 || bone_of[first] < 0) continue;
    Exclave piece{bone_of[first], {static_cast<Index>(first)}, {}};
    seen[first] = 1;
    for (std::size_t i = 0; i < piece.vertices.size(); ++i) {
      for (const Index next : neighbors[piece.vertices[i]]) {
        if (bone_of[next] != piece.bone) {
          if (bone_of[next] >= 0) piece.borders.push_back(bone_of[next]);
        } else if (seen[next] == 0) {
          seen[next] = 1;
          piece.vertices.push_back(next);
        }
      }
    }
    std::sort(piece.borders.begin(), piece.borders.end());
    piece.borders.erase(std::unique(piece.borders.begin(), piece.borders.end()),
                        piece.borders.end());
    pieces.push_back(std::move(piece));
  }
  return pieces;
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

}  // namespace

std::vector<char> find_exclaves(const BoneWays& ways, const Skeleton& skeleton,
                                std::span<const int> bone_of) {
  require_joints_of_bones(skeleton);
  const std::vector<int> above = joints_above(skeleton);
  const auto is_next = [&](int a, int b) {
    const int one = skeleton.bones[a].joint, other = skeleton.bones[b].joint;
    return one == other || above[one] == other || above[other] == one;
  };
  std::vector<char> result(bone_of.size(), 0);
  std::vector<Exclave> pieces = find_pieces(ways.neighbors(), bone_of);
  // A cheap test per vertex decides which pieces need the search for paths.
  std::erase_if(pieces, [&](const Exclave& piece) {
    if (piece.borders.empty()) return true;
    return std::any_of(piece.vertices.begin(), piece.vertices.end(), [&](Index v) {
      const auto near = ways.near_in_sight(v);
      return std::find(near.begin(), near.end(), piece.bone) != near.end();
    });
  });
  if (pieces.empty()) return result;
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const Exclave& a, const Exclave& b) { return a.bone < b.bone; });
  const std::vector<double> nearest = ways.ways_to_nearest();
  std::vector<char> wanted(skeleton.bones.size(), 0);
  std::vector<double> own;
  int bone_at_hand = -1;
  for (const Exclave& piece : pieces) {
    if (piece.bone != bone_at_hand) {
      if (bone_at_hand >= 0) wanted[bone_at_hand] = 0;
      bone_at_hand = piece.bone;
      wanted[bone_at_hand] = 1;
      // The skin of a bone outside the shape is necessarily away from it.
      own = ways.are_outside(wanted) ? std::vector<double>() : ways.ways(wanted);
    }
    if (own.empty()) continue;
    double least = std::numeric_limits<double>::infinity();
    bool is_far = true;
    for (const Index v : piece.vertices) {
      least = std::min(least, own[v]);
      is_far = is_far && own[v] < std::numeric_limits<double>::infinity() &&
               own[v] > BoneWays::near_ratio * nearest[v];
    }
    if (!is_far) continue;
    bool borders_on_others = false;
    double longest = 0;
    for (const int border : piece.borders) {
      borders_on_others = borders_on_others || !is_next(border, piece.bone);
      longest = std::max(longest, ways.bone_length(border));
    }
    if (!borders_on_others && least <= longest / 2) continue;
    for (const Index v : piece.vertices) result[v] = 1;
  }
  return result;
}

}  // namespace sinew::detail
