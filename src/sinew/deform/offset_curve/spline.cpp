// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/offset_curve/spline.h"

#include <algorithm>

namespace sinew::offset_curve {
namespace {

constexpr std::size_t degree = 3;

struct CurvePoint {
  Vec3 point, slope;
};

CurvePoint curve_at(const SplineCurve& curve, double parameter) {
  const Basis basis = basis_at(curve, parameter);
  CurvePoint at;
  for (std::size_t j = 0; j <= degree; ++j) {
    at.point += curve.points[basis.first + j] * basis.value[j];
    at.slope += curve.points[basis.first + j] * basis.slope[j];
  }
  return at;
}

// Clamped at both ends; inner knots are means of neighbouring control points' places on the polygon
// (de Boor), so that a straight, evenly posed chain is run through evenly.
std::vector<double> make_knots(const std::vector<Vec3>& points) {
  std::vector<double> way{0};
  for (std::size_t j = 1; j < points.size(); ++j) {
    way.push_back(way.back() + distance(points[j - 1], points[j]));
  }
  const double whole = way.back() > 0 ? way.back() : 1;
  std::vector<double> knots(degree + 1, 0.0);
  for (std::size_t j = 1; j + degree < points.size(); ++j) {
    knots.push_back((way[j] + way[j + 1] + way[j + 2]) / (3 * whole));
  }
  knots.insert(knots.end(), degree + 1, 1.0);
  return knots;
}

double ratio(double above, double below) { return below > 0 ? above / below : 0.0; }

Mat3T<float> to_float(const Mat3& m) { return {to_float(m.x), to_float(m.y), to_float(m.z)}; }

}  // namespace

SplineControl<float> to_float(const SplineControl<double>& c) {
  return {to_float(c.point), to_float(c.local), to_float(c.frame), static_cast<float>(c.angle)};
}

SplineBind<float> to_float(const SplineBind<double>& b) {
  SplineBind<float> bind{b.first, static_cast<float>(b.weight), {}, to_float(b.offset)};
  for (std::size_t j = 0; j < 4; ++j) bind.basis[j] = static_cast<float>(b.basis[j]);
  return bind;
}

SplineCurve spline_curve(const Chain& chain, double placement, int first_control) {
  SplineCurve curve;
  curve.chain = &chain;
  curve.first_control = first_control;
  const std::size_t count = chain.segments.size();
  curve.places.push_back({0, 0});
  for (std::size_t k = 0; k < count; ++k) {
    curve.places.push_back({k, placement});
    // At 1/2 the two are one.
    if (placement < 0.5) curve.places.push_back({k, 1 - placement});
  }
  curve.places.push_back({count - 1, 1});
  for (const auto& place : curve.places) {
    const Segment& segment = chain.segments[place.segment];
    curve.points.push_back(lerp(segment.head, segment.tail, place.t));
  }
  curve.knots = make_knots(curve.points);
  constexpr int per_span = 8;
  for (std::size_t i = degree; i + 1 < curve.knots.size() - degree; ++i) {
    for (int k = 0; k < per_span; ++k) {
      const double s = curve.knots[i] + (curve.knots[i + 1] - curve.knots[i]) * k / per_span;
      curve.samples.push_back({s, curve_at(curve, s).point});
    }
  }
  curve.samples.push_back({1, curve.points.back()});
  return curve;
}

Basis basis_at(const SplineCurve& curve, double parameter) {
  const std::vector<double>& u = curve.knots;
  const std::size_t last = u.size() - degree - 2;
  const auto above = std::upper_bound(u.begin() + degree + 1, u.end() - degree - 1, parameter);
  const std::size_t span = std::min(static_cast<std::size_t>(above - u.begin()) - 1, last);
  Basis basis;
  basis.first = span - degree;
  // Cox and de Boor, degree by degree; the slopes come from the degree below.
  std::array<double, 4> lower{1, 0, 0, 0};
  for (std::size_t d = 1; d <= degree; ++d) {
    std::array<double, 4> next{};
    for (std::size_t j = 0; j < d; ++j) {
      const double left = u[span + 1 + j - d];
      const double right = u[span + 1 + j];
      const double part = ratio(lower[j], right - left);
      next[j] += part * (right - parameter);
      next[j + 1] += part * (parameter - left);
      if (d == degree) {
        basis.slope[j] -= degree * part;
        basis.slope[j + 1] += degree * part;
      }
    }
    lower = next;
  }
  basis.value = lower;
  return basis;
}

double nearest_parameter(const SplineCurve& curve, const Vec3& p) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < curve.samples.size(); ++i) {
    if (length_squared(curve.samples[i].point - p) <
        length_squared(curve.samples[best].point - p)) {
      best = i;
    }
  }
  const auto recedes = [&](double s) {
    const CurvePoint at = curve_at(curve, s);
    return dot(at.point - p, at.slope) > 0;
  };
  double low = curve.samples[best > 0 ? best - 1 : 0].parameter;
  double high = curve.samples[std::min(best + 1, curve.samples.size() - 1)].parameter;
  if (recedes(low)) return low;
  if (!recedes(high)) return high;
  while (true) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) return middle;
    (recedes(middle) ? high : low) = middle;
  }
}

SplineBind<double> bind_to_spline(const SplineCurve& curve, const Vec3& p) {
  double parameter = nearest_parameter(curve, p);
  const CurvePoint at = curve_at(curve, parameter);
  const CurveControls& controls = curve.chain->controls;
  SplineBind<double> bind;
  bind.weight = 1;
  bind.offset = p - at.point;
  const double distance = length(bind.offset);
  if (controls.outward != 0 && distance > 0) {
    bind.offset *= std::max(distance + controls.outward, 0.0) / distance;
  }
  bind.offset += normalized(at.slope, curve.chain->segments.front().frame.z) * controls.along;
  if (controls.rescale != 1 || controls.slide != 0) {
    const double wanted = 0.5 + (parameter - 0.5) * controls.rescale + controls.slide;
    parameter = std::clamp(wanted, 0.0, 1.0);
    // Beyond the ends straight on.
    const Segment& end = wanted < 0 ? curve.chain->segments.front() : curve.chain->segments.back();
    bind.offset += end.frame.z * ((wanted - parameter) * curve.chain->length());
  }
  const Basis basis = basis_at(curve, parameter);
  bind.first = curve.first_control + static_cast<int>(basis.first);
  bind.basis = basis.value;
  return bind;
}

void pose_controls(const SplineCurve& curve, const PosedChain& posed,
                   std::span<SplineControl<double>> controls) {
  for (std::size_t j = 0; j < curve.places.size(); ++j) {
    const auto [k, t] = curve.places[j];
    const PosedSegment& segment = posed.segments[k];
    const JointPlace joint = joint_place(*curve.chain, k, t);
    const Shares shares = shares_at(*curve.chain, joint, t);
    const Mat2 scale =
        mix(posed.segments[joint.joint].scale, posed.segments[joint.joint + 1].scale, shares.scale);
    const Mat3 across{{scale.xx, scale.yx, 0}, {scale.xy, scale.yy, 0}, {0, 0, 1}};
    controls[j].point = segment.head + segment.frame.z * (segment.length * t);
    controls[j].local = across * transpose(curve.chain->segments[k].frame);
    controls[j].frame = segment.frame;
    controls[j].angle = twist_at(posed, joint, shares);
  }
}

}  // namespace sinew::offset_curve
