// SPDX-License-Identifier: Apache-2.0
// Which bones are split and into how many segments, and how weights are divided among helpers.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sinew/bake/detail/poses.h"
#include "sinew/deform/skin_rows.h"
#include "sinew/rig/rig.h"

namespace sinew::baking {

// Limb sizes around the bones in mesh space, one value per bone or per vertex.
struct Limbs {
  std::vector<double> radius;      // per bone: mean distance of its vertices from its axis
  std::vector<double> widest;      // per bone: largest product of weight and distance from the axis
  std::vector<double> unevenness;  // per bone: see limbs_of
  std::vector<double> at_vertex;   // per vertex: the radii of its bones, by weight
};

// `unevenness` is, over the vertices between a bone's ends, the largest ratio of the weighted
// distance from the axes of the vertex's bones to at_vertex: by this factor the error of a vertex,
// relative to its limb's radius, can exceed that of a vertex at the limb's radius.
Limbs limbs_of(const Rig& rig, const SkinRows& rows);

// A bone that becomes helpers, one at each node: node k stands for endpoint weight k / segments.
struct SplitBone {
  int bone = 0;
  int first_helper = 0;             // the bone of node 0 in the baked skeleton
  bool by_twist = false;            // nodes divide the twist's endpoint weight
  std::vector<double> twist_share;  // of (theta_b - theta_a), per node
  std::vector<double> stretch_share;
  // Where the bone is scaled across: the directions of that scale in mesh space, the first along
  // the bone. Its helpers lie along them and carry the scale.
  std::optional<Mat3> scale_axes;

  int segments() const { return static_cast<int>(twist_share.size()) - 1; }
};

// The number of segments that keeps the shrinkage between two helpers, 1 - cos(twist / 2 /
// segments) of the distance from the axis, within `tolerance` (a fraction of the limb's radius). At
// least 1; stretch alone is linear and needs no more.
int segments_for(double twist, double unevenness, double tolerance);

// The same for a bone, with a tenth of the error reserved for keys and dropped influences.
int chosen_segments(const Extent& extent, double unevenness, double tolerance);

struct SplitRule {
  std::optional<int> segments;        // of every bone
  double tolerance = 0.02;            // share of the limb's radius
  std::vector<bool> asked_for;        // per bone; empty: those that need it
  std::vector<double> least_twist{};  // per bone, twist to allow for; empty: 0
};

// In bone order. Bones of frames are never split. A bone needs splitting if its joint's own motion
// differs from the true motion by more than a quarter of `tolerance`.
std::vector<SplitBone> split_bones(const Rig& rig, const SkinRows& rows, const Limbs& limbs,
                                   std::span<const Extent> extents, const SplitRule& rule);

// w_i becomes w_i B_k(e_i); rows are in order of bones, without influences of weight 0, and sum
// to 1.
Weights split_weights(const SkinRows& rows, std::size_t bone_count,
                      std::span<const SplitBone> splits);

}  // namespace sinew::baking
