// SPDX-License-Identifier: Apache-2.0
// The packed form of a rig: tiles of 16 vertices. Each bone that moves a vertex of a tile is listed
// once per tile, so that bone data is broadcast to all lanes instead of gathered.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/deform/bone_state.h"
#include "sinew/deform/skinning.h"
#include "sinew/kernels/detail/aligned.h"

namespace sinew::kernels {

inline constexpr std::size_t tile_size = 16;
// Vertices are reordered only within blocks of this many tiles. A block is also the unit of work of
// a thread, so what a thread writes is contiguous, however large the mesh.
inline constexpr std::size_t tiles_per_block = 256;
inline constexpr std::size_t block_size = tiles_per_block * tile_size;
inline constexpr std::uint32_t no_endpoints = 0xffffffff;

// Flags of an entry whose endpoint weights are neither all 0 nor all 1.
enum Varies : std::uint8_t { stretch_varies = 1, twist_varies = 2 };

// One bone of one tile. Entry i has the 16 weights from weights[16 * i] on.
struct Entry {
  std::uint32_t bone = 0;
  std::uint32_t endpoints = no_endpoints;  // index of its block of 16, if one of the two varies
  std::uint16_t pivot_lanes = 0;  // bit l: this is the bone with the largest weight of lane l
  std::uint8_t varies = 0;        // flags of Varies
  std::uint8_t corner = 0;        // e of the stretch + 2 e of the twist, if constant
};

// A bone of a tile whose weights or endpoint weights have a gradient along the surface there.
struct Slope {
  std::uint32_t entry = 0;
  std::uint32_t endpoints =
      no_endpoints;  // index of its block of slopes, if endpoint weights change
};

// Pairs of bones whose quaternions must have consistent signs. In a tile, each bone meets each bone
// that has the largest weight in some lane. Tiles with the same set of pairs are of the same kind.
struct BlendedPairs {
  std::vector<std::array<std::uint32_t, 2>> pairs;  // of bones, without duplicates
  std::size_t kind_count = 0;
  std::vector<std::uint32_t> first{0};  // per pair, and one more
  std::vector<std::uint32_t> kinds;     // of each pair: those it belongs to
};

// Lanes beyond the last vertex repeat it, so that no masks are needed. Vertices without weights are
// bound to an additional bone that never moves.
struct PackedRig {
  std::size_t vertex_count = 0;
  std::size_t bone_count = 0;  // without the additional bone that never moves
  std::size_t tile_count = 0;
  std::vector<std::uint32_t> still;  // the vertices bound to that bone, ascending
  BoneTree tree;
  std::vector<std::uint32_t> order;  // order[16 tile + lane]: the vertex
  std::vector<std::uint8_t> sorted;  // per block: whether its vertices are not in the mesh's order
  std::vector<std::uint16_t> slots;  // per vertex: its place in its block; empty if none is sorted
  Vec3 center;                       // positions are relative to it
  AlignedFloats positions;           // per tile x[16] y[16] z[16]
  AlignedFloats normals;             // the same
  AlignedFloats tangents;            // per tile x[16] y[16] z[16] w[16]; or empty

  std::vector<std::uint32_t> first_entry;  // per tile, and one more
  // After the tiles' own entries come those that only slopes refer to, for bones that move no
  // vertex of a tile, but a neighbour of one, or vertices at other endpoint weights. They have no
  // weights.
  std::vector<Entry> entries;
  AlignedFloats weights;
  std::vector<std::uint32_t> kinds;  // per tile
  std::shared_ptr<const BlendedPairs> blended_pairs;
  AlignedFloats stretch_endpoints;  // blocks of 16, after the filters
  AlignedFloats twist_endpoints;    // the same; empty if none differs from the stretch
  std::vector<float> raw_stretch,
      raw_twist;  // 16 per entry, before the filters; twist may be empty

  // For normals: derivatives along two unit directions of the tangent plane at bind, s and normal x
  // s; first the 16 along s, then the 16 along the other. All empty if nothing changes.
  AlignedFloats directions;                        // s, per tile x[16] y[16] z[16]
  std::vector<std::uint32_t> first_slope;          // per tile, and one more
  std::vector<Slope> slopes;                       // per tile, first those whose weights change
  std::vector<std::uint32_t> weight_slope_counts;  // per tile: how many have weights that change
  AlignedFloats weight_slopes;                     // per slope
  AlignedFloats stretch_slopes;  // in blocks, multiplied by the weight, after the filters
  AlignedFloats twist_slopes;    // the same; empty if none differs from the stretch
  std::vector<float> raw_stretch_slopes, raw_twist_slopes;  // before the filters

  std::size_t shape_count = 0;
  std::vector<std::uint32_t> first_shape;  // per tile, and one more; empty without shapes
  std::vector<std::uint32_t> shapes;       // the shapes that move a vertex of the tile
  // The deltas of each of these, x[16] y[16] z[16]; the last two may be empty.
  AlignedFloats shape_positions, shape_normals, shape_tangents;

  // The bulges of muscles at drive 1 (deform/muscles.h).
  std::vector<std::uint32_t> first_bulge;  // per tile, and one more; empty without muscles
  std::vector<std::uint32_t> bulges;       // the bones whose muscles reach the tile
  AlignedFloats bulge_moves;               // of each of these, x[16] y[16] z[16]
  AlignedFloats bulge_slopes;              // derivatives of the moves along both directions, alike
};

enum class Blending : std::uint8_t { linear, dual_quaternion, mixed };

// A method's settings as the kernels read them.
struct PackedPlan {
  BoneMap map = BoneMap::matrix;
  Blending blending = Blending::linear;
  AlignedFloats shares;               // for mixed: the share of dual quaternions, in packed order
  std::vector<BoneIndex> collapsing;  // for Stretch It: as in its settings
  // The same as a flag per bone, if they ascend, as the entries of a tile do; or empty.
  std::vector<std::uint8_t> collapses;
};

}  // namespace sinew::kernels
