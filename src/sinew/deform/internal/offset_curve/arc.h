// SPDX-License-Identifier: Apache-2.0
// Offset curves of two lines and a circular arc around one joint of a chain.
#pragma once

#include <algorithm>
#include <cmath>

#include "sinew/core/math.h"
#include "sinew/deform/internal/offset_curve/chain.h"
#include "sinew/deform/internal/offset_curve/smooth.h"

namespace sinew::offset_curve {

// The arc that joins two lines at distance `offset` from the bones; positive on the outside of the
// bend.
template <class T>
struct ArcShape {
  T offset;  // as requested, or smaller in size if the inside of the bend has no room
  T radius;
  T slide;  // distance from the joint to the arc's ends, along the bones: (radius - offset) tan
};

// `distance` is the distance of the point from the bones; the slide is limited to `room`. The
// radius equals the offset on the outside of the bend (the true offset curve) and roundness *
// distance on the inside.
template <class T>
ArcShape<T> arc_shape(T offset, T distance, T tan_half, T room, T roundness) {
  ArcShape<T> shape{offset, T(0), T(0)};
  // The lines meet -offset * tan before the joint: keep that well within the room.
  const T meeting = -offset * tan_half;
  const T deepest = T(0.8) * room;
  if (meeting > T(0.5) * deepest) {
    shape.offset = -smooth_min(meeting, deepest, deepest / T(2)) / tan_half;
  }
  const T wanted =
      smooth_max(shape.offset, roundness * distance, std::max(T(1) - roundness, T(0)) * distance);
  const T slide = (wanted - shape.offset) * tan_half;
  shape.slide = smooth_min(slide, room, room / T(4));
  shape.radius =
      shape.slide < slide ? std::max(shape.offset + shape.slide / tan_half, T(0)) : wanted;
  return shape;
}

// One joint in a pose, as the arcs need it.
template <class T>
struct ArcJoint {
  Vec3T<T> center;        // the joint
  Vec3T<T> axis;          // of the bend, from the first segment to the second
  Vec3T<T> direction[2];  // of the segments
  Vec3T<T> out[2];  // perpendicular to the segments, in the plane of the bend, away from its inside
  T reach[2];       // length of the joint's part of either segment
  T growth[2];      // how much of that is due to stretch since bind
  T room;           // how much of the reach the arc may use
  T roundness;      // smaller, the sharper the bend
  T bend, tan_half;                // the bend angle, and the tangent of half of it
  T out_x, out_y, axis_x, axis_y;  // `out` and `axis` in the segments' frames
  T angle[2], slope[2], twist_gap;
  Mat2T<T> scale[2];
};

// Binds a point to one joint's curves, in coordinates of the straightened chain.
template <class T>
struct ArcBind {
  int joint = 0;  // index into the joints of all chains
  int side = 0;
  T weight{};
  T along{};                  // position from the far end of its side (0) to the joint (1)
  T beyond{};                 // how far it lies beyond that far end, straight on, in mesh units
  T x{}, y{};                 // perpendicular to its segment, in the segment's frame
  T twist{}, gap{}, scale{};  // see Shares
  Vec3T<T> correction{};      // residual at bind; x and y across, z along
  T hold{};                   // see stretch_hold; from 0 to 1
};

// A point of an offset curve and the axes there: away from the inside of the bend, along the bend's
// axis, and forward along the curve.
template <class T>
struct ArcSpot {
  Vec3T<T> point, out, axis, forward;
  T cosine, sine;  // of the twist
};

// Rotates (x, y) of the frame at bind by the twist; returns the components along `out` and `axis`.
template <class T>
Vec2T<T> to_bend_plane(const ArcJoint<T>& joint, T cosine, T sine, T x, T y) {
  const T u = cosine * x - sine * y;
  const T v = sine * x + cosine * y;
  return {u * joint.out_x + v * joint.out_y, u * joint.axis_x + v * joint.axis_y};
}

template <class T>
ArcSpot<T> arc_spot(const ArcJoint<T>& joint, const ArcBind<T>& bind) {
  const std::size_t side = bind.side;
  const Mat2T<T> scale = mix(joint.scale[0], joint.scale[1], bind.scale);
  const T angle = joint.angle[side] + joint.slope[side] * bind.twist + joint.twist_gap * bind.gap;
  const T cosine = math::cos(angle);
  const T sine = math::sin(angle);
  const Vec2T<T> across = to_bend_plane(joint, cosine, sine, scale.xx * bind.x + scale.xy * bind.y,
                                        scale.yx * bind.x + scale.yy * bind.y);
  const T distance = std::sqrt(across.x * across.x + across.y * across.y);
  const ArcShape<T> shape =
      arc_shape(across.x, distance, joint.tan_half, joint.room, joint.roundness);

  // The direction from the far end of the point's side towards the joint.
  const T sign = side == 0 ? T(1) : T(-1);
  const Vec3T<T> d = joint.direction[side] * sign;
  const Vec3T<T>& m = joint.out[side];
  const T straight = joint.reach[side] - shape.slide;
  const T full = straight + shape.radius * joint.bend / T(2);
  const T s = full - (T(1) - bind.along) * (full - bind.hold * joint.growth[side]);
  const Vec3T<T> base = joint.center + joint.axis * across.y;
  if (s <= straight || !(shape.radius > T(0))) {
    // An offset that was reduced inside the bend returns to its full value towards the far end.
    const T t = straight > T(0) ? std::min(s / straight, T(1)) : T(1);
    const T offset = across.x + (shape.offset - across.x) * (t * t * (T(3) - T(2) * t));
    const Vec3T<T> point = base + d * (s - joint.reach[side] - bind.beyond) + m * offset;
    return {point, m, joint.axis, joint.direction[side], cosine, sine};
  }
  const T swept = (s - straight) / shape.radius;
  const T ca = math::cos(swept);
  const T sa = math::sin(swept);
  const Vec3T<T> out = m * ca + d * sa;
  return {base + m * (shape.offset - shape.radius) - d * shape.slide + out * shape.radius,
          out,
          joint.axis,
          (d * ca - m * sa) * sign,
          cosine,
          sine};
}

// The point on its offset curve (Gregory and Weston 2008), plus the residual at bind.
template <class T>
Vec3T<T> arc_point(const ArcJoint<T>& joint, const ArcBind<T>& bind) {
  const ArcSpot<T> spot = arc_spot(joint, bind);
  const Vec2T<T> rest =
      to_bend_plane(joint, spot.cosine, spot.sine, bind.correction.x, bind.correction.y);
  return spot.point + spot.out * rest.x + spot.axis * rest.y + spot.forward * bind.correction.z;
}

// The joint between segments k and k + 1.
ArcJoint<double> arc_joint(const Chain& chain, const PosedChain& posed, std::size_t k,
                           double roundness);

// A chain at bind, to bind points to.
struct ArcCurve {
  const Chain* chain = nullptr;
  std::vector<ArcJoint<double>> joints;  // at bind
  int first_joint = 0;                   // index of its first joint among those of all chains
};
ArcCurve arc_curve(const Chain& chain, int first_joint, double roundness);

// Binds p (mesh space) to the curve, with its controls applied and weight 1. `row` are the point's
// bone weights, if any: they limit which part of the curve it may be bound to (tie_position).
// Without controls, arc_point at bind returns p up to rounding.
ArcBind<double> bind_to_arcs(const ArcCurve& curve, const Vec3& p,
                             std::span<const SkinInfluence> row);

}  // namespace sinew::offset_curve
