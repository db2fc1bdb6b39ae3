// SPDX-License-Identifier: Apache-2.0
// Offset curves (Gregory and Weston 2008), 16 points at once; deform/internal/offset_curve/ has the
// equations, point by point.
#if defined(SINEW_KERNELS_OFFSET_CURVE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_KERNELS_OFFSET_CURVE_INL
#undef SINEW_KERNELS_OFFSET_CURVE_INL
#else
#define SINEW_KERNELS_OFFSET_CURVE_INL
#endif

#include "sinew/kernels/detail/curves.h"
#include "sinew/kernels/detail/results-inl.h"
#include "sinew/kernels/detail/surface-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {

// The floats of an entry, at the first lane of a register.
struct Fields {
  const float* HWY_RESTRICT at;
  SINEW_KERNEL_INLINE V operator[](std::size_t field) const {
    return hn::LoadU(D(), at + field * tile_size);
  }
};

struct V2 {
  V x, y;
};

SINEW_KERNEL_INLINE V2 rotated(const SinCos& turn, const V2& v) {
  return {hn::MulSub(turn.cos, v.x, hn::Mul(turn.sin, v.y)),
          hn::MulAdd(turn.sin, v.x, hn::Mul(turn.cos, v.y))};
}

// What smooth_min takes from the minimum of a and b. `inverse` is 1 / (4 width), or 0.
SINEW_KERNEL_INLINE V smoothing(V a, V b, V width, V inverse) {
  const V overlap = hn::Max(hn::Sub(width, hn::Abs(hn::Sub(a, b))), hn::Zero(D()));
  return hn::Mul(hn::Mul(overlap, overlap), inverse);
}

struct ArcLanes {
  // arc_point(), in lengths of the point's distance from the curve where that saves a root: no pose
  // without scale changes the distance.
  SINEW_KERNEL_INLINE static V3 point(const ArcSide& side, const CurveEntry& entry,
                                      const Fields& fields, const Fields& twists) {
    std::size_t next = curve_field::distance + 1;  // of the fields that not all entries have
    const V o = hn::Zero(D()), one = constant(1.0f);
    V2 unit{fields[curve_field::x], fields[curve_field::y]};
    V distance = fields[curve_field::distance];
    if (side.is_scaled) distance = hn::Mul(distance, scale(side, twists, unit));
    SinCos turn{constant(side.sine), constant(side.cosine)};
    if (side.is_twisted) {
      turn = sincos_half_turns(hn::MulAdd(
          twists[twist_field::twist], constant(side.slope),
          hn::MulAdd(twists[twist_field::gap], constant(side.twist_gap), constant(side.angle))));
    }
    const V2 across = to_bend_plane(turn, unit);
    V axial = hn::Mul(across.y, distance);

    // arc_shape(). The smooth maximum of x <= 1 and the roundness, 1 - roundness wide, is a
    // parabola that begins where it leaves the roundness.
    const V tan_half = constant(side.tan_half);
    const bool is_tight = entry.farthest * side.tightness > side.room;
    V offset = hn::Mul(across.x, distance), share = across.x;
    if (is_tight) limit_offset(side, distance, offset, share);
    const V above = hn::Max(hn::Add(share, constant(side.turning_point)), o);
    V radius = hn::Mul(hn::MulAdd(hn::Mul(above, constant(side.inverse_softness)), above,
                                  constant(side.roundness)),
                       distance);
    V slide = hn::Mul(hn::Sub(radius, offset), tan_half);
    if (is_tight) limit_slide(side, offset, radius, slide);

    // The place along the curve, as its components towards the joint and outwards.
    const V reach = constant(side.reach);
    const V straight = hn::Sub(reach, slide);
    V s =
        hn::Mul(fields[curve_field::along], hn::MulAdd(radius, constant(side.half_bend), straight));
    if (entry.is_held) s = hn::MulAdd(fields[next++], constant(side.growth), s);
    V towards = hn::Sub(s, reach);
    if (entry.is_beyond) towards = hn::Sub(towards, fields[next++]);
    V outward = offset;
    if (is_tight) {
      // Where the offset gave way, it comes back on the line.
      const auto has_line = hn::Gt(straight, o);
      const V t = hn::IfThenElse(has_line, hn::Min(hn::Div(s, straight), one), one);
      const V rise = hn::Mul(hn::Mul(t, t), hn::NegMulAdd(t, constant(2.0f), constant(3.0f)));
      const V whole = hn::Mul(across.x, distance);
      outward = hn::MulAdd(hn::Sub(offset, whole), rise, whole);
    }
    SinCos swept{o, one};
    const bool bends = may_bend(side, entry);
    if (bends) {
      // Lanes that are still on the line have swept nothing.
      const V on_arc = hn::Max(hn::Sub(s, straight), o);
      const V angle =
          hn::Div(on_arc, hn::MulAdd(radius, constant(static_cast<float>(pi)), constant(1e-30f)));
      const bool is_within = !entry.is_held || side.growth <= 0;  // of half the bend
      swept = is_within ? sincos_within_quarter(hn::Min(angle, constant(0.5f)))
                        : sincos_half_turns(angle);
      towards = hn::MulAdd(swept.sin, radius, hn::Sub(towards, on_arc));
      outward = hn::MulAdd(hn::Sub(swept.cos, one), radius, outward);
    }
    if (entry.is_corrected) {
      const V2 rest = to_bend_plane(turn, {fields[next], fields[next + 1]});
      V2 moved{rest.x, fields[next + 2]};
      if (bends) moved = rotated(swept, moved);
      axial = hn::Add(axial, rest.y);
      outward = hn::Add(outward, moved.x);
      towards = hn::Add(towards, moved.y);
    }
    const V3 base = mul_add(constant3(side.axis.data()), axial, constant3(side.center.data()));
    return mul_add(constant3(side.out.data()), outward,
                   mul_add(constant3(side.towards.data()), towards, base));
  }

