// SPDX-License-Identifier: Apache-2.0
// Offset curves, their points and their poses, in floats.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <type_traits>

#include "sinew/kernels/detail/curves.h"

namespace sinew::kernels {
namespace {

using offset_curve::ArcBind;
using offset_curve::ArcJoint;
using offset_curve::SplineBind;
using offset_curve::SplinePiece;
using offset_curve::Ties;

float to_f(double value) { return static_cast<float>(value); }
std::array<float, 3> to_f(const Vec3& v) { return {to_f(v.x), to_f(v.y), to_f(v.z)}; }
std::array<float, 4> to_f(const offset_curve::Mat2& m) {
  return {to_f(m.xx), to_f(m.xy), to_f(m.yx), to_f(m.yy)};
}

std::uint32_t item_of(const ArcBind<double>& bind) {
  return static_cast<std::uint32_t>(2 * bind.joint + bind.side);
}
std::uint32_t item_of(const SplineBind<double>& bind) {
  return static_cast<std::uint32_t>(bind.piece);
}

double place_of(const ArcBind<double>& bind) { return bind.along; }
double place_of(const SplineBind<double>& bind) { return bind.fraction; }

// The floats of one tie, in the order of the blocks; those that not all entries have are asked for.
struct Floats {
  std::array<double, 10> fields{};
  std::size_t count = 0;
  std::array<double, twist_field::count> twists{};

  void add(double value) { fields[count++] = value; }
};

double held_share(const ArcBind<double>& bind) { return (1 - bind.along) * bind.hold; }

void note(const ArcBind<double>& bind, double size, CurveEntry& entry) {
  constexpr double rounding = 1e-9;  // what it leaves is not corrected
  entry.is_held = entry.is_held || held_share(bind) != 0;
  entry.is_beyond = entry.is_beyond || bind.beyond != 0;
  entry.is_corrected = entry.is_corrected || length(bind.correction) > rounding * size;
  entry.most = std::max(entry.most, to_f(bind.along));
  entry.farthest = std::max(entry.farthest, to_f(std::hypot(bind.x, bind.y)));
}

void note(const SplineBind<double>& bind, double, CurveEntry& entry) {
  entry.is_held = entry.is_held || bind.hold != 0;
  entry.least = std::min(entry.least, to_f(bind.fraction));
  entry.most = std::max(entry.most, to_f(bind.fraction));
}

Floats floats_of(const ArcBind<double>& bind, const CurveEntry& entry) {
  Floats to;
  to.add(bind.weight);
  const double distance = std::hypot(bind.x, bind.y);
  to.add(distance > 0 ? bind.x / distance : 1.0);
  to.add(distance > 0 ? bind.y / distance : 0.0);
  to.add(bind.along);
  to.add(distance);
  if (entry.is_held) to.add(held_share(bind));
  if (entry.is_beyond) to.add(bind.beyond);
  if (entry.is_corrected) {
    to.add(bind.correction.x);
    to.add(bind.correction.y);
    // Along the direction towards the joint.
    to.add(bind.side == 0 ? bind.correction.z : -bind.correction.z);
  }
  to.twists = {bind.twist, bind.gap, bind.scale};
  return to;
}

Floats floats_of(const SplineBind<double>& bind, const CurveEntry& entry) {
  Floats to;
  to.add(bind.weight);
  to.add(bind.offset.x);
  to.add(bind.offset.y);
  to.add(bind.offset.z);
  to.add(bind.fraction);
  if (entry.is_held) to.add(bind.hold);
  return to;
}

// The items of the vertex's ties, ascending.
template <class Bind>
void items_of(const Ties<Bind>& ties, std::size_t v, std::vector<std::uint32_t>& items) {
  items.clear();
  for (const Bind& bind : ties.binds[v]) items.push_back(item_of(bind));
  if (items.empty()) items.push_back(no_item);
  std::sort(items.begin(), items.end());
}

template <class Bind>
std::vector<std::uint32_t> order_of(const Ties<Bind>& ties, std::size_t begin, std::size_t end) {
  struct Key {
    std::vector<std::uint32_t> items;
    double place = 0;  // on the curve of its largest weight
  };
  std::vector<Key> keys(end - begin);
  for (std::size_t v = begin; v < end; ++v) {
    Key& key = keys[v - begin];
    items_of(ties, v, key.items);
    double largest = 0;
    for (const Bind& bind : ties.binds[v]) {
      if (!(bind.weight > largest)) continue;
      largest = bind.weight;
      key.place = place_of(bind);
    }
  }
  std::vector<std::uint32_t> order(end - begin);
  std::iota(order.begin(), order.end(), static_cast<std::uint32_t>(begin));
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Key &x = keys[a - begin], &y = keys[b - begin];
    if (x.items != y.items) return x.items < y.items;
    return x.place != y.place ? x.place < y.place : a < b;
  });
  return order;
}

