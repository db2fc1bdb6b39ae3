// SPDX-License-Identifier: Apache-2.0
// The curves of a pose, in floats.
#include <algorithm>
#include <cmath>

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

double inverse_or_0(double value) { return value > 0 ? 1 / value : 0.0; }

ArcSide arc_side(const ArcJoint<double>& joint, std::size_t side) {
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
  to.slope = single(-joint.slope[side] / pi);
  to.twist_gap = single(-joint.twist_gap / pi);
  to.is_twisted = to.slope != 0 || to.twist_gap != 0;
  to.reach = single(joint.reach[side]);
  to.growth = single(joint.growth[side]);
  to.half_bend = single(joint.bend / 2);
  to.tan_half = single(joint.tan_half);
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

constexpr std::size_t node_count = SplineSpanLanes::most_degree + 1;

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

// Through the maps at the nodes. The twists are relative to that of `controls`, and so small that
// Taylor's polynomials will do.
void fit_powers(const std::array<TurningMap, 4>& controls, const std::array<double, 4>& twists,
                const std::array<std::array<double, 4>, 4>& basis, SplineSpanLanes& to) {
  std::array<Rows34, node_count> powers{};
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
  to.degree = SplineSpanLanes::most_degree;
  for (std::size_t d = 0; d < node_count; ++d) to.powers[d] = single(powers[d]);
}

SplineSpanLanes spline_span(const SplinePiece<double>& piece, std::size_t s) {
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
    const auto matrix = [&](const auto& rows) {
      const auto column = [&](std::size_t k) {
        return Vec3{rows[k][s + j], rows[k + 1][s + j], rows[k + 2][s + j]};
      };
      return Mat3{column(0), column(3), column(6)};
    };
    const Mat3 local = matrix(piece.local), frame = matrix(piece.frame);
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
  if (*least != *most) {
    fit_powers(controls, twists, basis, to);
    return to;
  }
  to.degree = offset_curve::spline_degree;
  for (std::size_t d = 0; d <= to.degree; ++d) {
    Rows34 sum{};
    for (std::size_t j = 0; j < 4; ++j) {
      add_times(sum, controls[j].fixed, basis[d][j]);
      add_times(sum, controls[j].cosine, basis[d][j]);
    }
    to.powers[d] = single(sum);
  }
  return to;
}

}  // namespace

void fill_curves(std::span<const ArcJoint<double>> joints, std::vector<ArcSide>& to) {
  to.resize(2 * joints.size());
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = arc_side(joints[i / 2], i % 2);
}

void fill_curves(std::span<const SplinePiece<double>> pieces, std::vector<SplinePieceLanes>& to) {
  to.resize(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const SplinePiece<double>& piece = pieces[i];
    std::transform(piece.parameter.begin(), piece.parameter.end(), to[i].parameter.begin(),
                   [](double value) { return single(value); });
    to[i].span_count = static_cast<std::size_t>(piece.span_count);
    for (std::size_t s = 0; s < to[i].span_count; ++s) to[i].spans[s] = spline_span(piece, s);
    to[i].hold_change = piece.stretch > 0 ? single(1 / piece.stretch - 1) : 0.0f;
  }
}

}  // namespace sinew::kernels
