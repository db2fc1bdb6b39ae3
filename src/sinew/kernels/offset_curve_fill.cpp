// SPDX-License-Identifier: Apache-2.0
// The curves of a pose, in floats.
#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/core/math.h"
#include "sinew/kernels/detail/curves.h"

namespace sinew::kernels {
namespace {

using offset_curve::ArcJoint;
using offset_curve::SplinePiece;

float single(double value) { return static_cast<float>(value); }
std::array<float, 3> single(const Vec3& v) { return {single(v.x), single(v.y), single(v.z)}; }
std::array<float, 4> single(const offset_curve::Mat2& m) {
  return {single(m.xx), single(m.xy), single(m.yx), single(m.yy)};
}

// Whether the scale is more than rounding.
bool scales(const offset_curve::Mat2& m) {
  constexpr double rounding = 1e-9;
  return std::fabs(m.xx - 1) > rounding || std::fabs(m.xy) > rounding ||
         std::fabs(m.yx) > rounding || std::fabs(m.yy - 1) > rounding;
}

// 0 if it is no more than rounding, in what is of the order of `size`.
double beyond_rounding(double value, double size) {
  constexpr double rounding = 1e-9;
  return std::fabs(value) > rounding * size ? value : 0.0;
}

double inverse_or_0(double value) { return value > 0 ? 1 / value : 0.0; }

constexpr std::size_t most_degree = SplineSpanLanes::most_degree;
static_assert(ArcSide::most_degree == most_degree);
constexpr std::size_t node_count = most_degree + 1;

// Chebyshev's nodes in [0, 1], and the polynomials that are 1 at one of them and 0 at the others.
struct Nodes {
  std::array<double, node_count> places;
  std::array<std::array<double, node_count>, node_count> powers;  // by node, then by power
};
constexpr Nodes make_nodes() {
  constexpr double far = 0.9659258262890683, middle = 0.7071067811865476,
                   near = 0.25881904510252074;  // cosines of pi/12, 3 pi/12 and 5 pi/12
  Nodes nodes{{(1 - far) / 2, (1 - middle) / 2, (1 - near) / 2, (1 + near) / 2, (1 + middle) / 2,
               (1 + far) / 2},
              {}};
  for (std::size_t m = 0; m < node_count; ++m) {
    auto& powers = nodes.powers[m];
    powers[0] = 1;
    for (std::size_t k = 0; k < node_count; ++k) {
      if (k == m) continue;
      const double width = nodes.places[m] - nodes.places[k];
      for (std::size_t d = node_count - 1; d > 0; --d) {
        powers[d] = (powers[d - 1] - powers[d] * nodes.places[k]) / width;
      }
      powers[0] *= -nodes.places[k] / width;
    }
  }
  return nodes;
}
constexpr Nodes nodes = make_nodes();

// Powers of t in [0, 1] with coefficients of N numbers each.
template <std::size_t N>
using Powers = std::array<std::array<double, N>, node_count>;

// Lowers the degree of a polynomial as far as it is nowhere off by more than `tolerance`; size()
// says how much a coefficient is. Each step subtracts the Chebyshev polynomial that takes the
// highest power away: no other changes the values by less.
template <std::size_t N, class Size>
std::size_t reduced_degree(Powers<N>& powers, std::size_t degree, double tolerance,
                           const Size& size) {
  // By degree: Chebyshev's polynomial in [0, 1], divided by its leading coefficient. None is larger
  // anywhere than at 0.
  static constexpr std::array<std::array<double, node_count>, node_count> chebyshev{
      {{},
       {-1.0 / 2, 1},
       {1.0 / 8, -1, 1},
       {-1.0 / 32, 9.0 / 16, -3.0 / 2, 1},
       {1.0 / 128, -1.0 / 4, 5.0 / 4, -2, 1},
       {-1.0 / 512, 25.0 / 256, -25.0 / 32, 35.0 / 16, -5.0 / 2, 1}}};
  for (; degree > 0; --degree) {
    tolerance -= std::fabs(chebyshev[degree][0]) * size(powers[degree]);
    if (!(tolerance >= 0)) break;
    for (std::size_t d = 0; d < degree; ++d) {
      for (std::size_t k = 0; k < N; ++k) powers[d][k] -= chebyshev[degree][d] * powers[degree][k];
    }
  }
  return degree;
}

// Cosine and sine of the angle from the frame of a joint's side to the axis of its bend.
struct Heading {
  double cosine, sine;
};
Heading heading(const ArcJoint<double>& joint, std::size_t side) {
  const double c = math::cos(joint.angle[side]), s = math::sin(joint.angle[side]);
  return {joint.axis_x * c + joint.axis_y * s, joint.axis_y * c - joint.axis_x * s};
}

// Sine and cosine between two angles.
void fit_turn(double from, double to, double tolerance, ArcSide& side) {
  Powers<2> powers{};
  for (std::size_t m = 0; m < node_count; ++m) {
    const double angle = from + (to - from) * nodes.places[m];
    const std::array<double, 2> values{math::sin(angle), math::cos(angle)};
    for (std::size_t d = 0; d < node_count; ++d) {
      for (std::size_t k = 0; k < 2; ++k) powers[d][k] += nodes.powers[m][d] * values[k];
    }
  }
  const std::size_t degree = reduced_degree(powers, most_degree, tolerance, [](const auto& power) {
    return math::hypot(power[0], power[1]);
  });
  side.degree = degree > ArcSide::low_degree ? most_degree : ArcSide::low_degree;
  for (std::size_t d = 0; d <= degree; ++d) {
    side.sines[d] = single(powers[d][0]);
    side.cosines[d] = single(powers[d][1]);
  }
}

// The motion that takes a joint's side at bind to that in the pose, if nothing else happens to the
// points, which are up to `farthest` from the curve and given relative to `center`; `tolerance` in
// the same unit.
std::optional<CurveMotion> rigid_motion(const ArcJoint<double>& rest, const ArcJoint<double>& joint,
                                        std::size_t side, const Vec3& center, double farthest,
                                        double tolerance) {
  const auto is_near = [&](double a, double b, double arm) {
    return std::fabs(a - b) * arm <= tolerance;
  };
  const double reach = joint.reach[side];
  const bool is_as_at_bind =
      is_near(joint.bend, rest.bend, farthest + reach) && is_near(reach, rest.reach[side], 1) &&
      is_near(joint.growth[side], 0, 1) && is_near(joint.room, rest.room, 1) &&
      is_near(joint.slope[side], 0, farthest) && is_near(joint.twist_gap, 0, farthest) &&
      !scales(joint.scale[0]) && !scales(joint.scale[1]);
  if (!is_as_at_bind) return std::nullopt;
  const Heading to = heading(joint, side), from = heading(rest, side);
  const bool is_straight = is_near(rest.bend, 0, farthest + reach);
  if (!is_straight &&
      !(is_near(to.cosine, from.cosine, farthest) && is_near(to.sine, from.sine, farthest))) {
    return std::nullopt;
  }
  // Of the axes of the points' coordinates.
  const auto axes = [&](const ArcJoint<double>& of, const Heading& h) {
    return Mat3{of.axis * h.cosine - of.out[side] * h.sine,
                of.axis * h.sine + of.out[side] * h.cosine, of.direction[side]};
  };
  const Mat3 linear = axes(joint, to) * transpose(axes(rest, from));
  return CurveMotion{true, rows_of(linear, joint.center + linear * (center - rest.center))};
}

// `tolerance`: of the points' distances from the curve.
ArcSide arc_side(const ArcJoint<double>& joint, std::size_t side, double tolerance) {
  ArcSide to{};
  to.center = single(joint.center);
  to.axis = single(joint.axis);
  to.out = single(joint.out[side]);
  to.towards = single(joint.direction[side] * (side == 0 ? 1.0 : -1.0));
  const double angle = math::atan2(joint.axis_y, joint.axis_x) - joint.angle[side];
  to.angle = single(angle / pi);
  to.sine = single(math::sin(angle));
  to.cosine = single(math::cos(angle));
  const auto& [a, b] = joint.scale;
  to.scale = single(a);
  to.scale_change = single({b.xx - a.xx, b.xy - a.xy, b.yx - a.yx, b.yy - a.yy});
  to.is_scaled = scales(a) || scales(b);
  const double slope = beyond_rounding(-joint.slope[side], 1);
  const double twist_gap = beyond_rounding(-joint.twist_gap, 1);
  to.slope = single(slope / pi);
  to.twist_gap = single(twist_gap / pi);
  to.is_twisted = to.slope != 0 || to.twist_gap != 0;
  // The shares go from 0 to 1 and, on the first side, from 0 to 1/2; on the other, from -1/2 to 0.
  const double gap = twist_gap * (side == 0 ? 0.5 : -0.5);
  const double low = std::min(slope, 0.0) + std::min(gap, 0.0);
  const double range = std::fabs(slope) + std::fabs(gap);
  constexpr double widest_range = 1.5;  // where polynomials of degree 5 are off by 8e-6
  if (to.is_twisted && range <= widest_range) {
    fit_turn(angle + low, angle + low + range, tolerance, to);
    to.t_start = single(-low / range);
    to.t_slope = single(slope / range);
    to.t_gap = single(twist_gap / range);
  }
  to.reach = single(joint.reach[side]);
  to.growth = single(beyond_rounding(joint.growth[side], joint.reach[side]));
  to.half_bend = single(joint.bend / 2);
  to.tan_half = single(joint.tan_half);
  to.is_straight = joint.tan_half < 1e-7;
  to.inverse_tan = single(inverse_or_0(joint.tan_half));
  to.roundness = single(joint.roundness);
  const double softness = std::max(1 - joint.roundness, 0.0);
  to.turning_point = single(softness - joint.roundness);
  to.inverse_softness = single(inverse_or_0(4 * softness));
  const double deepest = 0.8 * joint.room;
  to.deepest = single(deepest);
  to.inverse_deepest = single(inverse_or_0(2 * deepest));
  to.room = single(joint.room);
  to.inverse_room = single(inverse_or_0(joint.room));
  const auto norm = [](const offset_curve::Mat2& m) {
    return math::hypot(math::hypot(m.xx, m.xy), math::hypot(m.yx, m.yy));
  };
  const double spread = to.is_scaled ? std::max(norm(a), norm(b)) : 1.0;
  // A smooth maximum is larger by a quarter of its width at most.
  const double widest = spread * (std::max(1.0, joint.roundness) + 0.25 * softness);
  to.widest = single(widest);
  to.farthest_slide = single((widest + spread) * joint.tan_half);
  to.tightness = single(std::max(spread * joint.tan_half / 0.4, to.farthest_slide / 0.75));
  return to;
}

// A 3x4 matrix by rows, in double precision.
using Rows34 = std::array<double, 12>;

// How far a map moves points up to `farthest` from the curve.
double size_of(const Rows34& map, double farthest) {
  double linear = 0, shift = 0;
  for (std::size_t k = 0; k < map.size(); ++k) (k % 4 == 3 ? shift : linear) += map[k] * map[k];
  return std::sqrt(linear) * farthest + std::sqrt(shift);
}

Rows34 rows34(const Mat3& m, const Vec3& t) {
  return {m.x.x, m.y.x, m.z.x, t.x, m.x.y, m.y.y, m.z.y, t.y, m.x.z, m.y.z, m.z.z, t.z};
}

void add_times(Rows34& sum, const Rows34& m, double by) {
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += m[k] * by;
}

MatrixRows single(const Rows34& rows) {
  MatrixRows to;
  std::transform(rows.begin(), rows.end(), to.begin(), [](double x) { return single(x); });
  return to;
}

// Of a control point, from rows of all of them.
template <class Rows>
Mat3 control_matrix(const Rows& rows, std::size_t j) {
  const auto column = [&](std::size_t k) {
    return Vec3{rows[k][j], rows[k + 1][j], rows[k + 2][j]};
  };
  return {column(0), column(3), column(6)};
}

Mat3 dyad(const Vec3& column, const Vec3& row) {
  return {column * row.x, column * row.y, column * row.z};
}

// A control point's map, at its twist `middle` + x: fixed + cos(x) cosine + sin(x) sine.
struct TurningMap {
  Rows34 fixed, cosine, sine;
};

TurningMap turning_map(const Mat3& local, const Mat3& frame, const Vec3& point, double middle) {
  const Mat3 rows = transpose(local);
  const double c = math::cos(middle), s = math::sin(middle);
  const Vec3 x = rows.x * c - rows.y * s, y = rows.x * s + rows.y * c;
  return {rows34(dyad(frame.z, rows.z), point), rows34(dyad(frame.x, x) + dyad(frame.y, y), {}),
          rows34(dyad(frame.y, x) - dyad(frame.x, y), {})};
}

// The motion that takes a piece at bind to that in the pose, if all of its control points share it;
// points are up to `farthest` from the curve and given relative to `center`; `tolerance` in the
// same unit.
std::optional<CurveMotion> rigid_motion(const SplinePiece<double>& rest,
                                        const SplinePiece<double>& piece, const Vec3& center,
                                        double farthest, double tolerance) {
  const std::size_t count =
      static_cast<std::size_t>(piece.span_count) + offset_curve::spline_degree;
  Mat3 first;
  Vec3 shift;
  for (std::size_t j = 0; j < count; ++j) {
    const Mat3 rows = transpose(control_matrix(piece.local, j));
    const double c = math::cos(piece.angle[j]), s = math::sin(piece.angle[j]);
    const Mat3 turned{rows.x * c - rows.y * s, rows.x * s + rows.y * c, rows.z};
    const Mat3 linear = control_matrix(piece.frame, j) * transpose(turned);
    if (j == 0) {
      first = linear;
      shift = piece.control_point(0) - linear * rest.control_point(0);
      continue;
    }
    const Vec3 off[] = {linear.x - first.x, linear.y - first.y, linear.z - first.z};
    const double turns = math::hypot(math::hypot(length(off[0]), length(off[1])), length(off[2]));
    const Vec3 apart = first * rest.control_point(j) + shift - piece.control_point(j);
    if (!(turns * farthest + length(apart) <= tolerance)) return std::nullopt;
  }
  return CurveMotion{true, rows_of(first, first * center + shift)};
}

// Through the maps at the nodes. The twists are relative to that of `controls`, and so small that
// Taylor's polynomials will do.
void fit_powers(const std::array<TurningMap, 4>& controls, const std::array<double, 4>& twists,
                const std::array<std::array<double, 4>, 4>& basis, Powers<12>& powers) {
  for (std::size_t m = 0; m < node_count; ++m) {
    const double t = nodes.places[m];
    std::array<double, 4> shares;
    double x = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      shares[j] = basis[0][j] + t * (basis[1][j] + t * (basis[2][j] + t * basis[3][j]));
      x += shares[j] * twists[j];
    }
    const double z = x * x;
    const double sine = x * (1 - z / 6 * (1 - z / 20 * (1 - z / 42 * (1 - z / 72))));
    const double cosine = 1 - z / 2 * (1 - z / 12 * (1 - z / 30 * (1 - z / 56)));
    Rows34 map{};
    for (std::size_t j = 0; j < 4; ++j) {
      add_times(map, controls[j].fixed, shares[j]);
      add_times(map, controls[j].cosine, shares[j] * cosine);
      add_times(map, controls[j].sine, shares[j] * sine);
    }
    for (std::size_t d = 0; d < node_count; ++d) add_times(powers[d], map, nodes.powers[m][d]);
  }
}

// `farthest` of the points from the curve; `tolerance` in the same unit.
SplineSpanLanes spline_span(const SplinePiece<double>& piece, std::size_t s, double farthest,
                            double tolerance) {
  // A polynomial of degree 5 is off by 1e-6 of the offset where the twist changes by this.
  constexpr double most_twist = 0.5;
  SplineSpanLanes to{};
  to.begin = single(piece.begins[s]);
  to.inverse_length = single(piece.spans[s].inverse_length);
  const auto& basis = piece.spans[s].basis;
  const auto angles = std::span(piece.angle).subspan(s, 4);
  const auto [least, most] = std::minmax_element(angles.begin(), angles.end());
  const double middle = (*least + *most) / 2;
  to.is_turned = *most - *least > most_twist;
  std::array<TurningMap, 4> controls;
  std::array<double, 4> twists;
  for (std::size_t j = 0; j < 4; ++j) {
    const Mat3 local = control_matrix(piece.local, s + j),
               frame = control_matrix(piece.frame, s + j);
    const Vec3 point = piece.control_point(s + j);
    twists[j] = angles[j] - middle;
    if (to.is_turned) {
      to.angle[j] = single(angles[j] / pi);
      to.in[j] = rows_of(local, {});
      to.out[j] = rows_of(frame, point);
      for (std::size_t d = 0; d < 4; ++d) to.basis[d][j] = single(basis[d][j]);
    } else {
      controls[j] = turning_map(local, frame, point, middle);
    }
  }
  if (to.is_turned) return to;
  Powers<12> powers{};
  std::size_t degree = offset_curve::spline_degree;
  if (beyond_rounding(*most - *least, 1) != 0) {
    degree = most_degree;
    fit_powers(controls, twists, basis, powers);
  } else {
    for (std::size_t d = 0; d <= degree; ++d) {
      for (std::size_t j = 0; j < 4; ++j) {
        add_times(powers[d], controls[j].fixed, basis[d][j]);
        add_times(powers[d], controls[j].cosine, basis[d][j]);
      }
    }
  }
  to.degree = reduced_degree(powers, degree, tolerance,
                             [&](const Rows34& power) { return size_of(power, farthest); });
  for (std::size_t d = 0; d <= to.degree; ++d) to.powers[d] = single(powers[d]);
  return to;
}

// What polynomials of a lower degree may be off by, of the shape's size.
constexpr double lost = 2e-6;
// The same of an item that is taken for rigid: rounding, if nothing bends.
constexpr double lost_if_rigid = 1e-7;

// Where on the piece's length the parameter is reached.
double fraction_at(const SplinePiece<double>& piece, double parameter) {
  const auto& table = piece.parameter;
  const auto above = std::upper_bound(table.begin() + 1, table.end() - 1, parameter);
  const double begin = *(above - 1);
  const auto i = static_cast<double>(above - 1 - table.begin());
  return (i + std::clamp(offset_curve::quotient(parameter - begin, *above - begin), 0.0, 1.0)) /
         static_cast<double>(SplinePieceLanes::intervals);
}

}  // namespace