 private:
  // Whether a lane may be on the arc, and not on the line before it: s > straight means that
  // along radius half_bend > (1 - along) straight. Known long before the lanes are.
  static bool may_bend(const ArcSide& side, const CurveEntry& entry) {
    if (entry.is_held && side.growth != 0) return true;
    constexpr float margin = 1.0001f;  // for the rounding of the lanes
    const float slide = std::min(side.farthest_slide * entry.farthest, side.room);
    const float least_straight = side.reach - margin * slide;
    return margin * entry.most * side.widest * entry.farthest * side.half_bend >
           (1 - entry.most) * least_straight;
  }

  // Components along `out` and `axis`.
  SINEW_KERNEL_INLINE static V2 to_bend_plane(const SinCos& turn, const V2& v) {
    return {hn::MulSub(turn.cos, v.y, hn::Mul(turn.sin, v.x)),
            hn::MulAdd(turn.cos, v.x, hn::Mul(turn.sin, v.y))};
  }

  // Scales a unit vector across the curve; returns its length and makes it a unit vector again.
  SINEW_KERNEL_INLINE static V scale(const ArcSide& side, const Fields& twists, V2& unit) {
    const V share = twists[twist_field::scale];
    const auto at = [&](std::size_t k) HWY_ATTR {
      return hn::MulAdd(constant(side.scale_change[k]), share, constant(side.scale[k]));
    };
    const V2 v{hn::MulAdd(at(0), unit.x, hn::Mul(at(1), unit.y)),
               hn::MulAdd(at(2), unit.x, hn::Mul(at(3), unit.y))};
    const V squared = hn::Max(hn::MulAdd(v.x, v.x, hn::Mul(v.y, v.y)), constant(1e-30f));
    const V inverse = inverse_sqrt(squared);
    unit = {hn::Mul(v.x, inverse), hn::Mul(v.y, inverse)};
    return hn::Mul(squared, inverse);
  }

  // The offset, and its share of the distance, where the inside of the bend has no room for it.
  SINEW_KERNEL_INLINE static void limit_offset(const ArcSide& side, V distance, V& offset,
                                               V& share) {
    const V meeting = hn::Neg(hn::Mul(offset, constant(side.tan_half)));
    const V deepest = constant(side.deepest);
    const auto crowded = hn::Gt(meeting, constant(0.5f * side.deepest));
    const V less =
        smoothing(meeting, deepest, constant(0.5f * side.deepest), constant(side.inverse_deepest));
    const V met = hn::Sub(less, hn::Min(meeting, deepest));
    offset = hn::IfThenElse(crowded, hn::Mul(met, constant(side.inverse_tan)), offset);
    share = hn::IfThenElse(crowded, hn::Div(offset, distance), share);
  }

