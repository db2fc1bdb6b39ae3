// SPDX-License-Identifier: Apache-2.0
// Offset curves as the kernels read them: points in tiles of 16, and the curves of a pose in
// floats.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/deform/internal/offset_curve/bound_skin.h"
#include "sinew/kernels/detail/aligned.h"
#include "sinew/kernels/detail/packed.h"
#include "sinew/kernels/detail/pose.h"
#include "sinew/kernels/output.h"

namespace sinew::kernels {

// An entry's item if its points follow no curve and do not move.
inline constexpr std::uint32_t no_item = 0xffffffff;

// One item of the curves in one tile: a side of a joint (arcs) or a piece (splines).
struct CurveEntry {
  std::uint32_t item = no_item;  // arcs: 2 joint + side
  std::uint32_t fields = 0;      // index of its first block
  // Whether any lane has these; see ArcBind and SplineBind.
  bool is_held = false, is_beyond = false, is_corrected = false;
  float least = 1, most = 0;  // of the lanes' fractions, or `along`
  float farthest = 0;         // arcs: of the lanes from the curve
};

// The blocks of 16 floats of an entry, as few as possible, since they come from memory: weight, x,
// y and, for arcs, `along`; for splines z and `fraction`; if any lane has them, `held` and `beyond`
// (arcs) or `hold` (splines), and the three of the correction. Points that do not move have weight,
// x, y, z.
namespace curve_field {
enum : std::size_t { weight, x, y, along, z = along, fraction };
}
// Three more for each entry of arcs, read in poses that need them.
namespace twist_field {
enum : std::size_t { twist, gap, scale, count };
}

// Vertices are sorted by their items within blocks of `block_size`, and along the curves for the
// same ones. Lanes beyond the last vertex repeat it.
struct PackedCurves {
  std::size_t vertex_count = 0;
  std::size_t tile_count = 0;
  std::vector<std::uint16_t> slots;        // per vertex: its place in its block
  std::vector<std::uint32_t> first_entry;  // per tile, and one more
  std::vector<CurveEntry> entries;
  AlignedFloats fields;  // blocks of 16
  AlignedFloats twists;  // arcs: per entry, three blocks of 16
};

PackedCurves pack_curves(const offset_curve::Ties<offset_curve::ArcBind<double>>& ties);
PackedCurves pack_curves(const offset_curve::Ties<offset_curve::SplineBind<double>>& ties);

// One side of an ArcJoint; angles in half turns.
struct ArcSide {
  std::array<float, 3> center, axis, out, towards;  // towards the joint from its far end
  std::array<float, 4> across;  // from (x, y) to the components along `out` and `axis`
  std::array<float, 4> scale, scale_change;
  bool is_scaled, is_twisted;
  float slope, twist_gap;
  float reach, growth, half_bend, tan_half, inverse_tan, roundness;
  float softness, inverse_softness;  // of the maximum of offset and roundness; 1 / (4 softness)
  float deepest, inverse_deepest;    // the latter for a smooth minimum of width deepest / 2
  float room, inverse_room;          // the latter for one of width room / 4
  // Bounds, per unit of the distance from the curve at bind: how large a radius points have in the
  // pose, and by how much their tangent points slide.
  float widest, farthest_slide;
};

// The span between two knots of a SplinePiece.
struct SplineSpanLanes {
  float begin, inverse_length;
  std::array<std::array<float, 4>, 4> basis;  // by power, then by control point
  bool is_twisted;  // whether the twist differs between its control points
  bool is_shared;   // whether all four have the same `in`
  std::array<float, 4> angle;
  std::array<MatrixRows, 4> maps;  // offset -> posed point, if it does not
  std::array<MatrixRows, 4> in, out;
};

struct SplinePieceLanes {
  static constexpr std::size_t intervals = offset_curve::SplinePiece<double>::intervals;
  std::array<float, intervals + 1> parameter;
  std::array<SplineSpanLanes, offset_curve::SplinePiece<double>::most_spans> spans;
  std::size_t span_count;
  float hold_change;  // 1 / stretch - 1
};

// Reuse the memory of `to`.
void fill_curves(std::span<const offset_curve::ArcJoint<double>> joints, std::vector<ArcSide>& to);
void fill_curves(std::span<const offset_curve::SplinePiece<double>> pieces,
                 std::vector<SplinePieceLanes>& to);

template <class Item>
struct CurveJob {
  const PackedCurves* curves = nullptr;
  const Item* items = nullptr;
  Output output;  // of which positions are written
};

// Deform the tiles [begin, end) of one block with the best instruction set of the machine.
void deform_curves(const CurveJob<ArcSide>& job, std::size_t begin, std::size_t end) noexcept;
void deform_curves(const CurveJob<SplinePieceLanes>& job, std::size_t begin,
                   std::size_t end) noexcept;

}  // namespace sinew::kernels
