// SPDX-License-Identifier: Apache-2.0
// Offset curves as the kernels read them: points in tiles of 16, and the curves of a pose in
// floats.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/rows.h"
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
  std::uint32_t fields = 0;  // index of its first block
  std::uint16_t tile = 0;    // of its block of vertices
  // Splines: the intervals of the lanes' fractions in the table of parameters.
  std::uint8_t first_interval = 0, last_interval = 0;
  // Whether any lane has these; see ArcBind and SplineBind.
  bool is_held = false, is_beyond = false, is_corrected = false;
  bool is_even = false;       // arcs: whether the shares below are such
  float least = 1, most = 0;  // of the lanes' fractions; for arcs `most` of their `along`
  float farthest = 0;         // of the lanes from the curve
  // Arcs: shares of twist and gap at along = 0, and how much more they are at 1.
  std::array<float, 2> shares{}, share_changes{};
};

// Entries of one item that follow each other.
struct CurveRun {
  std::uint32_t item = no_item;  // arcs: 2 joint + side
  bool is_whole = false;         // each is the only one of its tile, with all weights 1
  std::uint32_t end = 0;         // the entry after the last
};

// The blocks of 16 floats of an entry, as few as possible, since they come from memory: x, y and,
// for arcs, `along` and the distance from the curve, of which x and y are shares; for splines z and
// the share of the way through the interval; if any lane has them, `held` and `beyond` (arcs) or
// `hold` (splines), and the three of the correction. Before all of these, unless the entry is
// whole, the weights, which points that do not move have alone.
namespace curve_field {
enum : std::size_t { x, y, along, distance, z = along, share = distance, optional };
}
// Three more for each entry of arcs, read in poses that need them.
namespace twist_field {
enum : std::size_t { twist, gap, scale, count };
}

// Vertices are reordered only within blocks of so many. The larger, the more of a tile are on the
// same curves, but the fewer threads have something to do.
inline constexpr std::size_t curve_block_size = 8192;

// The vertices [begin, end) in an order in which tiles have few items, and along the curves for the
// same ones; `items`: the sorted ones of each vertex, `places`: on the curve. The last one is
// repeated up to a whole tile.
std::vector<std::uint32_t> order_curves(const Rows<std::uint32_t>& items,
                                        std::span<const double> places, std::size_t begin,
                                        std::size_t end);

// Where those of a block begin.
struct CurveBlock {
  std::uint32_t run = 0, entry = 0, mixed = 0;
};

// The entries of a block are sorted by what there is to do for them, whatever their tiles: a branch
// that is not foreseen costs as much as a tile.
struct PackedCurves {
  std::size_t vertex_count = 0;
  double size = 0;                    // of the bounding box
  std::vector<std::uint16_t> places;  // per lane: its vertex in its block
  std::vector<CurveBlock> blocks;     // and one more
  std::vector<CurveRun> runs;
  std::vector<CurveEntry> entries;
  std::vector<std::uint16_t> mixed;  // of each block: the tiles whose entries are not whole
  std::vector<float> farthest;       // per item: of its points from the curve
  Vec3 center;                       // of the bounding box
  AlignedFloats positions;           // at bind, relative to the center, per tile x[16] y[16] z[16]
  AlignedFloats fields;              // blocks of 16
  AlignedFloats twists;              // arcs: per entry, three blocks of 16
  std::vector<std::uint8_t> intervals;  // splines: per entry and lane, from the entry's first on
};

PackedCurves pack_curves(const offset_curve::Ties<offset_curve::ArcBind<double>>& ties);
PackedCurves pack_curves(const offset_curve::Ties<offset_curve::SplineBind<double>>& ties);

// What moves all points of an item alike in a pose that leaves it as it is at bind: most joints of
// a clip do not bend.
struct CurveMotion {
  bool is_rigid = false;
  MatrixRows rows{};
};

// One side of an ArcJoint; angles in half turns. If it is rigid, the rest is not set.
struct ArcSide {
  CurveMotion motion;
  std::array<float, 3> center, axis, out, towards;  // towards the joint from its far end
  std::array<float, 4> scale, scale_change;
  bool is_scaled, is_twisted, is_straight;
  // From the segment's frame to the axis of the bend, where the point's shares of twists are 0.
  float angle, sine, cosine;
  float slope, twist_gap;  // how much less it is where these shares are 1
  // The same angle's sine and cosine as polynomials of t = t_start + t_slope twist + t_gap gap,
  // which is from 0 to 1; degree 0: it changes by too much.
  static constexpr std::size_t low_degree = 3, most_degree = 5;
  std::size_t degree;
  float t_start, t_slope, t_gap;
  std::array<float, most_degree + 1> sines, cosines;
  float reach, growth, half_bend, tan_half, inverse_tan;
  // The smooth maximum of x and the roundness is roundness + inverse_softness max(x +
  // turning_point, 0)^2.
  float roundness, turning_point, inverse_softness;
  float deepest, inverse_deepest;  // the latter for a smooth minimum of width deepest / 2
  float room, inverse_room;        // the latter for one of width room / 4
  // Bounds, per unit of the distance from the curve at bind: how large a radius points have in the
  // pose, by how much their tangent points slide, and the room below which either is limited.
  float widest, farthest_slide, tightness;
};

// The span between two knots of a SplinePiece. A point at the share t of the way through it is the
// image of its offset under a map, and that map a polynomial of t: of degree 3, if the twist does
// not change there, and otherwise very nearly one of degree 5, unless the twist changes by much. Of
// a lower degree where that makes no difference.
struct SplineSpanLanes {
  static constexpr std::size_t most_degree = 5;
  float begin, inverse_length;
  bool is_turned;  // by too much for `powers`; the members after them are for this alone
  std::size_t degree;
  std::array<MatrixRows, most_degree + 1> powers;
  std::array<std::array<float, 4>, 4> basis;  // by power, then by control point
  std::array<float, 4> angle;
  std::array<MatrixRows, 4> in, out;
};

// If it is rigid, the rest is not set.
struct SplinePieceLanes {
  static constexpr std::size_t intervals = offset_curve::SplinePiece<double>::intervals;
  // At the beginning of each interval, and what is added in it. A register is read from anywhere
  // on.
  std::array<float, intervals + tile_size> parameter, change;
  std::array<SplineSpanLanes, offset_curve::SplinePiece<double>::most_spans> spans;
  std::size_t span_count;
  // The fraction of the length at which each span ends; for the last one and beyond, more than any.
  std::array<float, tile_size> ends;
  float hold_change;  // 1 / stretch - 1
  CurveMotion motion;
};

// `rest` are those at bind, or null where they move points even then. Reuse the memory of `to`.
void fill_curves(std::span<const offset_curve::ArcJoint<double>> joints,
                 std::span<const offset_curve::ArcJoint<double>* const> rest,
                 const PackedCurves& curves, std::vector<ArcSide>& to);
void fill_curves(std::span<const offset_curve::SplinePiece<double>> pieces,
                 std::span<const offset_curve::SplinePiece<double>* const> rest,
                 const PackedCurves& curves, std::vector<SplinePieceLanes>& to);

template <class Item>
struct CurveJob {
  const PackedCurves* curves = nullptr;
  const Item* items = nullptr;
  Output output;  // of which positions are written
};

// Deform the block of the vertex `first` with the best instruction set of the machine.
void deform_curves(const CurveJob<ArcSide>& job, std::size_t first) noexcept;
void deform_curves(const CurveJob<SplinePieceLanes>& job, std::size_t first) noexcept;

}  // namespace sinew::kernels
