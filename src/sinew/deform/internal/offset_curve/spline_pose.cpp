// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sinew/core/math.h"
#include "sinew/deform/internal/offset_curve/smooth.h"
#include "sinew/deform/internal/offset_curve/spline.h"

namespace sinew::offset_curve {
namespace {

// What the control point at a joint does against the spline's cutting of corners.
struct JointShape {
  double shift = 0;  // of the curve from the joint, outwards, in radii of the limb
  // Of offsets, at the control point.
  double scale = 1;  // in the plane of the bend
  double swell = 1;  // across it
};
// `room` is how far the neighbours are away, in radii.
JointShape joint_shape(const Bend& bend, double room, double own_weight) {
  const double cosine = 1 / math::hypot(1, bend.tan_half);
  const double sine = bend.tan_half * cosine;
  // Where the surfaces of the two bones meet, as long as the neighbours leave them room.
  const double mitre = cosine + sine * smooth_min(bend.tan_half, room, room / 8);
  // How far from the joint a spline would pass it by itself, its control points on the mitre:
  // smooth, but it cuts the corner. Half of that is made up for: outside towards the limb's radius,
  // inside towards the mitre. All of it would make the limb swell beside small bends.
  const double middle = own_weight * mitre + (1 - own_weight) * cosine;
  const double cut = (1 - own_weight) * sine * room;
  const double outer = (1 + middle - cut) / 2;
  const double inner = (mitre + middle + cut) / 2;
  // What the inside of a sharp bend has no room for goes to the sides.
  return {(outer - inner) / 2, ((outer + inner) / 2 - (1 - own_weight) * cosine) / own_weight,
          1 + (mitre - 1) / 10};
}

// Halfway through the bend after segment k.
struct HalfBend {
  Mat3 frame;
  Vec3 out;  // away from the bend's inside
};
HalfBend half_bend(const PosedChain& posed, std::size_t k) {
  const Bend& bend = posed.bends[k];
  const Mat3& frame = posed.segments[k].frame;
  const Vec3 d =
      frame.z * math::cos(bend.angle / 2) + cross(bend.axis, frame.z) * math::sin(bend.angle / 2);
  const Vec3 before = cross(frame.z, bend.axis);
  const Vec3 out = cross(d, bend.axis);
  const auto carry = [&](const Vec3& v) {
    return bend.axis * dot(v, bend.axis) + out * dot(v, before);
  };
  return {{carry(frame.x), carry(frame.y), d}, out};
}

// The frame, scaled outwards and along the bend's axis.
Mat3 scaled_frame(const HalfBend& half, const Vec3& axis, double out, double along) {
  const auto scale = [&](const Vec3& v) {
    return v + half.out * (dot(v, half.out) * (out - 1)) + axis * (dot(v, axis) * (along - 1));
  };
  return {scale(half.frame.x), scale(half.frame.y), half.frame.z};
}

// The mean scale across the axis.
double mean_scale(const Mat2& scale) {
  return std::sqrt(std::fabs(scale.xx * scale.yy - scale.xy * scale.yx));
}

// Where on its bone a control point lies in the pose. Those beside a joint do not move away from it
// when the bone stretches: the bend stays as wide as the limb is thick.
double posed_share(const Chain& chain, const PosedChain& posed,
                   const SplineCurve::Control& control) {
  const PosedSegment& segment = posed.segments[control.segment];
  const double full = chain.segments[control.segment].length * mean_scale(segment.scale);
  if (!control.keeps_away || !(segment.length > full)) return control.t;
  const double part = full / segment.length;
  return control.place.side == 1 ? control.t * part : 1 - (1 - control.t) * part;
}

Vec3 bone_point(const Chain& chain, const PosedChain& posed, const SplineCurve::Control& control) {
  const PosedSegment& segment = posed.segments[control.segment];
  return segment.head + segment.frame.z * (segment.length * posed_share(chain, posed, control));
}

// The joint's neighbours in a pose, as seen from it.
struct Neighbours {
  Vec3 before, after;
};
Neighbours neighbours_of(const SplineCurve& curve, const PosedChain& posed, std::size_t j) {
  const Vec3& joint = posed.segments[curve.controls[j].segment].head;
  return {bone_point(*curve.chain, posed, curve.controls[j - 1]) - joint,
          bone_point(*curve.chain, posed, curve.controls[j + 1]) - joint};
}

JointShape posed_shape(const SplineCurve& curve, const PosedChain& posed, std::size_t j,
                       const Neighbours& neighbours, double radius) {
  const std::size_t k = curve.controls[j].place.joint;
  const double nearest = std::min(length(neighbours.before), length(neighbours.after));
  return joint_shape(posed.bends[k], radius > 0 ? nearest / radius : 0.0,
                     curve.joint_weights[k].own);
}

SplineControl<double> pose_control(const SplineCurve& curve, const PosedChain& posed,
                                   std::size_t j) {
  const Chain& chain = *curve.chain;
  const SplineCurve::Control& control = curve.controls[j];
  const std::size_t k = control.place.joint;
  const double t = posed_share(chain, posed, control);
  const Shares shares = shares_at(chain, control.place, t);
  const Mat2 scale = mix(posed.segments[k].scale, posed.segments[k + 1].scale, shares.scale);
  const Mat3 across{{scale.xx, scale.yx, 0}, {scale.xy, scale.yy, 0}, {0, 0, 1}};
  SplineControl<double> out;
  out.local = across * control.rest_local;
  out.angle = twist_at(posed, control.place, shares);
  const PosedSegment& segment = posed.segments[control.segment];
  if (!control.is_joint) {
    out.point = segment.head + segment.frame.z * (segment.length * t);
    out.frame = segment.frame;
    return out;
  }
  const Neighbours neighbours = neighbours_of(curve, posed, j);
  const double radius = curve.radii[k] * mean_scale(scale);
  const JointShape shape = posed_shape(curve, posed, j, neighbours, radius);
  const HalfBend half = half_bend(posed, k);
  const auto& weights = curve.joint_weights[k];
  // The curve passes the joint at the joint's knot, whatever its neighbours do.
  const Vec3 pull = neighbours.before * weights.before + neighbours.after * weights.after;
  out.point = segment.head + (half.out * (shape.shift * radius) - pull) * (1 / weights.own);
  out.frame = scaled_frame(half, posed.bends[k].axis, shape.scale, shape.swell);
  return out;
}

// Where the curve's points lie in terms of its length: sets the piece's parameters.
void measure(SplinePiece<double>& piece) {
  constexpr std::size_t steps = 4;
  struct Node {
    double parameter = 0, length = 0, rate = 0;  // of the parameter, by length
  };
  const std::size_t count = piece.span_count;
  std::array<Node, SplinePiece<double>::most_spans * steps + 1> nodes;
  std::size_t last = 0;
  for (std::size_t s = 0; s < count; ++s) {
    std::array<Vec3, 3> slope;
    for (std::size_t d = 1; d <= spline_degree; ++d) {
      for (std::size_t j = 0; j <= spline_degree; ++j) {
        slope[d - 1] +=
            piece.control_point(s + j) * (static_cast<double>(d) * piece.spans[s].basis[d][j]);
      }
    }
    const auto speed = [&](double t) {
      return length(slope[0] + (slope[1] + slope[2] * t) * t) * piece.spans[s].inverse_length;
    };
    if (s == 0) nodes[0].rate = quotient(1, speed(0));
    const double end = s + 1 < count ? piece.begins[s + 1] : 1.0;
    const double width = (end - piece.begins[s]) / steps;
    for (std::size_t i = 0; i < steps; ++i) {
      // Gauss, two points.
      constexpr double aside = 0.28867513459481287;
      const double middle = static_cast<double>(i) + 0.5;
      const double mean = (speed((middle - aside) / steps) + speed((middle + aside) / steps)) / 2;
      const double at = static_cast<double>(i + 1);
      nodes[last + 1] = {piece.begins[s] + width * at, nodes[last].length + mean * width,
                         quotient(1, speed(at / steps))};
      ++last;
    }
  }
  const double whole = nodes[last].length;
  constexpr std::size_t intervals = SplinePiece<double>::intervals;
  std::size_t node = 0;
  for (std::size_t i = 0; i <= intervals; ++i) {
    const double share = static_cast<double>(i) / intervals;
    piece.parameter[i] = share;
    if (!(whole > 0) || i == 0 || i == intervals) continue;
    const double target = share * whole;
    while (node + 1 < last && nodes[node + 1].length < target) ++node;
    const Node &a = nodes[node], &b = nodes[node + 1];
    const double step = b.length - a.length;
    const double t = std::clamp(quotient(target - a.length, step), 0.0, 1.0);
    const double rise = b.parameter - a.parameter;
    // Hermite's cubic; at most three times the mean rate, so that it never runs backwards.
    const double at_a = std::min(a.rate * step, 3 * rise), at_b = std::min(b.rate * step, 3 * rise);
    piece.parameter[i] =
        a.parameter + t * (t * (3 - 2 * t) * rise + (1 - t) * ((1 - t) * at_a - t * at_b));
  }
}

}  // namespace

template <class T>
void SplinePiece<T>::set_control(std::size_t j, const SplineControl<T>& control) {
  const auto set = [&](auto& rows, std::size_t first, const Vec3T<T>& v) {
    rows[first][j] = v.x;
    rows[first + 1][j] = v.y;
    rows[first + 2][j] = v.z;
  };
  set(point, 0, control.point);
  const auto set_matrix = [&](auto& rows, const Mat3T<T>& m) {
    set(rows, 0, m.x);
    set(rows, 3, m.y);
    set(rows, 6, m.z);
  };
  set_matrix(local, control.local);
  set_matrix(frame, control.frame);
  angle[j] = control.angle;
}

void set_rest(SplineCurve& curve) {
  const Chain& chain = *curve.chain;
  const PosedChain rest = rest_chain(chain);
  for (std::size_t j = 0; j < curve.controls.size(); ++j) {
    SplineCurve::Control& control = curve.controls[j];
    control.rest_local = transpose(chain.segments[control.segment].frame);
    if (!control.is_joint) continue;
    const std::size_t k = control.place.joint;
    const HalfBend half = half_bend(rest, k);
    const JointShape shape =
        posed_shape(curve, rest, j, neighbours_of(curve, rest, j), curve.radii[k]);
    control.rest_local =
        transpose(scaled_frame(half, rest.bends[k].axis, 1 / shape.scale, 1 / shape.swell));
  }
  pose_pieces(curve, rest, curve.pieces);
}

void pose_pieces(const SplineCurve& curve, const PosedChain& posed,
                 std::span<SplinePiece<double>> pieces) {
  // The last three control points of a piece are the first three of the next.
  std::array<SplineControl<double>, spline_degree> shared;
  for (std::size_t k = 0; k < curve.pieces.size(); ++k) {
    SplinePiece<double>& piece = pieces[k];
    piece.span_count = curve.pieces[k].span_count;
    piece.spans = curve.pieces[k].spans;
    piece.begins = curve.pieces[k].begins;
    const double rest_length = curve.chain->segments[k].length;
    piece.stretch = rest_length > 0 ? posed.segments[k].length / rest_length : 1.0;
    const auto count = static_cast<std::size_t>(piece.span_count) + spline_degree;
    for (std::size_t j = 0; j < count; ++j) {
      const SplineControl<double> control =
          k > 0 && j < spline_degree ? shared[j]
                                     : pose_control(curve, posed, curve.first_control[k] + j);
      piece.set_control(j, control);
      if (j + spline_degree >= count) shared[j + spline_degree - count] = control;
    }
    measure(piece);
  }
}

}  // namespace sinew::offset_curve
