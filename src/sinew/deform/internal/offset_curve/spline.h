// SPDX-License-Identifier: Apache-2.0
// Offset curves that are cubic B-splines: each control point of the chain's curve is displaced by
// the same vector in its own frame.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "sinew/core/math.h"
#include "sinew/deform/internal/offset_curve/chain.h"

namespace sinew::offset_curve {

inline constexpr std::size_t spline_degree = 3;

// 0 if knots coincide.
inline double quotient(double above, double below) { return below > 0 ? above / below : 0.0; }

// A control point in a pose.
template <class T>
struct SplineControl {
  Vec3T<T> point;
  Mat3T<T> local;  // from mesh space to its frame at bind, including the scale across the axis
  Mat3T<T> frame;  // from there to world space
  T angle{};       // the twist
};

// The span between two knots. The basis functions of its four control points are cubic polynomials
// in the fraction of the way from one knot to the next; [d][j] is the coefficient of power d for
// control point j.
template <class T>
struct SplineSpan {
  T inverse_length{};
  std::array<std::array<T, 4>, 4> basis{};
};

// The part of the curve that belongs to one segment of the chain, in a pose. Its parameter goes
// from 0 to 1.
template <class T>
struct SplinePiece {
  static constexpr std::size_t most_spans = 6;
  static constexpr std::size_t most_controls = most_spans + 3;
  static constexpr std::size_t intervals = 64;
  using Row = std::array<T, most_controls>;

  // The control points as a structure of arrays, so that four are computed at once; span s uses s
  // to s + 3.
  std::array<Row, 3> point;
  std::array<Row, 9> local, frame;  // by columns
  Row angle;
  std::array<SplineSpan<T>, most_spans> spans;
  std::array<T, most_spans> begins;        // the first knot of each span
  std::array<T, intervals + 1> parameter;  // at equal steps of the arc length
  int span_count = 0;
  T stretch{1};  // length of the segment relative to bind

