// SPDX-License-Identifier: Apache-2.0
// An influence curve's skeleton: a chain of segments, at bind and in a pose, with frames that are
// carried from segment to segment by the smallest rotations.
#pragma once

#include <span>
#include <vector>

#include "sinew/core/mat3.h"
#include "sinew/deform/bone_state.h"
#include "sinew/deform/offset_curve.h"
#include "sinew/deform/skin_rows.h"

namespace sinew::offset_curve {

// A linear map of the plane across the axis.
template <class T>
struct Mat2T {
  T xx{1}, xy{0}, yx{0}, yy{1};
};
using Mat2 = Mat2T<double>;

// A straight piece of the chain, in mesh space at bind: the part of a bone between the shares
// `from` and `to` of its length; or, if `is_rooted`, a piece that moves rigidly with the bone and
// ends at the head of the next segment.
struct Segment {
  int bone = 0;
  bool is_rooted = false;
  double from = 0, to = 1;
  Vec3 head, tail;
  double length = 0;
  double start = 0;  // the lengths of all segments before it
  Mat3 frame;        // z is its direction
};

// At least two segments (a lone bone is cut in its middle).
struct Chain {
  std::vector<Segment> segments;
  std::vector<BoneIndex> own_bones;
  BoneIndex lead_in = -1;
  CurveControls controls;
  // For each bone of the skeleton, the segment whose place on the chain it shares: its own, that of
  // the bone it grows out of, or the first for what the chain itself grows out of. -1: none.
  std::vector<int> segment_of_bone;

  double length() const { return segments.back().start + segments.back().length; }
};

// Throws UsageError naming the curve and the bone that does not exist or comes twice.
std::vector<Chain> make_chains(const Skeleton& skeleton, std::span<const InfluenceCurve> curves);

// The chain's point nearest to p: which segment, and where on it.
struct ChainPlace {
  std::size_t segment = 0;
  double t = 0;  // in [0, 1]
  double distance = 0;
};
ChainPlace nearest_place(const Chain& chain, const Vec3& p);

// The position along the chain (0 at its start) that the point p with these bone weights is tied
// to, if geometry says `position`. Skin that belongs to the bones before a joint is not tied far
// behind it, and the other way round: a chin beside the neck stays with the head. The less of the
// weight lies on one side of the joint, the nearer to the joint the place has to be there; what
// has half of it is free. Skin that is further away from the bones than they are long is tied to
// the mean, by weight, of its bones' nearest points, and of their middles from three lengths on (a
// head on a short neck): along bones so short geometry changes too fast for it. Without weights
// there is geometry only.
double tie_position(const Chain& chain, const Vec3& p, std::span<const SkinInfluence> row,
                    double position);

// How much of its distance from the joint at hand a point tied at `position` keeps when the bone
// there gets longer, because most of its weight lies on the other side of that joint: ribs beside
// an arm bend with it, but are not stretched with it. From 0 to 1 for the joint at the segment's
// head, from 0 to -1 for the one at its tail.
double stretch_hold(const Chain& chain, std::span<const SkinInfluence> row, double position);

// A segment in a pose, in world space. A point at share t of the segment is turned about the axis,
// from `frame`, by angle + slope * (the bone's twist parameter at t).
struct PosedSegment {
  Vec3 head;
  double length = 0;
  Mat3 frame;  // z is its direction; the frame before, carried over the bend
  double angle = 0, slope = 0;
  Mat2 scale;  // across, in the frame at bind
};

// The bend from one segment to the next: d1 is d0 turned by `angle` in [0, pi] about `axis`.
struct Bend {
  Vec3 axis;
  double angle = 0;
  double tan_half = 0;   // at most 1e6
  double twist_gap = 0;  // what the second segment's start is turned beyond the first one's end
};

struct PosedChain {
  std::vector<PosedSegment> segments;
  std::vector<Bend> bends;  // bends[k] is between segments k and k + 1
};

// Reuses the memory of `posed`.
void pose_chain(const Chain& chain, std::span<const BoneState> bones, PosedChain& posed);
// The bind pose.
PosedChain rest_chain(const Chain& chain);

// Each joint of the chain owns what lies between the middles of its two segments, and at the
// chain's ends all that lies beyond. `side` is 0 for the segment before the joint, 1 for the one
// after.
struct JointPlace {
  std::size_t joint = 0;
  std::size_t side = 0;
};
JointPlace joint_place(const Chain& chain, std::size_t segment, double t);

// How a point at share t of its segment takes part in twist and scale. All are fixed at bind.
struct Shares {
  double twist = 0;  // the bone's twist parameter, after the artist's curve
  double gap = 0;    // the share of the joint's twist gap that it turns by: -1/2 to 1/2
  double scale = 0;  // of the second segment's scale, after the artist's curve
};
Shares shares_at(const Chain& chain, const JointPlace& place, double t);

// The angle by which a point with those shares is turned from its segment's frame.
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