// An entry before it is packed, with each lane's tie to its item, or null.
template <class Bind>
struct OpenEntry {
  CurveEntry entry;
  std::array<const Bind*, tile_size> binds{};
};

// Appends those of a tile, the vertices `lanes`.
template <class Bind>
void open_tile(const Ties<Bind>& ties, std::span<const std::uint32_t> lanes, std::size_t tile,
               double size, std::vector<OpenEntry<Bind>>& open) {
  std::vector<std::uint32_t> items, own;
  for (const std::uint32_t v : lanes) {
    items_of(ties, v, own);
    items.insert(items.end(), own.begin(), own.end());
  }
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  for (const std::uint32_t item : items) {
    OpenEntry<Bind> to{{.item = item, .tile = static_cast<std::uint32_t>(tile)}};
    for (std::size_t lane = 0; lane < tile_size; ++lane) {
      for (const Bind& bind : ties.binds[lanes[lane]]) {
        if (item_of(bind) != item) continue;
        to.binds[lane] = &bind;
        note(bind, size, to.entry);
      }
    }
    open.push_back(to);
  }
}

// Lanes that the item does not move copy one that it moves, with weight 0: whatever comes out is
// finite.
template <class Bind>
void pack_entry(const Ties<Bind>& ties, std::span<const std::uint32_t> lanes,
                const OpenEntry<Bind>& open, PackedCurves& packed) {
  constexpr bool with_twists = std::is_same_v<Bind, ArcBind<double>>;
  const auto known = std::find_if(open.binds.begin(), open.binds.end(),
                                  [](const Bind* bind) { return bind != nullptr; });
  CurveEntry entry = open.entry;
  entry.fields = static_cast<std::uint32_t>(packed.fields.size() / tile_size);
  const std::size_t first = packed.fields.size(), first_twist = packed.twists.size();
  if (with_twists) packed.twists.resize(first_twist + twist_field::count * tile_size, 0.0f);
  for (std::size_t lane = 0; lane < tile_size; ++lane) {
    const Bind* bind = open.binds[lane];
    Floats floats;
    if (known != open.binds.end()) {
      floats = floats_of(bind != nullptr ? *bind : **known, entry);
      if (bind == nullptr) floats.fields[curve_field::weight] = 0;
    } else {
      const std::size_t v = lanes[lane];
      floats.add(ties.binds[v].empty() ? 1.0 : 0.0);
      for (std::size_t k = 0; k < 3; ++k) floats.add(ties.points[v][k]);
    }
    if (lane == 0) packed.fields.resize(first + floats.count * tile_size);
    for (std::size_t k = 0; k < floats.count; ++k) {
      packed.fields[first + k * tile_size + lane] = to_f(floats.fields[k]);
    }
    for (std::size_t k = 0; with_twists && k < twist_field::count; ++k) {
      packed.twists[first_twist + k * tile_size + lane] = to_f(floats.twists[k]);
    }
  }
  packed.entries.push_back(entry);
}

