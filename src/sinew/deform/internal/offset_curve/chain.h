// SPDX-License-Identifier: Apache-2.0
// The skeleton of an influence curve: a chain of segments, at bind and in a pose, with frames that
// are parallel-transported from segment to segment.
#pragma once

#include <span>
#include <vector>

#include "sinew/core/mat3.h"
#include "sinew/deform/bone_state.h"
#include "sinew/deform/offset_curve.h"
#include "sinew/deform/skin_rows.h"

namespace sinew::offset_curve {

// A linear map of the plane perpendicular to the axis.
template <class T>
struct Mat2T {
  T xx{1}, xy{0}, yx{0}, yy{1};
};
using Mat2 = Mat2T<double>;

// A straight piece of the chain, in mesh space at bind: the part of a bone between the fractions
// `from` and `to` of its length; or, if `is_rooted`, a piece that moves rigidly with the bone and
// ends at the head of the next segment.
struct Segment {
  int bone = 0;
  bool is_rooted = false;
  double from = 0, to = 1;
  Vec3 head, tail;
  double length = 0;
  double start = 0;  // total length of the segments before it
  Mat3 frame;        // z is its direction
};

// Whether they move points even where no bone moves.
inline bool moves_rest(const CurveControls& controls) {
  return controls.along != 0 || controls.outward != 0 || controls.rescale != 1 ||
         controls.slide != 0;
}

// At least two segments (a lone bone is cut in its middle).
struct Chain {
  std::vector<Segment> segments;
  std::vector<BoneIndex> own_bones;
  BoneIndex lead_in = -1;
  CurveControls controls;
  // For each bone of the skeleton, the segment it is assigned to: its own, that of its nearest
  // ancestor on the chain, or the first one for ancestors of the chain. -1: none.
  std::vector<int> segment_of_bone;

  double length() const { return segments.back().start + segments.back().length; }
};

// Throws UsageError naming the curve and the bone if a bone does not exist or is repeated.
std::vector<Chain> make_chains(const Skeleton& skeleton, std::span<const InfluenceCurve> curves);

// The point of the chain nearest to p: the segment, and the position on it.
struct ChainPlace {
  std::size_t segment = 0;
  double t = 0;  // in [0, 1]
  double distance = 0;
};
ChainPlace nearest_place(const Chain& chain, const Vec3& p);

// The position along the chain (0 at its start) to bind the point p to, given its bone weights and
// the position that geometry alone suggests. Skin that belongs to bones before a joint is not bound
// far behind the joint, and vice versa: a chin beside the neck stays with the head. The smaller the
// share of the weight on one side of a joint, the closer to the joint the position must be on that
// side; with half the weight or more it is free. Skin farther from its bones than they are long (a
// head on a short neck) is bound to the weighted mean of its bones' nearest points, and from three
// lengths on to that of their midpoints: along such short bones the nearest position changes too
// fast. Without weights only geometry counts.
double tie_position(const Chain& chain, const Vec3& p, std::span<const SkinInfluence> row,
                    double position);

// How far a point bound at `position` keeps its distance from the nearby joint when the bone
// stretches, because most of its weight lies on the other side of that joint: ribs beside an arm
// bend with it, but do not stretch with it. From 0 to 1 for the joint at the segment's head, from 0
// to -1 for the joint at its tail.
double stretch_hold(const Chain& chain, std::span<const SkinInfluence> row, double position);

// A segment in a pose, in world space. A point at fraction t of the segment is rotated about the
// axis, relative to `frame`, by angle + slope * (the bone's twist parameter at t).
struct PosedSegment {
  Vec3 head;
  double length = 0;
  Mat3 frame;  // z is its direction; transported over the bend from the frame before
  double angle = 0, slope = 0;
  Mat2 scale;  // perpendicular to the axis, in the frame at bind
};

// The bend from one segment to the next: d1 is d0 rotated by `angle` in [0, pi] about `axis`.
struct Bend {
  Vec3 axis;
  double angle = 0;
  double tan_half = 0;   // at most 1e6
  double twist_gap = 0;  // twist of the second segment's start relative to the first one's end
};

struct PosedChain {
  std::vector<PosedSegment> segments;
  std::vector<Bend> bends;  // bends[k] is between segments k and k + 1
};

// Reuses the memory of `posed`.
void pose_chain(const Chain& chain, std::span<const BoneState> bones, PosedChain& posed);
// The bind pose.
PosedChain rest_chain(const Chain& chain);

// Each joint of the chain owns the part between the midpoints of its two segments; the first and
// last joint also own the rest up to the ends and beyond. `side` is 0 for the segment before the
// joint, 1 for the one after.
struct JointPlace {
  std::size_t joint = 0;
  std::size_t side = 0;
};
JointPlace joint_place(const Chain& chain, std::size_t segment, double t);

// How twist and scale act on a point at fraction t of its segment. Fixed at bind.
struct Shares {
  double twist = 0;  // the bone's twist parameter, after the artist's curve
  double gap = 0;    // its share of the joint's twist gap: -1/2 to 1/2
  double scale = 0;  // share of the second segment's scale, after the artist's curve
};
Shares shares_at(const Chain& chain, const JointPlace& place, double t);

// The angle by which a point with these shares is rotated relative to its segment's frame.
inline double twist_at(const PosedChain& posed, const JointPlace& place, const Shares& shares) {
  const PosedSegment& segment = posed.segments[place.joint + place.side];
  return segment.angle + segment.slope * shares.twist +
         posed.bends[place.joint].twist_gap * shares.gap;
}

template <class T>
Mat2T<T> mix(const Mat2T<T>& a, const Mat2T<T>& b, T t) {
  const auto at = [&](T u, T v) { return u + (v - u) * t; };
  return {at(a.xx, b.xx), at(a.xy, b.xy), at(a.yx, b.yx), at(a.yy, b.yy)};
}

}  // namespace sinew::offset_curve
