// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/internal/offset_curve/chain.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/math.h"
#include "sinew/deform/default_curves.h"
#include "sinew/skin/projection.h"

namespace sinew::offset_curve {
namespace {

Segment bone_segment(const Skeleton& skeleton, int bone, double from, double to) {
  const Bone& b = skeleton.bones[bone];
  Segment segment;
  segment.bone = bone;
  segment.from = from;
  segment.to = to;
  segment.head = lerp(b.head, b.tail, from);
  segment.tail = lerp(b.head, b.tail, to);
  return segment;
}

Segment lead_in_segment(const Skeleton& skeleton, int bone, int first) {
  const Bone& before = skeleton.bones[bone];
  const Bone& after = skeleton.bones[first];
  const Vec3 u = normalized(after.tail - after.head);
  // Beyond 60 degrees the inside of the bend is too narrow to be straightened without distortion.
  if (bones_meet(before, after) && dot(normalized(before.tail - before.head), u) >= 0.5) {
    return bone_segment(skeleton, bone, 0, 1);
  }
  Segment segment;
  segment.bone = bone;
  segment.is_rooted = true;
  segment.tail = after.head;
  segment.head = after.head -
                 u * std::min(distance(before.head, before.tail), distance(after.head, after.tail));
  return segment;
}

// The bend from the direction frame.z to d1, and the frame carried over it.
Bend bend_between(const Mat3& frame, const Vec3& d1, Mat3& carried) {
  const Vec3& d0 = frame.z;
  const Vec3 across = cross(d0, d1);
  const double sine = length(across);
  const double cosine = dot(d0, d1);
  Bend bend;
  // Straight or folded back: any plane will do, as long as it moves with the pose.
  bend.axis = sine > 1e-14 ? normalized(across - d0 * dot(across, d0)) : frame.x;
  bend.angle = math::atan2(sine, cosine);
  constexpr double steepest = 1e6;
  bend.tan_half = sine < steepest * (1 + cosine) ? sine / (1 + cosine) : steepest;
  if (!(sine > 1e-14) && cosine < 0) bend.tan_half = steepest;
  const Vec3 m0 = cross(d0, bend.axis);
  const Vec3 m1 = cross(d1, bend.axis);
  const auto carry = [&](const Vec3& v) { return bend.axis * dot(v, bend.axis) + m1 * dot(v, m0); };
  carried = {carry(frame.x), carry(frame.y), d1};
  return bend;
}

Mat2 scale_across(const Mat3& across, const Mat3& frame) {
  const Vec3 x = across * frame.x;
  const Vec3 y = across * frame.y;
  return {dot(frame.x, x), dot(frame.x, y), dot(frame.y, x), dot(frame.y, y)};
}

// The twist parameter of the segment's bone at share t of the segment.
double twist_parameter(const Chain& chain, const Segment& segment, double t) {
  const double u = segment.from + (segment.to - segment.from) * std::clamp(t, 0.0, 1.0);
  return evaluate(chain.controls.twist, u);
}

std::vector<int> segments_of_bones(const Skeleton& skeleton, const Chain& chain) {
  const BoneTree tree = bone_tree(skeleton);
  std::vector<int> roots(tree.parents.size());
  for (const int bone : tree.order) {
    const std::size_t b = bone;
    roots[b] = tree.parents[b] < 0 ? bone : roots[tree.parents[b]];
  }
  const int root = roots[chain.own_bones.front()];
  std::vector<int> segments(roots.size(), -1);
  for (const int bone : tree.order) {
    const std::size_t b = bone;
    if (tree.parents[b] >= 0) segments[b] = segments[tree.parents[b]];
    if (roots[b] == root) segments[b] = std::max(segments[b], 0);
    for (std::size_t k = chain.segments.size(); k-- > 0;) {
      if (chain.segments[k].bone == bone) segments[b] = static_cast<int>(k);
    }
  }
  return segments;
}

}  // namespace

std::vector<Chain> make_chains(const Skeleton& skeleton, std::span<const InfluenceCurve> curves) {
  std::vector<Chain> chains;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const InfluenceCurve& curve = curves[c];
    Chain chain{{}, curve.bones, curve.lead_in, curve.controls, {}};
    std::vector<Segment>& segments = chain.segments;
    if (curve.lead_in >= 0) {
      segments.push_back(lead_in_segment(skeleton, curve.lead_in, curve.bones.front()));
    }
    if (segments.empty() && curve.bones.size() == 1) {
      segments.push_back(bone_segment(skeleton, curve.bones.front(), 0, 0.5));
      segments.push_back(bone_segment(skeleton, curve.bones.front(), 0.5, 1));
    } else {
      for (const int bone : curve.bones) segments.push_back(bone_segment(skeleton, bone, 0, 1));
    }
    for (std::size_t k = 0; k + 1 < segments.size(); ++k) {
      segments[k].tail = segments[k + 1].head = (segments[k].tail + segments[k + 1].head) * 0.5;
    }
    double start = 0;
    for (std::size_t k = 0; k < segments.size(); ++k) {
      Segment& segment = segments[k];
      const Bone& bone = skeleton.bones[segment.bone];
      segment.length = distance(segment.head, segment.tail);
      segment.start = start;
      start += segment.length;
      const Vec3 d = normalized(segment.tail - segment.head, normalized(bone.tail - bone.head));
      if (k > 0) {
        bend_between(segments[k - 1].frame, d, segment.frame);
      } else {
        const Vec3 x = any_perpendicular(d);
        segment.frame = {x, cross(d, x), d};
      }
    }
    chain.segment_of_bone = segments_of_bones(skeleton, chain);
    chains.push_back(std::move(chain));
  }
  return chains;
}

