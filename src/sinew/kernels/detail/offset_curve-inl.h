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

// What only one of the two kinds of curves has, of an entry and at the same lane.
struct Extras {
  Fields twists;
  const std::uint8_t* HWY_RESTRICT intervals;
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
                                      const Fields& fields, const Extras& extras) {
    const Fields& twists = extras.twists;
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
  // spline_point()
  SINEW_KERNEL_INLINE static V3 point(const SplinePieceLanes& piece, const CurveEntry& entry,
                                      const Fields& fields, const Extras& extras) {
    const D d;
    const hn::RebindToSigned<D> di;
    const V share = fields[curve_field::share];
    const auto i = hn::PromoteTo(di, hn::LoadU(hn::Rebind<std::uint8_t, D>(), extras.intervals));
    const float* values = piece.parameter.data();
    const float* changes = piece.change.data();
    const SplineSpanLanes *first = piece.spans.data(), *last = first;
    V parameter;
    if (entry.is_held && piece.hold_change != 0) {
      last += piece.span_count - 1;
      const V begin = constant(static_cast<float>(entry.first_interval));
      const V place = hn::Add(hn::Add(hn::ConvertTo(d, i), begin), share);
      parameter = held_parameter(piece, place, fields[curve_field::optional]);
    } else {
      first += span_at(piece, entry.least);
      last += span_at(piece, entry.most);
      if (entry.last_interval - entry.first_interval < static_cast<int>(hn::Lanes(d))) {
        const auto index = hn::IndicesFromVec(d, i);
        const auto at = [&](const float* table) HWY_ATTR {
          return hn::TableLookupLanes(hn::LoadU(d, table + entry.first_interval), index);
        };
        parameter = hn::MulAdd(at(changes), share, at(values));
      } else {
        const auto index = hn::Add(i, hn::Set(di, entry.first_interval));
        parameter = hn::MulAdd(from_table(changes, index), share, from_table(values, index));
      }
    }
    const V3 v{fields[curve_field::x], fields[curve_field::y], fields[curve_field::z]};
    V3 p = point(*first, parameter, v);
    for (const SplineSpanLanes* span = first + 1; span <= last; ++span) {
      const auto is_on = hn::Ge(parameter, constant(span->begin));
      const V3 own = point(*span, parameter, v);
      p = {hn::IfThenElse(is_on, own.x, p.x), hn::IfThenElse(is_on, own.y, p.y),
           hn::IfThenElse(is_on, own.z, p.z)};
    }
    return p;
  }

 private:
  SINEW_KERNEL_INLINE static V3 point(const SplineSpanLanes& span, V parameter, const V3& v) {
    const V t = hn::Mul(hn::Sub(parameter, constant(span.begin)), constant(span.inverse_length));
    return span.is_turned ? turned(span, t, v) : polynomial(span, t, v);
  }

  // The span of a point at this fraction of the length.
  SINEW_KERNEL_INLINE static std::size_t span_at(const SplinePieceLanes& piece, float fraction) {
    constexpr std::size_t most_ends = offset_curve::SplinePiece<double>::most_spans - 1;
    const hn::CappedTag<float, 8> d;
    std::size_t before = 0;
    for (std::size_t k = 0; k < most_ends; k += hn::Lanes(d)) {
      before += hn::CountTrue(d, hn::Le(hn::LoadU(d, piece.ends.data() + k), hn::Set(d, fraction)));
    }
    return before;
  }

  // Of points at these places, in intervals, that keep some of their distance from a joint.
  SINEW_KERNEL_INLINE static V held_parameter(const SplinePieceLanes& piece, V place, V hold) {
    const D d;
    constexpr auto intervals = static_cast<float>(SplinePieceLanes::intervals);
    const V all = constant(intervals);
    const V kept = hn::MulAdd(hn::Abs(hold), constant(piece.hold_change), constant(1.0f));
    const V moved =
        hn::IfThenElse(hn::Gt(hold, hn::Zero(d)), hn::Min(hn::Mul(place, kept), all),
                       hn::Max(hn::NegMulAdd(hn::Sub(all, place), kept, all), hn::Zero(d)));
    const V whole = hn::Min(hn::Floor(moved), constant(intervals - 1));
    const auto i = hn::ConvertTo(hn::RebindToSigned<D>(), whole);
    return hn::MulAdd(from_table(piece.change.data(), i), hn::Sub(moved, whole),
                      from_table(piece.parameter.data(), i));
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

  HWY_NOINLINE static V3 turned(const SplineSpanLanes& span, V t, const V3& v) {
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

// Where the results of a block go.
class CurveRows {
 public:
  CurveRows(const PackedCurves& curves, const Output& output, std::size_t first)
      : bytes_(reinterpret_cast<unsigned char*>(output.positions) + first * output.position_stride),
        stride_(output.position_stride),
        places_(curves.places.data() + first) {}

  SINEW_KERNEL_INLINE void store(const V3& p, std::size_t tile, std::size_t lane) const {
    const std::uint16_t* places = places_ + tile * tile_size + lane;
#if SINEW_KERNEL_WIDE
    // Straight from the registers. Four rows at once, each padded to four floats.
    const __m512 xy[] = {_mm512_unpacklo_ps(p.x.raw, p.y.raw),
                         _mm512_unpackhi_ps(p.x.raw, p.y.raw)};
    const __m512 zz[] = {_mm512_unpacklo_ps(p.z.raw, p.z.raw),
                         _mm512_unpackhi_ps(p.z.raw, p.z.raw)};
    const auto store1 = [&](std::size_t k, __m128 row)
                            HWY_ATTR { _mm_mask_storeu_ps(bytes_ + places[k] * stride_, 7, row); };
    const auto store4 = [&](std::size_t k, __m512d rows) HWY_ATTR {
      const __m512 v = _mm512_castpd_ps(rows);
      store1(k, _mm512_castps512_ps128(v));
      store1(k + 4, _mm512_extractf32x4_ps(v, 1));
      store1(k + 8, _mm512_extractf32x4_ps(v, 2));
      store1(k + 12, _mm512_extractf32x4_ps(v, 3));
    };
    for (std::size_t k = 0; k < 2; ++k) {
      const __m512d a = _mm512_castps_pd(xy[k]), b = _mm512_castps_pd(zz[k]);
      store4(2 * k, _mm512_unpacklo_pd(a, b));
      store4(2 * k + 1, _mm512_unpackhi_pd(a, b));
    }
#else
    // Padded to four floats, none is read in one piece that was stored in two: that takes longer.
    HWY_ALIGN float rows[4 * tile_size];
    hn::StoreInterleaved4(p.x, p.y, p.z, p.z, D(), rows);
    for (std::size_t k = 0; k < hn::Lanes(D()); ++k) {
      std::memcpy(bytes_ + places[k] * stride_, rows + 4 * k, 3 * sizeof(float));
    }
#endif
  }

 private:
  unsigned char* bytes_;
  std::size_t stride_;
  const std::uint16_t* places_;  // in the block, per lane
};

// Where the lanes of a run's entries are in the pose.
struct StillPoints {
  SINEW_KERNEL_INLINE V3 at(const CurveEntry&, std::size_t, const Fields& fields,
                            std::size_t) const {
    return {fields[0], fields[1], fields[2]};
  }
};

struct RigidPoints {
  const MatrixRows& rows;
  const float* HWY_RESTRICT rest;  // of the block
  SINEW_KERNEL_INLINE V3 at(const CurveEntry& entry, std::size_t, const Fields&,
                            std::size_t lane) const {
    return transform(rows, load3(rest + entry.tile * 3 * tile_size, lane));
  }
};

template <class Method, class Item>
struct CurvePoints {
  const Item& item;
  const float* HWY_RESTRICT twists;
  const std::uint8_t* HWY_RESTRICT intervals;
  SINEW_KERNEL_INLINE V3 at(const CurveEntry& entry, std::size_t index, const Fields& fields,
                            std::size_t lane) const {
    const float* own = twists + index * twist_field::count * tile_size + lane;
    return Method::point(item, entry, fields, {{own}, intervals + index * tile_size + lane});
  }
};

// The entries [begin, end) of a block. Writes the points of whole ones; adds up the others in the
// sums of their tiles, register by register, x, y and z one after the other.
struct CurveSpan {
  const PackedCurves& curves;
  std::size_t begin, end;
  bool are_whole;
  const CurveRows& rows;
  float* HWY_RESTRICT sums;
};

template <class Points>
SINEW_KERNEL_INLINE void place_points(const CurveSpan& span, const Points& points) {
  const D d;
  const std::size_t step = hn::Lanes(d);
  // Copies, which need not be read again after each store.
  const CurveEntry* HWY_RESTRICT entries = span.curves.entries.data();
  const float* HWY_RESTRICT all_fields = span.curves.fields.data();
  float* HWY_RESTRICT sums = span.sums;
  const CurveRows rows = span.rows;
  const bool are_whole = span.are_whole;
  for (std::size_t i = span.begin; i < span.end; ++i) {
    const CurveEntry& entry = entries[i];
    for (std::size_t lane = 0; lane < tile_size; lane += step) {
      const float* at = all_fields + entry.fields * tile_size + lane;
      const V3 p = points.at(entry, i, Fields{are_whole ? at : at + tile_size}, lane);
      if (are_whole) {
        rows.store(p, entry.tile, lane);
        continue;
      }
      float* to = sums + 3 * (entry.tile * tile_size + lane);
      const V3 sum{hn::LoadU(d, to), hn::LoadU(d, to + step), hn::LoadU(d, to + 2 * step)};
      const V3 more = mul_add(p, hn::LoadU(d, at), sum);
      hn::StoreU(more.x, d, to);
      hn::StoreU(more.y, d, to + step);
      hn::StoreU(more.z, d, to + 2 * step);
    }
  }
}

template <class Method, class Item>
SINEW_KERNEL_INLINE void run_curves(const CurveJob<Item>& job, std::size_t first) {
  const D d;
  const std::size_t step = hn::Lanes(d);
  constexpr std::size_t floats = 3 * tile_size;  // of a tile
  const PackedCurves& curves = *job.curves;
  const CurveBlock* block = curves.blocks.data() + first / curve_block_size;
  const std::uint16_t* mixed = curves.mixed.data() + block[0].mixed;
  const std::size_t mixed_count = block[1].mixed - block[0].mixed;
  const CurveRows rows(curves, job.output, first);
  HWY_ALIGN float sums[3 * curve_block_size];
  for (std::size_t i = 0; i < mixed_count; ++i) std::fill_n(sums + mixed[i] * floats, floats, 0.0f);
  std::size_t entry = block[0].entry;
  for (std::size_t r = block[0].run; r < block[1].run; ++r) {
    const CurveRun& run = curves.runs[r];
    const CurveSpan span{curves, entry, run.end, run.is_whole, rows, sums};
    if (run.item == no_item) {
      place_points(span, StillPoints{});
    } else if (const Item& item = job.items[run.item]; item.motion.is_rigid) {
      const RigidPoints points{item.motion.rows, curves.positions.data() + 3 * first};
      place_points(span, points);
    } else {
      const CurvePoints<Method, Item> points{item, curves.twists.data(), curves.intervals.data()};
      place_points(span, points);
    }
    entry = run.end;
  }
  for (std::size_t i = 0; i < mixed_count; ++i) {
    for (std::size_t lane = 0; lane < tile_size; lane += step) {
      const float* at = sums + mixed[i] * floats + 3 * lane;
      rows.store({hn::LoadU(d, at), hn::LoadU(d, at + step), hn::LoadU(d, at + 2 * step)}, mixed[i],
                 lane);
    }
  }
}

}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
