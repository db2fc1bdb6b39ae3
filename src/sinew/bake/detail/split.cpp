// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/detail/split.h"

#include <algorithm>
#include <cmath>

#include "sinew/bake/bake.h"
#include "sinew/core/math.h"

namespace sinew::baking {
namespace {

double distance_from_axis(const Bone& bone, const Vec3& p) {
  const Vec3 u = normalized(bone.tail - bone.head);
  return length(cross(u, p - bone.head));
}

double parameter(const SkinInfluence& influence, bool by_twist) {
  return by_twist ? influence.twist_endpoint : influence.stretch_endpoint;
}

// The node before the parameter, and how far it is on the way to the next.
struct LimbPoint {
  std::size_t node = 0;
  double beyond = 0;
};
LimbPoint place_of(double e, int segments) {
  const double at = std::clamp(e, 0.0, 1.0) * segments;
  const auto node = std::min(static_cast<std::size_t>(at), static_cast<std::size_t>(segments - 1));
  return {node, at - double(node)};
}

// The stretch shares at the nodes whose hat functions are nearest to the vertices' own, in least
// squares by weight; a faint pull to the diagonal settles nodes without vertices.
std::vector<double> fitted_shares(const SkinRows& rows, int bone, int segments) {
  const auto n = static_cast<std::size_t>(segments) + 1;
  std::vector<double> diagonal(n, 1e-6), above(n, 0), right(n);
  for (std::size_t k = 0; k < n; ++k) right[k] = 1e-6 * double(k) / segments;
  for (const SkinInfluence& influence : rows.items) {
    if (influence.bone != bone) continue;
    const auto [k, f] = place_of(influence.twist_endpoint, segments);
    const double w = influence.weight;
    diagonal[k] += w * (1 - f) * (1 - f);
    diagonal[k + 1] += w * f * f;
    above[k] += w * f * (1 - f);
    right[k] += w * (1 - f) * influence.stretch_endpoint;
    right[k + 1] += w * f * influence.stretch_endpoint;
  }
  for (std::size_t k = 1; k < n; ++k) {
    const double factor = above[k - 1] / diagonal[k - 1];
    diagonal[k] -= factor * above[k - 1];
    right[k] -= factor * right[k - 1];
  }
  for (std::size_t k = n; k-- > 0;) {
    if (k + 1 < n) right[k] -= above[k] * right[k + 1];
    right[k] /= diagonal[k];
  }
  for (double& share : right) share = std::clamp(share, 0.0, 1.0);
  return right;
}

// The bone's direction, and the two across it along which a symmetric scale acts.
Mat3 scale_axes(const Bone& bone, const Mat3& scale) {
  const Vec3 u = normalized(bone.tail - bone.head), v = any_perpendicular(u), w = cross(u, v);
  const double mixed = 0.5 * (dot(v, scale * w) + dot(w, scale * v));
  const double angle = 0.5 * math::atan2(2 * mixed, dot(v, scale * v) - dot(w, scale * w));
  const Vec3 first = v * math::cos(angle) + w * math::sin(angle);
  return {u, first, cross(u, first)};
}

// How far the true motion of a bone may be from that of its joint, as a length. A joint's own scale
// stretches the bone as it should, but also what lies beyond its ends, about as far as it is wide.
double need(const Extent& extent, double bone_length, double widest) {
  return (extent.twist + extent.along) * widest + (extent.pull + extent.swing) * bone_length;
}

}  // namespace

Limbs limbs_of(const Rig& rig, const SkinRows& rows) {
  const std::vector<Bone>& bones = rig.skeleton.bones;
  const double tiny = 1e-4 * bounding_box(rig.mesh.positions).diagonal();
  Limbs limbs;
  limbs.radius.assign(bones.size(), 0);
  limbs.widest.assign(bones.size(), 0);
  limbs.unevenness.assign(bones.size(), 1);
  std::vector<double> weight(bones.size(), 0);
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    for (const SkinInfluence& influence : rows[v]) {
      const std::size_t b = influence.bone;
      const double reach = influence.weight * distance_from_axis(bones[b], rig.mesh.positions[v]);
      limbs.radius[b] += reach;
      limbs.widest[b] = std::max(limbs.widest[b], reach);
      weight[b] += influence.weight;
    }
  }
  for (std::size_t b = 0; b < bones.size(); ++b) {
    limbs.radius[b] = std::max(weight[b] > 0 ? limbs.radius[b] / weight[b] : 0.0, tiny);
  }
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    double radius = 0, reach = 0;
    for (const SkinInfluence& influence : rows[v]) {
      const std::size_t b = influence.bone;
      radius += influence.weight * limbs.radius[b];
      const bool is_within = influence.twist_endpoint > 0 && influence.twist_endpoint < 1;
      if (is_within) {
        reach += influence.weight * distance_from_axis(bones[b], rig.mesh.positions[v]);
      }
    }
    limbs.at_vertex.push_back(std::max(radius, tiny));
    for (const SkinInfluence& influence : rows[v]) {
      if (influence.twist_endpoint <= 0 || influence.twist_endpoint >= 1 || influence.weight < 1e-3)
        continue;
      double& uneven = limbs.unevenness[influence.bone];
      uneven = std::max(uneven, reach / limbs.at_vertex[v]);
    }
  }
  return limbs;
}

