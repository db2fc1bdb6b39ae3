// SPDX-License-Identifier: Apache-2.0
// Offset curves that are cubic B-splines: each control point of the chain's curve, moved by the
// same vector in its own frame.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "sinew/deform/offset_curve/chain.h"

namespace sinew::offset_curve {

// A control point in a pose.
template <class T>
struct SplineControl {
  Vec3T<T> point;
  Mat3T<T> local;  // from mesh space to the segment's frame at bind, with the scale across
  Mat3T<T> frame;  // from there to world space
  T angle{};       // the twist
};

// A point's tie to the four control points that reach its bind parameter.
template <class T>
struct SplineBind {
  int first = 0;  // in the list of all chains' control points
  T weight{};
  std::array<T, 4> basis{};
  Vec3T<T> offset{};  // v, in mesh space
};

// p' = sum_j B_j (c'_j + M_j v). The twist is blended as an angle, so that it costs no volume.
template <class T>
Vec3T<T> spline_point(const SplineControl<T>* controls, const SplineBind<T>& bind) {
  const SplineControl<T>* control = controls + bind.first;
  T angle{};
  for (std::size_t j = 0; j < 4; ++j) angle += bind.basis[j] * control[j].angle;
  const T cosine = std::cos(angle);
  const T sine = std::sin(angle);
  Vec3T<T> result{};
  for (std::size_t j = 0; j < 4; ++j) {
    const Vec3T<T> v = control[j].local * bind.offset;
    const Vec3T<T> turned{cosine * v.x - sine * v.y, sine * v.x + cosine * v.y, v.z};
    result += (control[j].point + control[j].frame * turned) * bind.basis[j];
  }
  return result;
}

SplineControl<float> to_float(const SplineControl<double>& control);
SplineBind<float> to_float(const SplineBind<double>& bind);

// A chain's curve at bind: cubic, with knots by the lengths of the control polygon's sides, from 0
// at its start to 1 at its end.
struct SplineCurve {
  struct Place {
    std::size_t segment;
    double t;
  };
  struct Sample {
    double parameter;
    Vec3 point;
  };

  const Chain* chain = nullptr;
  std::vector<Place> places;  // of the control points: at least four
  std::vector<double> knots;
  std::vector<Vec3> points;
  std::vector<Sample> samples;  // of the curve, to start the search from
  int first_control = 0;        // the place of its first one in the list of all
};
SplineCurve spline_curve(const Chain& chain, double placement, int first_control);

// The four basis functions that are not 0 at the parameter in [0, 1], and the first one's number.
struct Basis {
  std::size_t first = 0;
  std::array<double, 4> value{};
  std::array<double, 4> slope{};
};
Basis basis_at(const SplineCurve& curve, double parameter);

// The parameter of the curve's point nearest to p.
double nearest_parameter(const SplineCurve& curve, const Vec3& p);

// Ties p (mesh space) to the curve, with its controls; weight 1.
SplineBind<double> bind_to_spline(const SplineCurve& curve, const Vec3& p);

// The curve's control points in a pose, into curve.places.size() places.
void pose_controls(const SplineCurve& curve, const PosedChain& posed,
                   std::span<SplineControl<double>> controls);

}  // namespace sinew::offset_curve
