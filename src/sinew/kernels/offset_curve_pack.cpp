// SPDX-License-Identifier: Apache-2.0
// Offset curves, their points and their poses, in floats.
#include <algorithm>
#include <numeric>
#include <type_traits>

#include "sinew/core/math.h"
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
  std::array<double, 9> fields{};
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
  entry.farthest = std::max(entry.farthest, to_f(math::hypot(bind.x, bind.y)));
}

void note(const SplineBind<double>& bind, double, CurveEntry& entry) {
  entry.is_held = entry.is_held || bind.hold != 0;
  entry.least = std::min(entry.least, to_f(bind.fraction));
  entry.most = std::max(entry.most, to_f(bind.fraction));
}

Floats floats_of(const ArcBind<double>& bind, const CurveEntry& entry) {
  Floats to;
  to.add(bind.weight);
  to.add(bind.x);
  to.add(bind.y);
  to.add(bind.along);
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

// Appends the tile of the 16 vertices `lanes`.
template <class Bind>
void pack_tile(const Ties<Bind>& ties, std::span<const std::uint32_t> lanes, double size,
               PackedCurves& packed) {
  std::vector<std::uint32_t> items, own;
  for (const std::uint32_t v : lanes) {
    items_of(ties, v, own);
    items.insert(items.end(), own.begin(), own.end());
  }
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  constexpr bool with_twists = std::is_same_v<Bind, ArcBind<double>>;
  for (const std::uint32_t item : items) {
    // Each lane's tie. Lanes that the item does not move copy one that it moves, with weight 0:
    // whatever comes out is finite.
    std::array<const Bind*, tile_size> binds{};
    const Bind* known = nullptr;
    CurveEntry entry{.item = item,
                     .fields = static_cast<std::uint32_t>(packed.fields.size() / tile_size)};
    for (std::size_t lane = 0; lane < tile_size; ++lane) {
      for (const Bind& bind : ties.binds[lanes[lane]]) {
        if (item_of(bind) != item) continue;
        known = binds[lane] = &bind;
        note(*known, size, entry);
      }
    }
    const std::size_t first = packed.fields.size(), first_twist = packed.twists.size();
    if (with_twists) packed.twists.resize(first_twist + twist_field::count * tile_size, 0.0f);
    for (std::size_t lane = 0; lane < tile_size; ++lane) {
      Floats floats;
      if (known != nullptr) {
        floats = floats_of(binds[lane] != nullptr ? *binds[lane] : *known, entry);
        if (binds[lane] == nullptr) floats.fields[curve_field::weight] = 0;
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
  packed.first_entry.push_back(static_cast<std::uint32_t>(packed.entries.size()));
}

template <class Bind>
PackedCurves pack(const Ties<Bind>& ties) {
  PackedCurves packed;
  packed.vertex_count = ties.points.size();
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
    for (std::size_t i = 0; i < order.size(); i += tile_size) {
      pack_tile(ties, std::span(order).subspan(i, tile_size), size, packed);
    }
  }
  packed.tile_count = packed.first_entry.size() - 1;
  return packed;
}

double inverse_or_0(double value) { return value > 0 ? 1 / value : 0.0; }

ArcSide arc_side(const ArcJoint<double>& joint, std::size_t side) {
  ArcSide to{};
  to.center = to_f(joint.center);
  to.axis = to_f(joint.axis);
  to.out = to_f(joint.out[side]);
  to.towards = to_f(joint.direction[side] * (side == 0 ? 1.0 : -1.0));
  const double c = math::cos(joint.angle[side]), s = math::sin(joint.angle[side]);
  to.across = {to_f(joint.out_x * c + joint.out_y * s), to_f(joint.out_y * c - joint.out_x * s),
               to_f(joint.axis_x * c + joint.axis_y * s),
               to_f(joint.axis_y * c - joint.axis_x * s)};
  const auto& [a, b] = joint.scale;
  to.scale = to_f(a);
  to.scale_change = to_f({b.xx - a.xx, b.xy - a.xy, b.yx - a.yx, b.yy - a.yy});
  const std::array<float, 4> identity{1, 0, 0, 1}, nothing{};
  to.is_scaled = to.scale != identity || to.scale_change != nothing;
  to.slope = to_f(joint.slope[side] / pi);
  to.twist_gap = to_f(joint.twist_gap / pi);
  to.is_twisted = to.slope != 0 || to.twist_gap != 0;
  to.reach = to_f(joint.reach[side]);
  to.growth = to_f(joint.growth[side]);
  to.half_bend = to_f(joint.bend / 2);
  to.tan_half = to_f(joint.tan_half);
  to.inverse_tan = to_f(inverse_or_0(joint.tan_half));
  to.roundness = to_f(joint.roundness);
  const double softness = std::max(1 - joint.roundness, 0.0);
  to.softness = to_f(softness);
  to.inverse_softness = to_f(inverse_or_0(4 * softness));
  const double deepest = 0.8 * joint.room;
  to.deepest = to_f(deepest);
  to.inverse_deepest = to_f(inverse_or_0(2 * deepest));
  to.room = to_f(joint.room);
  to.inverse_room = to_f(inverse_or_0(joint.room));
  const auto norm = [](const offset_curve::Mat2& m) {
    return math::hypot(math::hypot(m.xx, m.xy), math::hypot(m.yx, m.yy));
  };
  const double spread = to.is_scaled ? std::max(norm(a), norm(b)) : 1.0;
  // A smooth maximum is larger by a quarter of its width at most.
  const double widest = spread * (std::max(1.0, joint.roundness) + 0.25 * softness);
  to.widest = to_f(widest);
  to.farthest_slide = to_f((widest + spread) * joint.tan_half);
  return to;
}

SplineSpanLanes spline_span(const SplinePiece<double>& piece, std::size_t s) {
  SplineSpanLanes to{};
  to.begin = to_f(piece.begins[s]);
  to.inverse_length = to_f(piece.spans[s].inverse_length);
  to.is_shared = true;
  for (std::size_t j = 0; j < 4; ++j) {
    for (std::size_t d = 0; d < 4; ++d) to.basis[d][j] = to_f(piece.spans[s].basis[d][j]);
    const auto matrix = [&](const auto& rows) {
      const auto column = [&](std::size_t k) {
        return Vec3{rows[k][s + j], rows[k + 1][s + j], rows[k + 2][s + j]};
      };
      return Mat3{column(0), column(3), column(6)};
    };
    const double angle = piece.angle[s + j];
    const double cosine = math::cos(angle), sine = math::sin(angle);
    const Mat3 local = matrix(piece.local), frame = matrix(piece.frame);
    const Mat3 turn{{cosine, sine, 0}, {-sine, cosine, 0}, {0, 0, 1}};
    const Vec3 point = piece.control_point(s + j);
    to.angle[j] = to_f(angle / pi);
    to.maps[j] = rows_of(frame * turn * local, point);
    to.in[j] = rows_of(local, {});
    to.out[j] = rows_of(frame, point);
    to.is_twisted = to.is_twisted || angle != piece.angle[s];
    to.is_shared = to.is_shared && to.in[j] == to.in[0];
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