int segments_for(double twist, double unevenness, double tolerance) {
  const double least_cos = std::max(1 - tolerance / std::max(unevenness, 1.0), -1.0);
  const double widest_step = 2 * math::acos(least_cos);
  const double count = std::ceil(twist / widest_step - 1e-9);
  return static_cast<int>(std::clamp(count, 1.0, double(most_segments)));
}

int chosen_segments(const Extent& extent, double unevenness, double tolerance) {
  constexpr double left_for_helpers = 0.9;
  return segments_for(extent.twist_difference, unevenness, left_for_helpers * tolerance);
}

std::vector<SplitBone> split_bones(const Rig& rig, const SkinRows& rows, const Limbs& limbs,
                                   std::span<const Extent> extents, const SplitRule& rule) {
  const Skeleton& skeleton = rig.skeleton;
  std::vector<bool> is_used(skeleton.bones.size(), false), is_even(skeleton.bones.size(), true);
  for (const SkinInfluence& influence : rows.items) {
    const std::size_t b = influence.bone;
    is_used[b] = true;
    if (influence.stretch_endpoint != influence.twist_endpoint) is_even[b] = false;
  }
  std::vector<SplitBone> splits;
  int next = static_cast<int>(skeleton.bones.size());
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
    const Bone& bone = skeleton.bones[b];
    Extent extent = extents[b];
    if (!rule.least_twist.empty()) {
      extent.twist_difference = std::max(extent.twist_difference, rule.least_twist[b]);
    }
    if (!is_used[b] || skeleton.joints[bone.joint].is_frame) continue;
    const double bone_length = distance(bone.head, bone.tail);
    const double least = 0.25 * rule.tolerance * limbs.radius[b];
    const bool wanted = rule.asked_for.empty() ? need(extent, bone_length, limbs.widest[b]) > least
                                               : bool(rule.asked_for[b]);
    if (!wanted) continue;
    SplitBone split;
    split.bone = static_cast<int>(b);
    split.first_helper = next;
    const int n = rule.segments ? *rule.segments
                                : chosen_segments(extent, limbs.unevenness[b], rule.tolerance);
    split.by_twist = extent.twist_difference > 0;
    if (extent.across > scale_tolerance) split.scale_axes = scale_axes(bone, extent.widest);
    for (int k = 0; k <= n; ++k) split.twist_share.push_back(double(k) / n);
    split.stretch_share = split.by_twist && !is_even[b]
                              ? fitted_shares(rows, static_cast<int>(b), n)
                              : split.twist_share;
    next += n + 1;
    splits.push_back(std::move(split));
  }
  return splits;
}

Weights split_weights(const SkinRows& rows, std::size_t bone_count,
                      std::span<const SplitBone> splits) {
  std::vector<const SplitBone*> split_of(bone_count, nullptr);
  for (const SplitBone& split : splits) split_of[split.bone] = &split;
  Weights weights;
  std::vector<Influence> row;
  for (std::size_t v = 0; v + 1 < rows.offsets.size(); ++v) {
    row.clear();
    for (const SkinInfluence& influence : rows[v]) {
      const SplitBone* split = split_of[influence.bone];
      if (split == nullptr) {
        row.push_back({influence.bone, influence.weight});
        continue;
      }
      const auto [node, beyond] =
          place_of(parameter(influence, split->by_twist), split->segments());
      const int helper = split->first_helper + static_cast<int>(node);
      row.push_back({helper, influence.weight * (1 - beyond)});
      row.push_back({helper + 1, influence.weight * beyond});
    }
    std::erase_if(row, [](const Influence& i) { return !(i.weight > 0); });
    std::sort(row.begin(), row.end(),
              [](const Influence& a, const Influence& b) { return a.bone < b.bone; });
    weights.push_row(row);
  }
  normalize(weights);
  return weights;
}

}  // namespace sinew::baking
