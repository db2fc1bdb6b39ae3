// SPDX-License-Identifier: Apache-2.0
// Offset curves of two lines and a circular arc about one joint of a chain.
#pragma once

#include <algorithm>
#include <cmath>

#include "sinew/deform/internal/offset_curve/chain.h"
#include "sinew/deform/internal/offset_curve/smooth.h"

namespace sinew::offset_curve {

// The arc that joins two lines at the offset `offset` from the bones, outside of the bend.
template <class T>
struct ArcShape {
  T offset;  // as asked for, or less where the inside of the bend has no room for it
  T radius;
  T slide;  // how far before and after the joint the arc begins and ends: (radius - offset) tan
};

// `distance` is the point's from the bones; the slide is kept within `room`. The radius is the
// offset outside of the bend (the true offset curve) and roundness * distance inside.
template <class T>
ArcShape<T> arc_shape(T offset, T distance, T tan_half, T room, T roundness) {
  ArcShape<T> shape{offset, T(0), T(0)};
  // The lines meet at -offset * tan before the joint: keep that well within the room.
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

// One joint in a pose, with what the arcs need.
template <class T>
struct ArcJoint {
  Vec3T<T> center;        // the joint
  Vec3T<T> axis;          // the lines turn from the first to the second about it
  Vec3T<T> direction[2];  // of the segments
  Vec3T<T> out[2];        // across the segments, in the plane of the bend, away from its inside
  T reach[2];             // how far the joint's part of either segment reaches
  T growth[2];            // what of that has come with stretch since bind
  T room;                 // how much of that the arc may take
  T roundness;            // of this bend: less, the sharper it is
  T bend, tan_half;       // the angle, and the tangent of its half
  T out_x, out_y, axis_x, axis_y;  // `out` and `axis` in the segments' frames
  T angle[2], slope[2], twist_gap;
  Mat2T<T> scale[2];
};

// A point's tie to one joint's curves, in the terms of the straightened chain.
template <class T>
struct ArcBind {
  int joint = 0;  // in the list of all chains' joints
  int side = 0;
  T weight{};
  T along{};                  // share of the way from the far end of its side (0) to the joint (1)
  T beyond{};                 // how far it lies straight on beyond that far end, in mesh units
  T x{}, y{};                 // across, in its segment's frame
  T twist{}, gap{}, scale{};  // see Shares
  Vec3T<T> correction{};      // what is left at bind; x and y across, z along
  T hold{};                   // of its distance from the joint (stretch_hold), from 0 to 1
};

// A point of an offset curve and the axes there: away from the bend's inside, along its axis, and
// forward along the curve.
template <class T>
struct ArcSpot {
  Vec3T<T> point, out, axis, forward;
  T cosine, sine;  // of the twist
};

// (x, y) of the frame at bind, turned by the twist, along `out` and `axis`.
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
  const T cosine = std::cos(angle);
  const T sine = std::sin(angle);
  const Vec2T<T> across = to_bend_plane(joint, cosine, sine, scale.xx * bind.x + scale.xy * bind.y,
                                        scale.yx * bind.x + scale.yy * bind.y);
  const T distance = std::sqrt(across.x * across.x + across.y * across.y);
  const ArcShape<T> shape =
      arc_shape(across.x, distance, joint.tan_half, joint.room, joint.roundness);

  // Seen from the far end of the point's side towards the joint.
  const T sign = side == 0 ? T(1) : T(-1);
  const Vec3T<T> d = joint.direction[side] * sign;
  const Vec3T<T>& m = joint.out[side];
  const T straight = joint.reach[side] - shape.slide;
  const T full = straight + shape.radius * joint.bend / T(2);
  const T s = full - (T(1) - bind.along) * (full - bind.hold * joint.growth[side]);
  const Vec3T<T> base = joint.center + joint.axis * across.y;
  if (s <= straight || !(shape.radius > T(0))) {
    // What had to give way inside the bend comes back towards the far end.
    const T t = straight > T(0) ? std::min(s / straight, T(1)) : T(1);
    const T offset = across.x + (shape.offset - across.x) * (t * t * (T(3) - T(2) * t));
    const Vec3T<T> point = base + d * (s - joint.reach[side] - bind.beyond) + m * offset;
    return {point, m, joint.axis, joint.direction[side], cosine, sine};
  }
  const T swept = (s - straight) / shape.radius;
  const T ca = std::cos(swept);
  const T sa = std::sin(swept);
  const Vec3T<T> out = m * ca + d * sa;
  return {base + m * (shape.offset - shape.radius) - d * shape.slide + out * shape.radius,
          out,
          joint.axis,
          (d * ca - m * sa) * sign,
          cosine,
          sine};
}

// The point on its offset curve (Gregory and Weston 2008), with what was left at bind.
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

ArcJoint<float> to_float(const ArcJoint<double>& joint);
ArcBind<float> to_float(const ArcBind<double>& bind);

// A chain at bind, ready for points to be tied to it.
struct ArcCurve {
  const Chain* chain = nullptr;
  std::vector<ArcJoint<double>> joints;  // at bind
  int first_joint = 0;                   // the place of its first one in the list of all
};
ArcCurve arc_curve(const Chain& chain, int first_joint, double roundness);

// Ties p (mesh space) to the curve, with its controls; weight 1. `row` are its bone weights, if it
// has any: they say which part of the curve it may be tied to (tie_position). Without controls,
// arc_point at bind gives p back to rounding.
ArcBind<double> bind_to_arcs(const ArcCurve& curve, const Vec3& p,
                             std::span<const SkinInfluence> row);

}  // namespace sinew::offset_curve
