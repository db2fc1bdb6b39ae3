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

// m v, m by rows
SINEW_KERNEL_INLINE V2 transform(const std::array<float, 4>& m, const V2& v) {
  return {hn::MulAdd(constant(m[0]), v.x, hn::Mul(constant(m[1]), v.y)),
          hn::MulAdd(constant(m[2]), v.x, hn::Mul(constant(m[3]), v.y))};
}

SINEW_KERNEL_INLINE V2 rotated(const SinCos& turn, const V2& v) {
  return {hn::MulSub(turn.cos, v.x, hn::Mul(turn.sin, v.y)),
          hn::MulAdd(turn.sin, v.x, hn::Mul(turn.cos, v.y))};
}

// What smooth_max adds to the maximum, and smooth_min takes from the minimum, of a and b. `inverse`
// is 1 / (4 width), or 0.
SINEW_KERNEL_INLINE V smoothing(V a, V b, V width, V inverse) {
  const V overlap = hn::Max(hn::Sub(width, hn::Abs(hn::Sub(a, b))), hn::Zero(D()));
  return hn::Mul(hn::Mul(overlap, overlap), inverse);
}

struct ArcLanes {
  // arc_point()
  SINEW_KERNEL_INLINE static V3 point(const ArcSide& side, const CurveEntry& entry,
                                      const Fields& fields, const Fields& twists) {
    const D d;
    std::size_t next = curve_field::along + 1;  // of the fields that not all entries have
    const V o = hn::Zero(d), one = constant(1.0f);
    V2 across{fields[curve_field::x], fields[curve_field::y]};
    if (side.is_scaled) {
      const V share = twists[twist_field::scale];
      const auto at = [&](std::size_t k) HWY_ATTR {
        return hn::MulAdd(constant(side.scale_change[k]), share, constant(side.scale[k]));
      };
      across = {hn::MulAdd(at(0), across.x, hn::Mul(at(1), across.y)),
                hn::MulAdd(at(2), across.x, hn::Mul(at(3), across.y))};
    }
    SinCos twist{o, one};
    if (side.is_twisted) {
      twist = sincos_half_turns(
          hn::MulAdd(twists[twist_field::twist], constant(side.slope),
                     hn::Mul(twists[twist_field::gap], constant(side.twist_gap))));
      across = rotated(twist, across);
    }
    across = transform(side.across, across);
    V axial = across.y;

    // arc_shape()
    const V tan_half = constant(side.tan_half), room = constant(side.room);
    const V squared =
        hn::Max(hn::MulAdd(across.x, across.x, hn::Mul(across.y, across.y)), constant(1e-30f));
    const V inverse_distance = inverse_sqrt(squared);
    const V distance = hn::Mul(squared, inverse_distance);
    V offset = across.x;
    const V meeting = hn::Neg(hn::Mul(across.x, tan_half));
    const auto crowded = hn::Gt(meeting, constant(0.5f * side.deepest));
    const bool any_crowded = !hn::AllFalse(d, crowded);
    if (any_crowded) {
      const V deepest = constant(side.deepest);
      const V less = smoothing(meeting, deepest, constant(0.5f * side.deepest),
                               constant(side.inverse_deepest));
      const V met = hn::Sub(less, hn::Min(meeting, deepest));
      offset = hn::IfThenElse(crowded, hn::Mul(met, constant(side.inverse_tan)), offset);
    }
    const V round = hn::Mul(distance, constant(side.roundness));
    V radius = hn::Add(hn::Max(offset, round),
                       smoothing(offset, round, hn::Mul(distance, constant(side.softness)),
                                 hn::Mul(inverse_distance, constant(side.inverse_softness))));
    V slide = hn::Mul(hn::Sub(radius, offset), tan_half);
    if (!hn::AllFalse(d, hn::Gt(slide, constant(0.75f * side.room)))) {
      const V less =
          smoothing(slide, room, constant(0.25f * side.room), constant(side.inverse_room));
      const V limited = hn::Sub(hn::Min(slide, room), less);
      const V smaller = hn::Max(hn::MulAdd(limited, constant(side.inverse_tan), offset), o);
      radius = hn::IfThenElse(hn::Lt(limited, slide), smaller, radius);
      slide = limited;
    }

    // The place along the curve, as its components towards the joint and outwards.
    const V straight = hn::Sub(constant(side.reach), slide);
    V s =
        hn::Mul(fields[curve_field::along], hn::MulAdd(radius, constant(side.half_bend), straight));
    if (entry.is_held) s = hn::MulAdd(fields[next++], constant(side.growth), s);
    V towards = hn::Sub(s, constant(side.reach));
    if (entry.is_beyond) towards = hn::Sub(towards, fields[next++]);
    V outward = offset;
    if (any_crowded) {
      const auto has_line = hn::Gt(straight, o);
      const V t = hn::IfThenElse(has_line, hn::Min(hn::Div(s, straight), one), one);
      const V rise = hn::Mul(hn::Mul(t, t), hn::NegMulAdd(t, constant(2.0f), constant(3.0f)));
      outward = hn::MulAdd(hn::Sub(offset, across.x), rise, across.x);
    }
    SinCos swept{o, one};
    if (may_bend(side, entry)) {
      // Without a branch: it would depend on all of the above, and be hard to predict.
      const auto on_arc = hn::And(hn::Gt(s, straight), hn::Gt(radius, o));
      const V angle =
          hn::Div(hn::Mul(hn::Sub(s, straight), constant(static_cast<float>(1 / pi))), radius);
      swept = sincos_half_turns(hn::IfThenElseZero(on_arc, angle));
      towards = hn::IfThenElse(on_arc, hn::MulSub(swept.sin, radius, slide), towards);
      outward =
          hn::IfThenElse(on_arc, hn::MulAdd(swept.cos, radius, hn::Sub(offset, radius)), outward);
    }
    if (entry.is_corrected) {
      V2 rest{fields[next], fields[next + 1]};
      if (side.is_twisted) rest = rotated(twist, rest);
      rest = transform(side.across, rest);
      const V2 turned = rotated(swept, {rest.x, fields[next + 2]});
      axial = hn::Add(axial, rest.y);
      outward = hn::Add(outward, turned.x);
      towards = hn::Add(towards, turned.y);
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
      const auto basis = [&](std::size_t j) HWY_ATTR {
        const auto& b = span.basis;
        const V high = hn::MulAdd(constant(b[3][j]), t, constant(b[2][j]));
        return hn::MulAdd(hn::MulAdd(high, t, constant(b[1][j])), t, constant(b[0][j]));
      };
      V weights[4] = {basis(0), basis(1), basis(2), basis(3)};
      if (first != last) {
        auto outside = hn::Lt(parameter, constant(s == first ? -1.0f : span.begin));
        const float end = s == last ? 2.0f : piece.spans[s + 1].begin;
        outside = hn::Or(outside, hn::Ge(parameter, constant(end)));
        for (V& weight : weights) weight = hn::IfThenZeroElse(outside, weight);
      }
      sum = span.is_twisted ? add_twisted(span, weights, v, sum)
                            : add_maps(span.maps, weights, v, sum);
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
    constexpr std::size_t few = 6;  // gathering from the table takes as long
    if (to - from < few) {
      const auto in_interval = [&](std::size_t i) HWY_ATTR {
        const V rest = hn::Sub(place, constant(static_cast<float>(i)));
        return hn::MulAdd(constant(table[i + 1] - table[i]), rest, constant(table[i]));
      };
      V parameter = in_interval(from);
      for (std::size_t i = from + 1; i <= to; ++i) {
        const auto is_after = hn::Ge(place, constant(static_cast<float>(i)));
        parameter = hn::IfThenElse(is_after, in_interval(i), parameter);
      }
      return parameter;
    }
    const hn::RebindToSigned<D> di;
    const auto i = hn::Min(hn::ConvertTo(di, place), hn::Set(di, static_cast<int>(intervals) - 1));
    const V a = hn::GatherIndex(d, table, i);
    const V b = hn::GatherIndex(d, table + 1, i);
    return hn::MulAdd(hn::Sub(b, a), hn::Sub(place, hn::ConvertTo(d, i)), a);
  }

  SINEW_KERNEL_INLINE static V3 add_maps(const std::array<MatrixRows, 4>& maps, const V* weights,
                                         const V3& v, V3 sum) {
    for (std::size_t j = 0; j < 4; ++j) sum = mul_add(transform(maps[j], v), weights[j], sum);
    return sum;
  }

  SINEW_KERNEL_INLINE static V3 add_twisted(const SplineSpanLanes& span, const V* weights,
                                            const V3& v, V3 sum) {
    V angle = hn::Mul(weights[0], constant(span.angle[0]));
    for (std::size_t j = 1; j < 4; ++j) {
      angle = hn::MulAdd(weights[j], constant(span.angle[j]), angle);
    }
    const SinCos turn = sincos_half_turns(angle);
    const auto turned = [&](std::size_t j) HWY_ATTR {
      const V3 y = transform(span.in[j], v);
      const V2 across = rotated(turn, {y.x, y.y});
      return V3{across.x, across.y, y.z};
    };
    if (span.is_shared) return add_maps(span.out, weights, turned(0), sum);
    for (std::size_t j = 0; j < 4; ++j) {
      sum = mul_add(transform(span.out[j], turned(j)), weights[j], sum);
    }
    return sum;
  }
};

template <class Method, class Item>
HWY_NOINLINE void run_curve_tiles(const CurveJob<Item>& job, float* HWY_RESTRICT to,
                                  std::size_t begin, std::size_t end) {
  const PackedCurves& curves = *job.curves;
  for (std::size_t tile = begin; tile < end; ++tile) {
    const std::size_t first = curves.first_entry[tile], last = curves.first_entry[tile + 1];
    for (std::size_t lane = 0; lane < tile_size; lane += hn::Lanes(D())) {
      V3 sum = zero3();
      for (std::size_t i = first; i < last; ++i) {
        const CurveEntry& entry = curves.entries[i];
        const Fields fields{curves.fields.data() + entry.fields * tile_size + lane};
        const Fields twists{curves.twists.data() + i * twist_field::count * tile_size + lane};
        V3 p{fields[1], fields[2], fields[3]};
        if (entry.item != no_item) p = Method::point(job.items[entry.item], entry, fields, twists);
        sum = mul_add(p, fields[0], sum);
      }
      store_interleaved3(sum, to + 3 * ((tile - begin) * tile_size + lane));
    }
  }
}

template <class Method, class Item>
SINEW_KERNEL_INLINE void run_curves(const CurveJob<Item>& job, std::size_t begin, std::size_t end) {
  const std::size_t first = begin * tile_size;
  const std::size_t count = std::min(job.curves->vertex_count, end * tile_size) - first;
  Target<3> positions(job.output.positions, job.output.position_stride, first, false);
  run_curve_tiles<Method>(job, positions.rows(), begin, end);
  positions.finish(job.curves->slots.data() + first, count);
}

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