void fill_curves(std::span<const ArcJoint<double>> joints,
                 std::span<const ArcJoint<double>* const> rest, const PackedCurves& curves,
                 std::vector<ArcSide>& to) {
  to.resize(2 * joints.size());
  for (std::size_t i = 0; i < to.size(); ++i) {
    const double farthest = i < curves.farthest.size() ? curves.farthest[i] : 0.0f;
    if (rest[i / 2] != nullptr) {
      const auto motion = rigid_motion(*rest[i / 2], joints[i / 2], i % 2, curves.center, farthest,
                                       lost_if_rigid * curves.size);
      if (motion) {
        to[i].motion = *motion;
        continue;
      }
    }
    to[i] = arc_side(joints[i / 2], i % 2, farthest > 0 ? lost * curves.size / farthest : 1.0);
  }
}

void fill_curves(std::span<const SplinePiece<double>> pieces,
                 std::span<const SplinePiece<double>* const> rest, const PackedCurves& curves,
                 std::vector<SplinePieceLanes>& to) {
  to.resize(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const SplinePiece<double>& piece = pieces[i];
    const double farthest = i < curves.farthest.size() ? curves.farthest[i] : 0.0f;
    const auto motion = rest[i] == nullptr ? std::nullopt
                                           : rigid_motion(*rest[i], piece, curves.center, farthest,
                                                          lost_if_rigid * curves.size);
    to[i].motion = motion.value_or(CurveMotion{});
    if (motion) continue;
    for (std::size_t k = 0; k < SplinePieceLanes::intervals; ++k) {
      to[i].parameter[k] = single(piece.parameter[k]);
      to[i].change[k] = single(piece.parameter[k + 1] - piece.parameter[k]);
    }
    to[i].span_count = static_cast<std::size_t>(piece.span_count);
    to[i].ends.fill(2);
    for (std::size_t s = 0; s < to[i].span_count; ++s) {
      to[i].spans[s] = spline_span(piece, s, farthest, lost * curves.size);
      if (s > 0) to[i].ends[s - 1] = single(fraction_at(piece, piece.begins[s]));
    }
    to[i].hold_change =
        piece.stretch > 0 ? single(beyond_rounding(1 / piece.stretch - 1, 1)) : 0.0f;
  }
}

}  // namespace sinew::kernels
