// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/internal/offset_curve/arc.h"

#include "sinew/core/math.h"
#include "sinew/deform/internal/offset_curve/root.h"

namespace sinew::offset_curve {
namespace {

// A point in the plane of a bend: the offset of its curve, and how far along the curve it is from
// the far end of its side.
struct Unfolded {
  double offset = 0;
  double along = 0;
};

// `x` is towards the joint from the far end (0 at the joint), `y` outwards, `z` along the axis of
// the bend. The curves of all offsets lie nested around the bend's inside, so that the one through
// the point is found by a search.
Unfolded unfold(const ArcJoint<double>& joint, std::size_t side, const Vec3& p) {
  const auto shape_at = [&](double offset) {
    return arc_shape(offset, math::hypot(offset, p.z), joint.tan_half, joint.room, joint.roundness);
  };
  const double reach = joint.reach[side];
  if (p.x <= -shape_at(p.y).slide) return {p.y, p.x + reach};
  // How far the curve of this offset is outside of the point.
  const auto outside = [&](double offset) {
    const auto shape = shape_at(offset);
    if (p.x <= -shape.slide) return shape.offset - p.y;
    return shape.radius - length(Vec3{p.x + shape.slide, p.y - shape.offset + shape.radius, 0});
  };
  const double far = length(p) * (1 + joint.roundness);
  const double at_low = outside(-far), at_high = outside(far);
  double high = at_low > 0 ? -far : far;
  if (at_low <= 0 && at_high > 0) high = rising_root(outside, {-far, at_low}, {far, at_high});
  const auto shape = shape_at(high);
  const double swept =
      math::atan2(p.x + shape.slide, std::max(p.y - shape.offset + shape.radius, 0.0));
  const double along = reach - shape.slide + shape.radius * std::clamp(swept, 0.0, joint.bend / 2);
  return {high, along};
}

// Where the joint's part of a segment ends: at the segment's share t.
double far_share(const Chain& chain, const JointPlace& place) {
  if (place.side == 0) return place.joint == 0 ? 0.0 : 0.5;
  return place.joint + 2 == chain.segments.size() ? 1.0 : 0.5;
}

// Sets place and shares of `bind` from the position on the straightened chain.
void place_at(const ArcCurve& curve, double position, ArcBind<double>& bind) {
  const std::vector<Segment>& segments = curve.chain->segments;
  std::size_t k = 0;
  while (k + 1 < segments.size() && position >= segments[k + 1].start) ++k;
  const Segment& segment = segments[k];
  const double t = segment.length > 0 ? (position - segment.start) / segment.length : 0.0;
  const JointPlace place = joint_place(*curve.chain, k, t);
  const double far = far_share(*curve.chain, place);
  const double u = std::clamp(t, 0.0, 1.0);
  bind.joint = curve.first_joint + static_cast<int>(place.joint);
  bind.side = static_cast<int>(place.side);
  bind.along = place.side == 0 ? (u - far) / (1 - far) : (far - u) / far;
  bind.beyond = std::fabs(t - u) * segment.length;
  const Shares shares = shares_at(*curve.chain, place, t);
  bind.twist = shares.twist;
  bind.gap = shares.gap;
  bind.scale = shares.scale;
}

}  // namespace

ArcJoint<double> arc_joint(const Chain& chain, const PosedChain& posed, std::size_t k,
                           double roundness) {
  const PosedSegment* segments[] = {&posed.segments[k], &posed.segments[k + 1]};
  const Bend& bend = posed.bends[k];
  ArcJoint<double> joint;
  joint.center = segments[1]->head;
  joint.axis = bend.axis;
  joint.bend = bend.angle;
  joint.tan_half = bend.tan_half;
  joint.twist_gap = bend.twist_gap;
  const bool is_end[] = {k == 0, k + 2 == posed.segments.size()};
  for (std::size_t side = 0; side < 2; ++side) {
    const PosedSegment& segment = *segments[side];
    joint.direction[side] = segment.frame.z;
    joint.out[side] = cross(segment.frame.z, bend.axis);
    joint.reach[side] = is_end[side] ? segment.length : segment.length / 2;
    const double growth = segment.length - chain.segments[k + side].length;
    joint.growth[side] = is_end[side] ? growth : growth / 2;
    joint.angle[side] = segment.angle;
    joint.slope[side] = segment.slope;
    joint.scale[side] = segment.scale;
  }
  // The last quarter is left for reduced offsets to return to their full value.
  joint.room = 0.75 * std::min(joint.reach[0], joint.reach[1]);
  // Times the cosine of half the bend, so that a sharp bend is not filled with a web.
  joint.roundness = roundness / math::hypot(1, bend.tan_half);
  const Mat3& frame = segments[0]->frame;
  joint.out_x = dot(frame.x, joint.out[0]);
  joint.out_y = dot(frame.y, joint.out[0]);
  joint.axis_x = dot(frame.x, joint.axis);
  joint.axis_y = dot(frame.y, joint.axis);
  return joint;
}

ArcCurve arc_curve(const Chain& chain, int first_joint, double roundness) {
  ArcCurve curve{&chain, {}, first_joint};
  const PosedChain rest = rest_chain(chain);
  for (std::size_t k = 0; k < rest.bends.size(); ++k)
    curve.joints.push_back(arc_joint(chain, rest, k, roundness));
  return curve;
}

ArcBind<double> bind_to_arcs(const ArcCurve& curve, const Vec3& p,
                             std::span<const SkinInfluence> row) {
  const Chain& chain = *curve.chain;
  const ChainPlace nearest = nearest_place(chain, p);
  const JointPlace owner = joint_place(chain, nearest.segment, nearest.t);
  const ArcJoint<double>& joint = curve.joints[owner.joint];
  const Vec3 local = p - joint.center;
  const std::size_t side = dot(local, joint.direction[0] + joint.direction[1]) > 0 ? 1 : 0;
  const Vec3 towards = side == 0 ? joint.direction[0] : -joint.direction[1];
  const double axial = dot(local, joint.axis);
  const Unfolded flat =
      unfold(joint, side, {dot(local, towards), dot(local, joint.out[side]), axial});

  ArcBind<double> bind;
  bind.weight = 1;
  bind.x = flat.offset * joint.out_x + axial * joint.axis_x;
  bind.y = flat.offset * joint.out_y + axial * joint.axis_y;
  const auto shape = arc_shape(flat.offset, math::hypot(flat.offset, axial), joint.tan_half,
                               joint.room, joint.roundness);
  const double full = joint.reach[side] - shape.slide + shape.radius * joint.bend / 2;
  // Beyond the far end lengths count as they are; this side of it, as shares of the curve's.
  const double rest_reach = joint.reach[side];
  const double inward = flat.along < 0 || !(full > 0) ? flat.along : flat.along / full * rest_reach;
  const double center = chain.segments[owner.joint + 1].start;
  double position = side == 0 ? center - rest_reach + inward : center + rest_reach - inward;
  position = tie_position(chain, p, row, position);
  place_at(curve, position, bind);

  // The residual is not 0 where two joints' parts meet inside a bend, where the offset was reduced,
  // and where the bone weights rule out the nearest position.
  const auto& held = curve.joints[bind.joint - curve.first_joint];
  const ArcSpot<double> spot = arc_spot(held, bind);
  const Vec3 off = p - spot.point;
  const double out = dot(off, spot.out);
  const double aside = dot(off, spot.axis);
  bind.correction = {out * held.out_x + aside * held.axis_x, out * held.out_y + aside * held.axis_y,
                     dot(off, spot.forward)};

  const CurveControls& controls = chain.controls;
  if (controls.rescale != 1 || controls.slide != 0) {
    const double whole = chain.length();
    position = whole / 2 + (position - whole / 2) * controls.rescale + controls.slide * whole;
    place_at(curve, position, bind);
  }
  const double hold = stretch_hold(chain, row, position);
  bind.hold = bind.side == 0 ? std::max(-hold, 0.0) : std::max(hold, 0.0);
  if (controls.outward != 0) {
    const double distance = math::hypot(bind.x, bind.y);
    const double factor =
        distance > 0 ? std::max(distance + controls.outward, 0.0) / distance : 1.0;
    bind.x *= factor;
    bind.y *= factor;
  }
  bind.correction.z += controls.along;
  return bind;
}

}  // namespace sinew::offset_curve
