// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include "sinew/deform/muscles.h"
#include "sinew/kernels/detail/pack.h"

namespace sinew::kernels {
namespace {

// Puts x, y and z into a lane of three blocks.
void put_lane(std::span<float> blocks, std::size_t lane, const Vec3& v) {
  for (std::size_t k = 0; k < 3; ++k) blocks[k * tile_size + lane] = static_cast<float>(v[k]);
}

void pack_bulge(PackedRig& packed, std::size_t tile, std::uint32_t bone, const Rows<Bulge>& rows) {
  constexpr std::size_t size = 3 * tile_size;
  const std::size_t block = packed.bulges.size();
  packed.bulges.push_back(bone);
  packed.bulge_moves.resize((block + 1) * size, 0.0f);
  packed.bulge_slopes.resize((block + 1) * 2 * size, 0.0f);
  const auto moves = std::span(packed.bulge_moves).subspan(block * size);
  const auto slopes = std::span(packed.bulge_slopes).subspan(block * 2 * size);
  for (std::size_t lane = 0; lane < tile_size; ++lane) {
    const std::size_t slot = tile * tile_size + lane;
    for (const Bulge& bulge : rows[packed.order[slot]]) {
      if (static_cast<std::uint32_t>(bulge.bone) != bone) continue;
      const auto [s, t] = directions_at(packed, slot);
      put_lane(moves, lane, bulge.move);
      put_lane(slopes, lane, bulge.along(s));
      put_lane(slopes.subspan(size), lane, bulge.along(t));
    }
  }
}

}  // namespace

void pack_muscles(PackedRig& packed, const Rig& rig, bool with_slopes) {
  const Rows<Bulge> rows = bulge_rows(rig, with_slopes && !rig.mesh.triangles.empty());
  if (rows.items.empty()) return;
  if (packed.directions.empty()) pack_directions(packed);
  packed.first_bulge.push_back(0);
  std::vector<std::uint32_t> bones;
  for (std::size_t tile = 0; tile < packed.tile_count; ++tile) {
    bones.clear();
    for (std::size_t lane = 0; lane < tile_size; ++lane) {
      for (const Bulge& bulge : rows[packed.order[tile * tile_size + lane]]) {
        bones.push_back(static_cast<std::uint32_t>(bulge.bone));
      }
    }
    std::sort(bones.begin(), bones.end());
    bones.erase(std::unique(bones.begin(), bones.end()), bones.end());
    for (const std::uint32_t bone : bones) pack_bulge(packed, tile, bone, rows);
    packed.first_bulge.push_back(static_cast<std::uint32_t>(packed.bulges.size()));
  }
}

}  // namespace sinew::kernels
