// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/internal/offset_curve/spline.h"

#include <algorithm>

#include "sinew/deform/internal/offset_curve/root.h"

namespace sinew::offset_curve {
namespace {

// How far the control points beside each joint are from it. The same to both sides, so that the
// joint's own one counts at least half there.
std::vector<double> joint_distances(const Chain& chain, std::span<const double> radii,
                                    double placement) {
  std::vector<double> distances;
  for (std::size_t k = 0; k + 1 < chain.segments.size(); ++k) {
    const double shorter = std::min(chain.segments[k].length, chain.segments[k + 1].length);
    // Where there is no skin to go by, a quarter of the bone.
    distances.push_back(radii[k] > 0 ? std::min(placement * radii[k], shorter / 2) : shorter / 4);
  }
  return distances;
}

std::vector<SplineCurve::Control> place_controls(const Chain& chain,
                                                 const std::vector<double>& distances) {
  std::vector<SplineCurve::Control> controls;
  const std::size_t count = chain.segments.size();
  const auto add = [&](std::size_t k, double t, bool keeps_away = false) {
    controls.push_back({k, t, false, keeps_away, joint_place(chain, k, t), {}});
  };
  add(0, 0);
  for (std::size_t k = 0; k < count; ++k) {
    const double length = chain.segments[k].length;
    const bool is_first = k == 0, is_last = k + 1 == count;
    if (!is_first) controls.push_back({k, 0, true, false, {k - 1, 1}, {}});
    const double before = is_first ? 0.0 : distances[k - 1];
    const double after = is_last ? 0.0 : distances[k];
    const double gap = length - before - after;
    const double wide = std::max(before, after);
    if (!is_first && !is_last && gap < wide / 2) {
      // Not enough room for two.
      add(k, before + after > 0 ? before / (before + after) : 0.5);
      continue;
    }
    const auto share = [&](double way) { return length > 0 ? way / length : 0.5; };
    if (!is_first) add(k, share(before), true);
    const int between = wide > 0 ? static_cast<int>(std::min(gap / wide, 3.0)) : 0;
    for (int i = 1; i <= between; ++i) add(k, share(before + gap * i / (between + 1)));
    if (!is_last) add(k, share(length - after), true);
  }
  add(count - 1, 1);
  return controls;
}

// Clamped at both ends, and between them at each control point's own place: what counts at a joint
// is its control point and its two neighbours.
std::vector<double> make_knots(const Chain& chain,
                               const std::vector<SplineCurve::Control>& controls) {
  std::vector<double> knots(spline_degree + 1, 0.0);
  for (std::size_t j = 2; j + 2 < controls.size(); ++j) {
    const Segment& segment = chain.segments[controls[j].segment];
    knots.push_back(segment.start + controls[j].t * segment.length);
  }
  knots.insert(knots.end(), spline_degree + 1, chain.length());
  return knots;
}

// Cox and de Boor, degree by degree, on polynomials of the share of the way through
// the span.
std::array<std::array<double, 4>, 4> basis_polynomials(const std::vector<double>& u,
                                                       std::size_t span) {
  const double begin = u[span];
  const double width = u[span + 1] - begin;
  std::array<std::array<double, 4>, 4> lower{};
  lower[0][0] = 1;
  for (std::size_t d = 1; d <= spline_degree; ++d) {
    std::array<std::array<double, 4>, 4> next{};
    for (std::size_t j = 0; j < d; ++j) {
      const double left = u[span + 1 + j - d];
      const double right = u[span + 1 + j];
      for (std::size_t e = 0; e < d; ++e) {
        const double part = quotient(lower[j][e], right - left);
        next[j][e] += part * (right - begin);
        next[j][e + 1] -= part * width;
        next[j + 1][e] += part * (begin - left);
        next[j + 1][e + 1] += part * width;
      }
    }
    lower = next;
  }
  std::array<std::array<double, 4>, 4> by_power{};
  for (std::size_t j = 0; j <= spline_degree; ++j) {
    for (std::size_t d = 0; d <= spline_degree; ++d) by_power[d][j] = lower[j][d];
  }
  return by_power;
}

// A place on the curve at bind.
struct CurvePlace {
  std::size_t piece = 0;
  double fraction = 0;
};

CurvePlace place_of(const SplineCurve& curve, double place) {
  const std::size_t piece = std::min(static_cast<std::size_t>(place), curve.pieces.size() - 1);
  return {piece, place - static_cast<double>(piece)};
}

SplineCurve::Point curve_at(const SplineCurve& curve, const CurvePlace& place) {
  const SplineSpot<double> spot = spot_at(curve.pieces[place.piece], place.fraction);
  const SplineCurve::Powers& c = curve.spans[place.piece][spot.span];
  const double t = spot.share;
  return {c[0] + (c[1] + (c[2] + c[3] * t) * t) * t, c[1] + (c[2] * 2 + c[3] * (3 * t)) * t};
}

// Sets the curve as polynomials, and samples of it.
void set_path(SplineCurve& curve) {
  curve.spans.resize(curve.pieces.size());
  for (std::size_t k = 0; k < curve.pieces.size(); ++k) {
    const SplinePiece<double>& piece = curve.pieces[k];
    for (std::size_t s = 0; s < static_cast<std::size_t>(piece.span_count); ++s) {
      for (std::size_t d = 0; d <= spline_degree; ++d) {
        Vec3& power = curve.spans[k][s][d];
        for (std::size_t j = 0; j <= spline_degree; ++j) {
          power += piece.control_point(s + j) * piece.spans[s].basis[d][j];
        }
      }
    }
  }
  constexpr std::size_t per_piece = SplineCurve::samples_per_piece;
  for (std::size_t i = 0; i <= per_piece * curve.pieces.size(); ++i) {
    curve.samples.push_back(curve_at(curve, place_of(curve, static_cast<double>(i) / per_piece)));
  }
}

// The curve's point nearest to p: number of the piece plus share of its length.
double nearest_on_curve(const SplineCurve& curve, const Vec3& p) {
  std::size_t best = 0;
  double least = length_squared(curve.samples[0].point - p);
  for (std::size_t i = 1; i < curve.samples.size(); ++i) {
    const double d = length_squared(curve.samples[i].point - p);
    if (!(d < least)) continue;
    least = d;
    best = i;
  }
  // Positive where the curve goes away from p.
  const auto receding = [&](const SplineCurve::Point& c) { return dot(c.point - p, c.slope); };
  const std::size_t before = best > 0 ? best - 1 : 0;
  const std::size_t after = std::min(best + 1, curve.samples.size() - 1);
  constexpr double step = 1.0 / SplineCurve::samples_per_piece;
  const double low = static_cast<double>(before) * step, high = static_cast<double>(after) * step;
  const double at_low = receding(curve.samples[before]), at_high = receding(curve.samples[after]);
  if (at_low > 0) return low;
  if (!(at_high > 0)) return high;
  return rising_root([&](double at) { return receding(curve_at(curve, place_of(curve, at))); },
                     {low, at_low}, {high, at_high});
}

// The place at a position along the chain, which is kept within its ends.
CurvePlace place_at(const Chain& chain, double position) {
  std::size_t k = 0;
  while (k + 1 < chain.segments.size() && position >= chain.segments[k + 1].start) ++k;
  const Segment& segment = chain.segments[k];
  return {k, std::clamp(quotient(position - segment.start, segment.length), 0.0, 1.0)};
}

}  // namespace

SplineCurve spline_curve(const Chain& chain, std::span<const double> radii, double placement,
                         int first_piece) {
  SplineCurve curve;
  curve.chain = &chain;
  curve.first_piece = first_piece;
  const std::vector<double> distances = joint_distances(chain, radii, placement);
  curve.controls = place_controls(chain, distances);
  for (std::size_t k = 0; k < distances.size(); ++k) {
    curve.radii.push_back(radii[k] > 0 ? radii[k] : distances[k] / placement);
  }
  const std::vector<double> knots = make_knots(chain, curve.controls);
  // The knot of control point j is number j + 2.
  std::vector<std::size_t> nodes{spline_degree};
  for (std::size_t j = 0; j < curve.controls.size(); ++j) {
    if (curve.controls[j].is_joint) nodes.push_back(j + 2);
  }
  nodes.push_back(curve.controls.size());
  curve.pieces.resize(chain.segments.size());
  for (std::size_t k = 0; k < curve.pieces.size(); ++k) {
    SplinePiece<double>& piece = curve.pieces[k];
    curve.first_control.push_back(nodes[k] - spline_degree);
    piece.span_count = static_cast<int>(nodes[k + 1] - nodes[k]);
    const double begin = knots[nodes[k]];
    const double width = knots[nodes[k + 1]] - begin;
    for (std::size_t i = nodes[k]; i < nodes[k + 1]; ++i) {
      piece.begins[i - nodes[k]] = quotient(knots[i] - begin, width);
      piece.spans[i - nodes[k]] = {quotient(width, knots[i + 1] - knots[i]),
                                   basis_polynomials(knots, i)};
    }
    if (k == 0) continue;
    const auto& basis = piece.spans[0].basis[0];
    curve.joint_weights.push_back({basis[0], basis[1], basis[2]});
  }
  set_rest(curve);
  set_path(curve);
  return curve;
}

SplineBind<double> bind_to_spline(const SplineCurve& curve, const Vec3& p,
                                  std::span<const SkinInfluence> row) {
  const Chain& chain = *curve.chain;
  CurvePlace place = place_of(curve, nearest_on_curve(curve, p));
  const auto position_of = [&](const CurvePlace& at) {
    const Segment& segment = chain.segments[at.piece];
    return segment.start + at.fraction * segment.length;
  };
  const double nearest = position_of(place);
  double position = tie_position(chain, p, row, nearest);
  if (position != nearest) place = place_at(chain, position);
  const SplineCurve::Point at = curve_at(curve, place);
  const CurveControls& controls = chain.controls;
  SplineBind<double> bind;
  bind.weight = 1;
  bind.offset = p - at.point;
  const double distance = length(bind.offset);
  if (controls.outward != 0 && distance > 0) {
    bind.offset *= std::max(distance + controls.outward, 0.0) / distance;
  }
  if (controls.along != 0) {
    bind.offset += normalized(at.slope, chain.segments.front().frame.z) * controls.along;
  }
  if (controls.rescale != 1 || controls.slide != 0) {
    const double whole = chain.length();
    const double wanted =
        whole / 2 + (position - whole / 2) * controls.rescale + controls.slide * whole;
    position = std::clamp(wanted, 0.0, whole);
    place = place_at(chain, position);
    // Beyond the ends straight on.
    const Segment& end = wanted < 0 ? chain.segments.front() : chain.segments.back();
    bind.offset += end.frame.z * (wanted - position);
  }
  bind.piece = curve.first_piece + static_cast<int>(place.piece);
  bind.fraction = place.fraction;
  bind.hold = stretch_hold(chain, row, position);
  return bind;
}

}  // namespace sinew::offset_curve
