// SPDX-License-Identifier: Apache-2.0
// The packed form: tiles of 16 vertices, with every bone that moves one of them listed once, so
// that bone data is broadcast and nothing is gathered.
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
// Vertices are regrouped only within blocks of this many tiles, which are also what one task works
// on: what it writes lies together, however large the mesh.
inline constexpr std::size_t tiles_per_block = 128;
inline constexpr std::uint32_t no_endpoints = 0xffffffff;

// Which of an entry's endpoint weights are neither all 0 nor all 1.
enum Varies : std::uint8_t { stretch_varies = 1, twist_varies = 2 };

// One bone of one tile. Its weights are the 16 floats at weights[16 * index of the entry].
struct Entry {
  std::uint32_t bone = 0;
  std::uint32_t endpoints = no_endpoints;  // its block of 16, where any of the two varies
  std::uint16_t pivot_lanes = 0;           // bit l: lane l has its largest weight here
  std::uint8_t varies = 0;                 // of Varies
  std::uint8_t corner = 0;                 // e of the stretch + 2 e of the twist, where constant
};

// A bone of a tile whose weight or endpoint weights change along the surface there.
struct Slope {
  std::uint32_t entry = 0;
  std::uint32_t endpoints = no_endpoints;  // its block of slopes, where endpoint weights change
};

// The bones whose rotations are blended with each other: in a tile, every bone meets every one that
// has the largest weight in some lane. Many tiles are of one kind.
struct BlendedPairs {
  std::vector<std::array<std::uint32_t, 2>> pairs;  // of bones, each once
  std::vector<std::uint32_t> first{0};              // per kind, and one more
  std::vector<std::uint32_t> members;               // of the kinds: indices into pairs
};

// Lanes beyond the last vertex repeat it, so that no lane needs a mask. Vertices without weight
// hang on one more bone that never moves.
struct PackedRig {
  std::size_t vertex_count = 0;
  std::size_t bone_count = 0;  // without the one that never moves
  std::size_t tile_count = 0;
  BoneTree tree;
  std::vector<std::uint32_t> order;         // order[16 tile + lane]: the vertex
  std::vector<std::uint32_t> first_vertex;  // per tile: order[16 tile], which lies closer together
  // Per tile: 16, 4 or 1 vertices follow each other in the mesh, group by group.
  std::vector<std::uint8_t> runs;
  Vec3 center;              // positions are relative to it
  AlignedFloats positions;  // per tile x[16] y[16] z[16]
  AlignedFloats normals;    // the same
  AlignedFloats tangents;   // per tile x[16] y[16] z[16] w[16]; or empty

  std::vector<std::uint32_t> first_entry;  // per tile, and one more
  // Behind those of the tiles: bones that move none of a tile's vertices, but some next to them.
  // Only slopes refer to these; they have no weights.
  std::vector<Entry> entries;
  AlignedFloats weights;
  std::vector<std::uint32_t> kinds;  // per tile
  std::shared_ptr<const BlendedPairs> blended_pairs;
  AlignedFloats stretch_endpoints;            // blocks of 16, after the filters
  AlignedFloats twist_endpoints;              // the same; empty where none differs
  std::vector<float> raw_stretch, raw_twist;  // 16 per entry, before the filters; twist or empty

  // For normals: change per unit of length along two directions of the tangent plane at bind, s and
  // normal x s, first the 16 along s, then those along the other. All empty where nothing changes.
  AlignedFloats directions;                        // s, per tile x[16] y[16] z[16]
  std::vector<std::uint32_t> first_slope;          // per tile, and one more
  std::vector<Slope> slopes;                       // those whose weights change first
  std::vector<std::uint32_t> weight_slope_counts;  // per tile: how many those are
  AlignedFloats weight_slopes;                     // per slope
  AlignedFloats stretch_slopes;                    // in blocks, times the weight, after the filters
  AlignedFloats twist_slopes;                      // the same; empty where none differs
  std::vector<float> raw_stretch_slopes, raw_twist_slopes;  // before the filters

  std::size_t shape_count = 0;
  std::vector<std::uint32_t> first_shape;  // per tile, and one more; empty without shapes
  std::vector<std::uint32_t> shapes;       // those that move something in the tile
  // What each of these adds, x[16] y[16] z[16]; the last two may be empty.
  AlignedFloats shape_positions, shape_normals, shape_tangents;
};

enum class Blending : std::uint8_t { linear, dual_quaternion, mixed };

// What a method's settings are to the kernels.
struct PackedPlan {
  BoneMap map = BoneMap::matrix;
  Blending blending = Blending::linear;
  AlignedFloats shares;         // mixed: of the dual quaternion, in packed order
  std::vector<BoneIndex> collapsing;  // Stretch It: as the method has them
};

}  // namespace sinew::kernels