  void set_control(std::size_t j, const SplineControl<T>& control);
  Vec3T<T> control_point(std::size_t j) const { return {point[0][j], point[1][j], point[2][j]}; }
};

// Binds a point to the curve.
template <class T>
struct SplineBind {
  int piece = 0;  // index into the segments of all chains
  T weight{};
  T fraction{};       // position, as a fraction of the piece's arc length
  Vec3T<T> offset{};  // v, in mesh space
  T hold{};           // see stretch_hold
};

// A position on a piece: its span, which is also the first of its four control points.
template <class T>
struct SplineSpot {
  std::size_t span = 0;
  T share{};  // fraction of the way through the span
};

// `fraction` of the arc length, in [0, 1]. The parameter is interpolated linearly in the table;
// points still lie exactly on the curve.
template <class T>
SplineSpot<T> spot_at(const SplinePiece<T>& piece, T fraction) {
  constexpr std::size_t intervals = SplinePiece<T>::intervals;
  const T place = fraction * T(intervals);
  const std::size_t i = std::min(static_cast<std::size_t>(place), intervals - 1);
  const T parameter =
      piece.parameter[i] + (piece.parameter[i + 1] - piece.parameter[i]) * (place - T(i));
  SplineSpot<T> spot;
  const auto last = static_cast<std::size_t>(piece.span_count) - 1;
  while (spot.span < last && parameter >= piece.begins[spot.span + 1]) ++spot.span;
  spot.share = (parameter - piece.begins[spot.span]) * piece.spans[spot.span].inverse_length;
  return spot;
}

// The basis functions of the four control points.
template <class T>
std::array<T, 4> basis_at(const SplinePiece<T>& piece, const SplineSpot<T>& spot) {
  const auto& b = piece.spans[spot.span].basis;
  const T t = spot.share;
  std::array<T, 4> basis;
  for (std::size_t j = 0; j < 4; ++j) {
    basis[j] = b[0][j] + t * (b[1][j] + t * (b[2][j] + t * b[3][j]));
  }
  return basis;
}

// The point's fraction of the piece's arc length in the pose. A point with `hold` keeps its
// distance from a joint, so its fraction moves towards that joint as the segment stretches.
template <class T>
T held_fraction(const SplinePiece<T>& piece, const SplineBind<T>& bind) {
  if (bind.hold == T(0) || !(piece.stretch > T(0))) return bind.fraction;
  const T kept = T(1) + std::fabs(bind.hold) * (T(1) / piece.stretch - T(1));
  return bind.hold > T(0) ? std::min(bind.fraction * kept, T(1))
                          : std::max(T(1) - (T(1) - bind.fraction) * kept, T(0));
}

// p' = sum_j B_j (c'_j + M_j v). The twist is blended as an angle, which does not lose volume.
template <class T>
Vec3T<T> spline_point(const SplinePiece<T>& piece, const SplineBind<T>& bind) {
  const SplineSpot<T> spot = spot_at(piece, held_fraction(piece, bind));
  const std::array<T, 4> basis = basis_at(piece, spot);
  const auto at = [&](const auto& row) { return row.data() + spot.span; };
  const T* angles = at(piece.angle);
  T angle{};
  for (std::size_t j = 0; j < 4; ++j) angle += basis[j] * angles[j];
  const T cosine = math::cos(angle);
  const T sine = math::sin(angle);
  const Vec3T<T>& v = bind.offset;
  // Written as loops over the four control points, for the compiler to vectorise.
  using Four = std::array<T, 4>;
  const auto product = [&](const auto& matrix, std::size_t r, const auto& x, const auto& y,
                           const auto& z) {
    const T *a = at(matrix[r]), *b = at(matrix[3 + r]), *c = at(matrix[6 + r]);
    Four out;
    for (std::size_t j = 0; j < 4; ++j) out[j] = a[j] * x[j] + b[j] * y[j] + c[j] * z[j];
    return out;
  };
  const Four vx{v.x, v.x, v.x, v.x}, vy{v.y, v.y, v.y, v.y}, vz{v.z, v.z, v.z, v.z};
  const Four x = product(piece.local, 0, vx, vy, vz);
  const Four y = product(piece.local, 1, vx, vy, vz);
  const Four z = product(piece.local, 2, vx, vy, vz);
  Four turned_x, turned_y;
  for (std::size_t j = 0; j < 4; ++j) {
    turned_x[j] = cosine * x[j] - sine * y[j];
    turned_y[j] = sine * x[j] + cosine * y[j];
  }
  const auto sum = [&](std::size_t r) {
    const T* c = at(piece.point[r]);
    Four out = product(piece.frame, r, turned_x, turned_y, z);
    for (std::size_t j = 0; j < 4; ++j) out[j] = (out[j] + c[j]) * basis[j];
    return (out[0] + out[1]) + (out[2] + out[3]);
  };
  return {sum(0), sum(1), sum(2)};
}

// A chain's curve at bind. Control points lie at its two ends, at each joint, beside each joint on
// either bone, and between these if there is room. Knots lie at the control points.
struct SplineCurve {
  // A point of the curve, and its change through the span that it is in.
  struct Point {
    Vec3 point, slope;
  };
  struct Control {
    std::size_t segment = 0;
    double t = 0;
    bool is_joint = false;    // at the head of its segment
    bool keeps_away = false;  // keeps its distance at bind from the joint beside it
    JointPlace place;
    Mat3 rest_local;  // from mesh space to its frame at bind
  };
  // The basis functions at a joint: of its own control point and the two beside it.
  struct JointWeights {
    double before = 0, own = 0, after = 0;
  };

  const Chain* chain = nullptr;
  std::vector<Control> controls;
  std::vector<std::size_t> first_control;  // of each piece
  std::vector<JointWeights> joint_weights;
  std::vector<double> radii;                // of the limb, at each joint
  std::vector<SplinePiece<double>> pieces;  // at bind, one for each segment
  static constexpr std::size_t samples_per_piece = 8;
  // At bind, for each piece: the curve in a span as a polynomial of the share of the way through
  // it.
  using Powers = std::array<Vec3, spline_degree + 1>;
  std::vector<std::array<Powers, SplinePiece<double>::most_spans>> spans;
  std::vector<Point> samples;  // at bind, at equal steps, from the curve's one end to the other
  int first_piece = 0;         // index of its first piece among those of all chains
};

// `radii` has the limb's radius at each joint of the chain (limb_radii). The control points beside
// a joint are at a distance of `placement` radii, but at most half of either bone.
SplineCurve spline_curve(const Chain& chain, std::span<const double> radii, double placement,
                         int first_piece);

// The last step of spline_curve: sets the control points' frames and the pieces. All other members
// must be set already.
void set_rest(SplineCurve& curve);

// Binds p (mesh space) to the curve, with its controls applied and weight 1. `row` are the point's
// bone weights, if any: they limit which part of the curve it may be bound to (tie_position).
SplineBind<double> bind_to_spline(const SplineCurve& curve, const Vec3& p,
                                  std::span<const SkinInfluence> row);

// Poses the curve: fills one piece per segment.
void pose_pieces(const SplineCurve& curve, const PosedChain& posed,
                 std::span<SplinePiece<double>> pieces);

}  // namespace sinew::offset_curve