  SINEW_KERNEL_INLINE static void limit_slide(const ArcSide& side, V offset, V& radius, V& slide) {
    const V room = constant(side.room);
    const V less = smoothing(slide, room, constant(0.25f * side.room), constant(side.inverse_room));
    const V limited = hn::Sub(hn::Min(slide, room), less);
    const V smaller =
        hn::Max(hn::MulAdd(limited, constant(side.inverse_tan), offset), hn::Zero(D()));
    radius = hn::IfThenElse(hn::Lt(limited, slide), smaller, radius);
    slide = limited;
  }
};

struct SplineLanes {
  // spline_point()
  SINEW_KERNEL_INLINE static V3 point(const SplinePieceLanes& piece, const CurveEntry& entry,
                                      const Fields& fields, const Fields&) {
    const D d;
    V fraction = fields[curve_field::fraction];
    // Known from the lanes' ends, long before the parameters themselves.
    std::size_t first = 0, last = piece.span_count - 1;
    V parameter;
    if (!entry.is_held || piece.hold_change == 0) {
      first = span_at(piece, entry.least);
      last = span_at(piece, entry.most);
      parameter = parameter_at(piece, fraction, interval_at(entry.least), interval_at(entry.most));
    } else {
      const V one = constant(1.0f), hold = fields[curve_field::fraction + 1];
      const V kept = hn::MulAdd(hn::Abs(hold), constant(piece.hold_change), one);
      fraction =
          hn::IfThenElse(hn::Gt(hold, hn::Zero(d)), hn::Min(hn::Mul(fraction, kept), one),
                         hn::Max(hn::NegMulAdd(hn::Sub(one, fraction), kept, one), hn::Zero(d)));
      parameter = parameter_at(piece, fraction, 0, SplinePieceLanes::intervals - 1);
    }
    const V3 v{fields[curve_field::x], fields[curve_field::y], fields[curve_field::z]};
    V3 sum = zero3();
    for (std::size_t s = first; s <= last; ++s) {
      const SplineSpanLanes& span = piece.spans[s];
      const V t = hn::Mul(hn::Sub(parameter, constant(span.begin)), constant(span.inverse_length));
      V3 own = span.is_turned ? turned(span, t, v) : polynomial(span, t, v);
      if (first != last) {
        auto outside = hn::Lt(parameter, constant(s == first ? -1.0f : span.begin));
        const float end = s == last ? 2.0f : piece.spans[s + 1].begin;
        outside = hn::Or(outside, hn::Ge(parameter, constant(end)));
        own = {hn::IfThenZeroElse(outside, own.x), hn::IfThenZeroElse(outside, own.y),
               hn::IfThenZeroElse(outside, own.z)};
      }
      sum = s == first ? own : add(sum, own);
    }
    return sum;
  }

 private:
  static std::size_t interval_at(float fraction) {
    constexpr auto intervals = SplinePieceLanes::intervals;
    return std::min(static_cast<std::size_t>(fraction * static_cast<float>(intervals)),
                    intervals - 1);
  }

  // The span of a point at this fraction of the length.
  static std::size_t span_at(const SplinePieceLanes& piece, float fraction) {
    const std::size_t i = interval_at(fraction);
    const float place = fraction * static_cast<float>(SplinePieceLanes::intervals);
    const float parameter = piece.parameter[i] + (piece.parameter[i + 1] - piece.parameter[i]) *
                                                     (place - static_cast<float>(i));
    std::size_t s = 0;
    while (s + 1 < piece.span_count && parameter >= piece.spans[s + 1].begin) ++s;
    return s;
  }

  // All lanes are in the intervals [from, to] of the table.
  SINEW_KERNEL_INLINE static V parameter_at(const SplinePieceLanes& piece, V fraction,
                                            std::size_t from, std::size_t to) {
    const D d;
    constexpr auto intervals = SplinePieceLanes::intervals;
    const V place = hn::Mul(fraction, constant(static_cast<float>(intervals)));
    const float* table = piece.parameter.data();
    const hn::RebindToSigned<D> di;
    const auto i = hn::Min(hn::ConvertTo(di, place), hn::Set(di, static_cast<int>(intervals) - 1));
    V begin, end;
    if (to - from < hn::Lanes(d)) {  // as many as fit into a register
      const auto index = hn::IndicesFromVec(d, hn::Sub(i, hn::Set(di, static_cast<int>(from))));
      begin = hn::TableLookupLanes(hn::LoadU(d, table + from), index);
      end = hn::TableLookupLanes(hn::LoadU(d, table + from + 1), index);
    } else {
      begin = hn::GatherIndex(d, table, i);
      end = hn::GatherIndex(d, table + 1, i);
    }
    return hn::MulAdd(hn::Sub(end, begin), hn::Sub(place, hn::ConvertTo(d, i)), begin);
  }

