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
  struct Plan {
    const ArcSide* side;
  };
  SINEW_KERNEL_INLINE static void plan(const ArcSide& side, const CurveEntry&, Plan& to) {
    to.side = &side;
  }

  // arc_point(), in lengths of the point's distance from the curve where that saves a root: no pose
  // without scale changes the distance.
  SINEW_KERNEL_INLINE static V3 point(const Plan& plan, const CurveEntry& entry,
                                      const Fields& fields, const Fields& twists) {
    const ArcSide& side = *plan.side;
    const V o = hn::Zero(D()), one = constant(1.0f), reach = constant(side.reach);
    V2 unit{fields[curve_field::x], fields[curve_field::y]};
    V distance = fields[curve_field::distance];
    const V along = fields[curve_field::along];
    if (side.is_scaled) distance = hn::Mul(distance, scale(side, twists, unit));
    const SinCos turn = turn_of(side, entry, along, twists);
    const V2 across = to_bend_plane(turn, unit);
    V axial = hn::Mul(across.y, distance), outward = hn::Mul(across.x, distance);

    // The place along the curve, as its components towards the joint and outwards.
    std::size_t next = curve_field::optional;
    const bool is_held = entry.is_held && side.growth != 0;
    const V grown = is_held ? hn::Mul(fields[next], constant(side.growth)) : o;
    if (entry.is_held) ++next;
    V towards;
    SinCos swept{o, one};
    bool bends = false;
    if (side.is_straight) {
      towards = hn::Add(hn::MulSub(along, reach, reach), grown);
    } else {
      // arc_shape(). The smooth maximum of x <= 1 and the roundness, 1 - roundness wide, is a
      // parabola that begins where it leaves the roundness.
      const bool is_tight = entry.farthest * side.tightness > side.room;
      V offset = outward, share = across.x;
      if (is_tight) limit_offset(side, distance, offset, share);
      const V above = hn::Max(hn::Add(share, constant(side.turning_point)), o);
      V radius = hn::Mul(hn::MulAdd(hn::Mul(above, constant(side.inverse_softness)), above,
                                    constant(side.roundness)),
                         distance);
      V straight = hn::NegMulAdd(hn::Sub(radius, offset), constant(side.tan_half), reach);
      if (is_tight) straight = limit_slide(side, offset, radius, straight);
      const V s = hn::MulAdd(along, hn::MulAdd(radius, constant(side.half_bend), straight), grown);
      towards = hn::Sub(s, reach);
      // Where the offset gave way, it comes back on the line.
      if (is_tight) outward = hn::MulAdd(hn::Sub(offset, outward), rise(s, straight), outward);
      bends = may_bend(side, entry);
      if (bends) {
        // Lanes that are still on the line have swept nothing.
        const V on_arc = hn::Max(hn::Sub(s, straight), o);
        const V angle =
            hn::Div(on_arc, hn::MulAdd(radius, constant(static_cast<float>(pi)), constant(1e-30f)));
        const bool is_within = !is_held || side.growth < 0;  // of half the bend
        swept = is_within ? sincos_within_quarter(hn::Min(angle, constant(0.5f)))
                          : sincos_half_turns(angle);
        towards = hn::MulAdd(swept.sin, radius, hn::Sub(towards, on_arc));
        outward = hn::MulAdd(hn::Sub(swept.cos, one), radius, outward);
      }
    }
    if (entry.is_beyond) towards = hn::Sub(towards, fields[next++]);
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

  // Of the angle from the segment's frame to the axis of the bend.
  SINEW_KERNEL_INLINE static SinCos turn_of(const ArcSide& side, const CurveEntry& entry, V along,
                                            const Fields& twists) {
    if (!side.is_twisted) return {constant(side.sine), constant(side.cosine)};
    if (!entry.is_even || side.degree == 0) {
      return sincos_half_turns(hn::MulAdd(
          twists[twist_field::twist], constant(side.slope),
          hn::MulAdd(twists[twist_field::gap], constant(side.twist_gap), constant(side.angle))));
    }
    const float start =
        side.t_start + side.t_slope * entry.shares[0] + side.t_gap * entry.shares[1];
    const float change =
        side.t_slope * entry.share_changes[0] + side.t_gap * entry.share_changes[1];
    const V t = hn::MulAdd(along, constant(change), constant(start));
    return side.degree == ArcSide::low_degree ? polynomials<ArcSide::low_degree>(side, t)
                                              : polynomials<ArcSide::most_degree>(side, t);
  }

  template <std::size_t kDegree>
  SINEW_KERNEL_INLINE static SinCos polynomials(const ArcSide& side, V t) {
    V sine = constant(side.sines[kDegree]), cosine = constant(side.cosines[kDegree]);
    for (std::size_t d = kDegree; d-- > 0;) {
      sine = hn::MulAdd(sine, t, constant(side.sines[d]));
      cosine = hn::MulAdd(cosine, t, constant(side.cosines[d]));
    }
    return {sine, cosine};
  }

  // From 0 to 1 along the line.
  SINEW_KERNEL_INLINE static V rise(V s, V straight) {
    const V one = constant(1.0f);
    const auto has_line = hn::Gt(straight, hn::Zero(D()));
    const V t = hn::IfThenElse(has_line, hn::Min(hn::Div(s, straight), one), one);
    return hn::Mul(hn::Mul(t, t), hn::NegMulAdd(t, constant(2.0f), constant(3.0f)));
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

  // Returns what is left of the line, and makes the radius smaller if it has to be.
  SINEW_KERNEL_INLINE static V limit_slide(const ArcSide& side, V offset, V& radius, V straight) {
    const V room = constant(side.room), reach = constant(side.reach);
    const V slide = hn::Sub(reach, straight);
    const V less = smoothing(slide, room, constant(0.25f * side.room), constant(side.inverse_room));
    const V limited = hn::Sub(hn::Min(slide, room), less);
    const V smaller =
        hn::Max(hn::MulAdd(limited, constant(side.inverse_tan), offset), hn::Zero(D()));
    radius = hn::IfThenElse(hn::Lt(limited, slide), smaller, radius);
    return hn::Sub(reach, limited);
  }
};

struct SplineLanes {
  // What there is to do for an entry, known from the ends of its lanes.
  struct Plan {
    const SplineSpanLanes *first, *last;  // the spans that the lanes are in
    const float* table;                   // of parameters, as far as it is read
    float hold_change;                    // 0: lanes do not change their places
    float from;                           // the first interval that is read
    std::uint32_t in_register;            // whether all of them fit into one
  };

  // Written member by member: what is put together elsewhere and then copied is read back too soon.
  SINEW_KERNEL_INLINE static void plan(const SplinePieceLanes& piece, const CurveEntry& entry,
                                       Plan& to) {
    const SplineSpanLanes* spans = piece.spans.data();
    const bool moves = entry.is_held && piece.hold_change != 0;
    to.hold_change = moves ? piece.hold_change : 0.0f;
    to.first = moves ? spans : spans + span_at(piece, entry.least);
    to.last = spans + (moves ? piece.span_count - 1 : span_at(piece, entry.most));
    const int from = interval_at(entry.least), end = interval_at(entry.most);
    const bool in_register = !moves && end - from < static_cast<int>(hn::Lanes(D()));
    to.in_register = in_register ? 1 : 0;
    to.from = in_register ? static_cast<float>(from) : 0.0f;
    to.table = piece.parameter.data() + (in_register ? from : 0);
  }

  // spline_point()
  SINEW_KERNEL_INLINE static V3 point(const Plan& plan, const CurveEntry&, const Fields& fields,
                                      const Fields&) {
    const D d;
    V fraction = fields[curve_field::fraction];
    if (plan.hold_change != 0) {
      const V one = constant(1.0f), hold = fields[curve_field::fraction + 1];
      const V kept = hn::MulAdd(hn::Abs(hold), constant(plan.hold_change), one);
      fraction =
          hn::IfThenElse(hn::Gt(hold, hn::Zero(d)), hn::Min(hn::Mul(fraction, kept), one),
                         hn::Max(hn::NegMulAdd(hn::Sub(one, fraction), kept, one), hn::Zero(d)));
    }
    const V parameter = parameter_at(plan, fraction);
    const V3 v{fields[curve_field::x], fields[curve_field::y], fields[curve_field::z]};
    if (plan.first == plan.last) return point(*plan.first, parameter, v);
    V3 sum = zero3();
    for (const SplineSpanLanes* span = plan.first; span <= plan.last; ++span) {
      V3 own = point(*span, parameter, v);
      auto outside = hn::Lt(parameter, constant(span == plan.first ? -1.0f : span->begin));
      const float end = span == plan.last ? 2.0f : span[1].begin;
      outside = hn::Or(outside, hn::Ge(parameter, constant(end)));
      own = {hn::IfThenZeroElse(outside, own.x), hn::IfThenZeroElse(outside, own.y),
             hn::IfThenZeroElse(outside, own.z)};
      sum = add(sum, own);
    }
    return sum;
  }

 private:
  SINEW_KERNEL_INLINE static V3 point(const SplineSpanLanes& span, V parameter, const V3& v) {
    const V t = hn::Mul(hn::Sub(parameter, constant(span.begin)), constant(span.inverse_length));
    return span.is_turned ? turned(span, t, v) : polynomial(span, t, v);
  }

  static int interval_at(float fraction) {
    constexpr int intervals = SplinePieceLanes::intervals;
    return std::min(static_cast<int>(fraction * static_cast<float>(intervals)), intervals - 1);
  }

  // The span of a point at this fraction of the length.
  SINEW_KERNEL_INLINE static std::size_t span_at(const SplinePieceLanes& piece, float fraction) {
    constexpr std::size_t most_ends = offset_curve::SplinePiece<double>::most_spans - 1;
    const D d;
    std::size_t before = 0;
    for (std::size_t k = 0; k < most_ends; k += hn::Lanes(d)) {
      before += hn::CountTrue(d, hn::Le(hn::LoadU(d, piece.ends.data() + k), constant(fraction)));
    }
    return before;
  }

  SINEW_KERNEL_INLINE static V parameter_at(const Plan& plan, V fraction) {
    const D d;
    constexpr auto intervals = SplinePieceLanes::intervals;
    const V place = hn::Mul(fraction, constant(static_cast<float>(intervals)));
    const V whole = hn::Min(hn::Floor(place), constant(static_cast<float>(intervals - 1)));
    // So large that the last bits are a whole number: sooner than by a conversion.
    constexpr float large = 1 << 23;
    const hn::RebindToSigned<D> di;
    const auto i = hn::And(hn::BitCast(di, hn::Add(whole, constant(large - plan.from))),
                           hn::Set(di, 2 * static_cast<int>(intervals) - 1));
    V begin, end;
    if (plan.in_register != 0) {
      const auto index = hn::IndicesFromVec(d, i);
      begin = hn::TableLookupLanes(hn::LoadU(d, plan.table), index);
      end = hn::TableLookupLanes(hn::LoadU(d, plan.table + 1), index);
    } else {
      begin = from_table(plan.table, i);
      end = from_table(plan.table + 1, i);
    }
    return hn::MulAdd(hn::Sub(end, begin), hn::Sub(place, whole), begin);
  }

  // Of one float for each interval.
  SINEW_KERNEL_INLINE static V from_table(const float* table, hn::Vec<hn::RebindToSigned<D>> i) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
    // The table fits into four registers, of which two are read at once: sooner than by a gather.
    static_assert(SplinePieceLanes::intervals == 64);
    const auto part = [&](std::size_t k) HWY_ATTR { return _mm512_loadu_ps(table + 16 * k); };
    const __m512 low = _mm512_permutex2var_ps(part(0), i.raw, part(1));
    const __m512 high = _mm512_permutex2var_ps(part(2), i.raw, part(3));
    return V{_mm512_mask_blend_ps(_mm512_test_epi32_mask(i.raw, _mm512_set1_epi32(32)), low, high)};
#else
    return hn::GatherIndex(D(), table, i);
#endif
  }

  SINEW_KERNEL_INLINE static V3 polynomial(const SplineSpanLanes& span, V t, const V3& v) {
    switch (span.degree) {
      case 0:
        return transform(span.powers[0], v);
      case 1:
        return polynomial<1>(span, t, v);
      case 2:
        return polynomial<2>(span, t, v);
      case 3:
        return polynomial<3>(span, t, v);
      case 4:
        return polynomial<4>(span, t, v);
      default:
        return polynomial<5>(span, t, v);
    }
  }
  template <std::size_t kDegree>
  SINEW_KERNEL_INLINE static V3 polynomial(const SplineSpanLanes& span, V t, const V3& v) {
    V3 sum = transform(span.powers[kDegree], v);
    for (std::size_t d = kDegree; d-- > 0;) sum = mul_add(sum, t, transform(span.powers[d], v));
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

// Writes the points of a block's whole entries to `rows`, tightly packed; sums up the others,
// register by register, x, y and z one after the other.
template <class Method, class Item>
HWY_NOINLINE void add_curves(const CurveJob<Item>& job, std::size_t block,
                             float* HWY_RESTRICT rows) {
  const D d;
  const std::size_t step = hn::Lanes(d);
  const PackedCurves& curves = *job.curves;
  const std::size_t first = curves.first_entry[block], last = curves.first_entry[block + 1];
  // Copies, which need not be read again after each store.
  const CurveEntry* HWY_RESTRICT entries = curves.entries.data();
  const float* HWY_RESTRICT all_fields = curves.fields.data();
  const float* HWY_RESTRICT all_twists = curves.twists.data();
  const Item* HWY_RESTRICT items = job.items;
  const float* HWY_RESTRICT rest = curves.positions.data() + block * 3 * block_size;
  // Blocks of fields, which lie in the order in which they are read; memory is told in time.
  constexpr std::size_t ahead = 48, per_entry = 6;
  // What entries ask for is found for many of them before the first is computed: numbers that are
  // read from a place that has to be looked up first would be late.
  constexpr std::size_t batch = 32;
  typename Method::Plan plans[batch];
  const MatrixRows* motions[batch];  // or null
  for (std::size_t begin = first; begin < last; begin += batch) {
    const std::size_t count = std::min(batch, last - begin);
    for (std::size_t k = 0; k < count; ++k) {
      const CurveEntry& entry = entries[begin + k];
      motions[k] = nullptr;
      if (entry.item == no_item) continue;
      const Item& item = items[entry.item];
      if (!item.motion.is_rigid) {
        Method::plan(item, entry, plans[k]);
        continue;
      }
      motions[k] = &item.motion.rows;
      const float* at = rest + entry.tile * 3 * tile_size;
      for (std::size_t j = 0; j < 3; ++j) hwy::Prefetch(at + j * tile_size);
    }
    for (std::size_t k = 0; k < count; ++k) {
      const CurveEntry& entry = entries[begin + k];
      const float* later = all_fields + (entry.fields + ahead) * tile_size;
      for (std::size_t j = 0; j < per_entry; ++j) hwy::Prefetch(later + j * tile_size);
      for (std::size_t lane = 0; lane < tile_size; lane += step) {
        const float* at = all_fields + entry.fields * tile_size + lane;
        const Fields fields{entry.is_whole ? at : at + tile_size};
        const Fields twists{all_twists + (begin + k) * twist_field::count * tile_size + lane};
        V3 p;
        if (motions[k] != nullptr) {
          p = transform(*motions[k], load3(rest + entry.tile * 3 * tile_size, lane));
        } else if (entry.item != no_item) {
          p = Method::point(plans[k], entry, fields, twists);
        } else {
          p = {fields[0], fields[1], fields[2]};
        }
        float* to = rows + 3 * (entry.tile * tile_size + lane);
        if (entry.is_whole) {
          store_interleaved3(p, to);
          continue;
        }
        const V3 sum{hn::LoadU(d, to), hn::LoadU(d, to + step), hn::LoadU(d, to + 2 * step)};
        p = mul_add(p, hn::LoadU(d, at), sum);
        hn::StoreU(p.x, d, to);
        hn::StoreU(p.y, d, to + step);
        hn::StoreU(p.z, d, to + 2 * step);
      }
    }
  }
}

// [begin, end) are the tiles of one block.
template <class Method, class Item>
SINEW_KERNEL_INLINE void run_curves(const CurveJob<Item>& job, std::size_t begin, std::size_t end) {
  const D d;
  const std::size_t step = hn::Lanes(d);
  constexpr std::size_t floats = 3 * tile_size;  // of a tile
  const PackedCurves& curves = *job.curves;
  const std::size_t first = begin * tile_size;
  const std::size_t count = std::min(curves.vertex_count, end * tile_size) - first;
  Target<3> positions(job.output.positions, job.output.position_stride, first, false);
  float* rows = positions.rows();
  for (std::size_t tile = begin; tile < end; ++tile) {
    if (curves.is_whole[tile] == 0) std::fill_n(rows + (tile - begin) * floats, floats, 0.0f);
  }
  add_curves<Method>(job, begin / tiles_per_block, rows);
  for (std::size_t tile = begin; tile < end; ++tile) {
    if (curves.is_whole[tile] != 0) continue;
    for (std::size_t i = 0; i < floats; i += 3 * step) {
      float* at = rows + (tile - begin) * floats + i;
      store_interleaved3({hn::LoadU(d, at), hn::LoadU(d, at + step), hn::LoadU(d, at + 2 * step)},
                         at);
    }
  }
  positions.finish(curves.slots.data() + first, count);
}

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