ChainPlace nearest_place(const Chain& chain, const Vec3& p) {
  ChainPlace best;
  for (std::size_t k = 0; k < chain.segments.size(); ++k) {
    const Segment& segment = chain.segments[k];
    const double t = segment.length > 0 ? project_on_segment(p, segment.head, segment.tail) : 0.0;
    const double d = distance(p, lerp(segment.head, segment.tail, t));
    if (k == 0 || d < best.distance) best = {k, t, d};
  }
  return best;
}

void pose_chain(const Chain& chain, std::span<const BoneState> bones, PosedChain& posed) {
  const std::size_t count = chain.segments.size();
  posed.segments.resize(count);
  posed.bends.resize(count - 1);
  const auto bone_of = [&](std::size_t k) -> const BoneState& {
    return bones[chain.segments[k].bone];
  };
  const auto head_of = [&](std::size_t k) {
    const Segment& segment = chain.segments[k];
    const BoneState& bone = bone_of(k);
    if (!segment.is_rooted) return lerp(bone.posed_head, bone.posed_tail, segment.from);
    const double ratio =
        distance(bone.posed_head, bone.posed_tail) / distance(bone.head, bone.tail);
    return bone_of(k + 1).posed_head - rotate(bone.rotation, segment.tail - segment.head) * ratio;
  };
  const auto tail_of = [&](std::size_t k) {
    if (chain.segments[k].is_rooted) return bone_of(k + 1).posed_head;
    return lerp(bone_of(k).posed_head, bone_of(k).posed_tail, chain.segments[k].to);
  };

  Vec3 node = head_of(0);
  for (std::size_t k = 0; k < count; ++k) {
    const Segment& segment = chain.segments[k];
    const BoneState& bone = bone_of(k);
    PosedSegment& out = posed.segments[k];
    const Vec3 end = k + 1 < count ? (tail_of(k) + head_of(k + 1)) * 0.5 : tail_of(k);
    const Vec3 image = rotate(bone.rotation, segment.frame.z);
    const Vec3 d = normalized(end - node, image);
    out.head = node;
    out.length = distance(node, end);
    out.scale = scale_across(bone.across, segment.frame);
    const Quat turn = rotation_between(image, d) * bone.rotation;
    const Vec3 own_x = rotate(turn, segment.frame.x);
    const double head_twist = segment.is_rooted ? 0 : bone.twist_head;
    out.slope = segment.is_rooted ? 0 : bone.twist_tail - bone.twist_head;
    if (k == 0) {
      out.frame = {own_x, cross(d, own_x), d};
      out.angle = head_twist;
    } else {
      const PosedSegment& before = posed.segments[k - 1];
      Bend& bend = posed.bends[k - 1] = bend_between(before.frame, d, out.frame);
      out.angle = math::atan2(dot(own_x, out.frame.y), dot(own_x, out.frame.x)) + head_twist;
      const double end_before =
          before.angle + before.slope * twist_parameter(chain, chain.segments[k - 1], 1);
      const double gap = out.angle + out.slope * twist_parameter(chain, segment, 0) - end_before;
      // Whole turns are not a gap, as both sides look the same.
      const double turns = 2 * pi * std::round(gap / (2 * pi));
      out.angle -= turns;
      bend.twist_gap = gap - turns;
    }
    node = end;
  }
}

PosedChain rest_chain(const Chain& chain) {
  PosedChain posed;
  for (std::size_t k = 0; k < chain.segments.size(); ++k) {
    const Segment& segment = chain.segments[k];
    posed.segments.push_back({segment.head, segment.length, segment.frame, 0, 0, {}});
    if (k == 0) continue;
    Mat3 carried;
    posed.bends.push_back(bend_between(chain.segments[k - 1].frame, segment.frame.z, carried));
  }
  return posed;
}

JointPlace joint_place(const Chain& chain, std::size_t segment, double t) {
  const std::size_t last = chain.segments.size() - 2;
  const std::size_t joint = t >= 0.5 || segment == 0 ? segment : segment - 1;
  return {std::min(joint, last), segment - std::min(joint, last)};
}

Shares shares_at(const Chain& chain, const JointPlace& place, double t) {
  const double u = std::clamp(t, 0.0, 1.0);
  // From -1/2 in the middle of the segment before to 1/2 in the middle of the one after.
  const double way = place.side == 0 ? std::max(u, 0.5) - 1 : std::min(u, 0.5);
  const Segment& segment = chain.segments[place.joint + place.side];
  return {twist_parameter(chain, segment, u), place.side == 0 ? way + 0.5 : way - 0.5,
          evaluate(chain.controls.scale, way + 0.5)};
}

}  // namespace sinew::offset_curve