  SINEW_KERNEL_INLINE static V3 polynomial(const SplineSpanLanes& span, V t, const V3& v) {
    std::size_t d = span.degree;
    V3 sum = transform(span.powers[d], v);
    while (d-- > 0) sum = mul_add(sum, t, transform(span.powers[d], v));
    return sum;
  }

  SINEW_KERNEL_INLINE static V3 turned(const SplineSpanLanes& span, V t, const V3& v) {
    const auto basis = [&](std::size_t j) HWY_ATTR {
      const auto& b = span.basis;
      const V high = hn::MulAdd(constant(b[3][j]), t, constant(b[2][j]));
      return hn::MulAdd(hn::MulAdd(high, t, constant(b[1][j])), t, constant(b[0][j]));
    };
    const V weights[4] = {basis(0), basis(1), basis(2), basis(3)};
    V angle = hn::Mul(weights[0], constant(span.angle[0]));
    for (std::size_t j = 1; j < 4; ++j) {
      angle = hn::MulAdd(weights[j], constant(span.angle[j]), angle);
    }
    const SinCos turn = sincos_half_turns(angle);
    V3 sum = zero3();
    for (std::size_t j = 0; j < 4; ++j) {
      const V3 y = transform(span.in[j], v);
      const V2 across = rotated(turn, {y.x, y.y});
      sum = mul_add(transform(span.out[j], {across.x, across.y, y.z}), weights[j], sum);
    }
    return sum;
  }
};

// Sums up the points of a block's `tile_count` tiles in `sums`, register by register, x, y and z
// one after the other.
template <class Method, class Item>
HWY_NOINLINE void add_curves(const CurveJob<Item>& job, std::size_t block,
                             float* HWY_RESTRICT sums) {
  const D d;
  const std::size_t step = hn::Lanes(d);
  const PackedCurves& curves = *job.curves;
  const std::size_t last = curves.first_entry[block + 1];
  for (std::size_t i = curves.first_entry[block]; i < last; ++i) {
    const CurveEntry& entry = curves.entries[i];
    for (std::size_t lane = 0; lane < tile_size; lane += step) {
      const Fields fields{curves.fields.data() + entry.fields * tile_size + lane};
      const Fields twists{curves.twists.data() + i * twist_field::count * tile_size + lane};
      V3 p{fields[1], fields[2], fields[3]};
      if (entry.item != no_item) p = Method::point(job.items[entry.item], entry, fields, twists);
      float* to = sums + 3 * (entry.tile * tile_size + lane);
      const V3 sum{hn::LoadU(d, to), hn::LoadU(d, to + step), hn::LoadU(d, to + 2 * step)};
      p = mul_add(p, fields[0], sum);
      hn::StoreU(p.x, d, to);
      hn::StoreU(p.y, d, to + step);
      hn::StoreU(p.z, d, to + 2 * step);
    }
  }
}

// [begin, end) are the tiles of one block.
template <class Method, class Item>
SINEW_KERNEL_INLINE void run_curves(const CurveJob<Item>& job, std::size_t begin, std::size_t end) {
  const D d;
  const std::size_t step = hn::Lanes(d);
  const std::size_t first = begin * tile_size;
  const std::size_t count = std::min(job.curves->vertex_count, end * tile_size) - first;
  Target<3> positions(job.output.positions, job.output.position_stride, first, false);
  float* rows = positions.rows();
  std::fill_n(rows, 3 * (end - begin) * tile_size, 0.0f);
  add_curves<Method>(job, begin / tiles_per_block, rows);
  for (float *at = rows, *last = rows + 3 * (end - begin) * tile_size; at != last; at += 3 * step) {
    store_interleaved3({hn::LoadU(d, at), hn::LoadU(d, at + step), hn::LoadU(d, at + 2 * step)},
                       at);
  }
  positions.finish(job.curves->slots.data() + first, count);
}

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