template <class Bind>
PackedCurves pack(const Ties<Bind>& ties) {
  PackedCurves packed;
  packed.vertex_count = ties.points.size();
  packed.tile_count = (packed.vertex_count + tile_size - 1) / tile_size;
  packed.slots.resize(packed.vertex_count);
  packed.first_entry.push_back(0);
  const double size = bounding_box(ties.points).diagonal();
  for (std::size_t begin = 0; begin < packed.vertex_count; begin += block_size) {
    const std::size_t end = std::min(begin + block_size, packed.vertex_count);
    std::vector<std::uint32_t> order = order_of(ties, begin, end);
    for (std::size_t i = 0; i < order.size(); ++i) {
      packed.slots[order[i]] = static_cast<std::uint16_t>(i);
    }
    while (order.size() % tile_size != 0) order.push_back(order.back());
    const auto lanes_of = [&](std::size_t tile) {
      return std::span<const std::uint32_t>(order).subspan(tile * tile_size, tile_size);
    };
    std::vector<OpenEntry<Bind>> open;
    for (std::size_t tile = 0; tile * tile_size < order.size(); ++tile) {
      open_tile(ties, lanes_of(tile), tile, size, open);
    }
    const auto key = [](const CurveEntry& e) {
      return std::tuple(e.item, e.is_corrected, e.is_held, e.is_beyond, e.most, e.tile);
    };
    std::sort(open.begin(), open.end(),
              [&](const auto& a, const auto& b) { return key(a.entry) < key(b.entry); });
    for (const OpenEntry<Bind>& entry : open) {
      pack_entry(ties, lanes_of(entry.entry.tile), entry, packed);
    }
    packed.first_entry.push_back(static_cast<std::uint32_t>(packed.entries.size()));
  }
  return packed;
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
  to.center = to_f(joint.center);
  to.axis = to_f(joint.axis);
  to.out = to_f(joint.out[side]);
  to.towards = to_f(joint.direction[side] * (side == 0 ? 1.0 : -1.0));
  const double angle = std::atan2(joint.axis_y, joint.axis_x) - joint.angle[side];
  to.angle = to_f(angle / pi);
  to.sine = to_f(std::sin(angle));
  to.cosine = to_f(std::cos(angle));
  const auto& [a, b] = joint.scale;
  to.scale = to_f(a);
  to.scale_change = to_f({b.xx - a.xx, b.xy - a.xy, b.yx - a.yx, b.yy - a.yy});
  to.is_scaled = scales(a) || scales(b);
  to.slope = to_f(-joint.slope[side] / pi);
  to.twist_gap = to_f(-joint.twist_gap / pi);
  to.is_twisted = to.slope != 0 || to.twist_gap != 0;
  to.reach = to_f(joint.reach[side]);
  to.growth = to_f(joint.growth[side]);
  to.half_bend = to_f(joint.bend / 2);
  to.tan_half = to_f(joint.tan_half);
  to.inverse_tan = to_f(inverse_or_0(joint.tan_half));
  to.roundness = to_f(joint.roundness);
  const double softness = std::max(1 - joint.roundness, 0.0);
  to.turning_point = to_f(softness - joint.roundness);
  to.inverse_softness = to_f(inverse_or_0(4 * softness));
  const double deepest = 0.8 * joint.room;
  to.deepest = to_f(deepest);
  to.inverse_deepest = to_f(inverse_or_0(2 * deepest));
  to.room = to_f(joint.room);
  to.inverse_room = to_f(inverse_or_0(joint.room));
  const auto norm = [](const offset_curve::Mat2& m) {
    return std::hypot(std::hypot(m.xx, m.xy), std::hypot(m.yx, m.yy));
  };
  const double spread = to.is_scaled ? std::max(norm(a), norm(b)) : 1.0;
  // A smooth maximum is larger by a quarter of its width at most.
  const double widest = spread * (std::max(1.0, joint.roundness) + 0.25 * softness);
  to.widest = to_f(widest);
  to.farthest_slide = to_f((widest + spread) * joint.tan_half);
  to.tightness = to_f(std::max(spread * joint.tan_half / 0.4, to.farthest_slide / 0.75));
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

MatrixRows to_f(const Rows34& rows) {
  MatrixRows to;
  std::transform(rows.begin(), rows.end(), to.begin(), [](double x) { return to_f(x); });
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
  const double c = std::cos(middle), s = std::sin(middle);
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
  for (std::size_t d = 0; d < node_count; ++d) to.powers[d] = to_f(powers[d]);
}

SplineSpanLanes spline_span(const SplinePiece<double>& piece, std::size_t s) {
  // A polynomial of degree 5 is off by 1e-6 of the offset where the twist changes by this.
  constexpr double most_twist = 0.5;
  SplineSpanLanes to{};
  to.begin = to_f(piece.begins[s]);
  to.inverse_length = to_f(piece.spans[s].inverse_length);
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
      to.angle[j] = to_f(angles[j] / pi);
      to.in[j] = rows_of(local, {});
      to.out[j] = rows_of(frame, point);
      for (std::size_t d = 0; d < 4; ++d) to.basis[d][j] = to_f(basis[d][j]);
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
    to.powers[d] = to_f(sum);
  }
  return to;
}

}  // namespace

PackedCurves pack_curves(const Ties<ArcBind<double>>& ties) { return pack(ties); }
PackedCurves pack_curves(const Ties<SplineBind<double>>& ties) { return pack(ties); }

void fill_curves(std::span<const ArcJoint<double>> joints, std::vector<ArcSide>& to) {
  to.resize(2 * joints.size());
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = arc_side(joints[i / 2], i % 2);
}

void fill_curves(std::span<const SplinePiece<double>> pieces, std::vector<SplinePieceLanes>& to) {
  to.resize(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const SplinePiece<double>& piece = pieces[i];
    std::transform(piece.parameter.begin(), piece.parameter.end(), to[i].parameter.begin(),
                   [](double value) { return to_f(value); });
    to[i].span_count = static_cast<std::size_t>(piece.span_count);
    for (std::size_t s = 0; s < to[i].span_count; ++s) to[i].spans[s] = spline_span(piece, s);
    to[i].hold_change = piece.stretch > 0 ? to_f(1 / piece.stretch - 1) : 0.0f;
  }
}

}  // namespace sinew::kernels
