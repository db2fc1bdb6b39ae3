// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <span>

#include "sinew/core/error.h"
#include "sinew/kernels/detail/pack.h"

namespace sinew::kernels {
namespace {

// Whether 16 endpoint weights are all 0 (0), all 1 (1), or neither (-1).
int constant_end(std::span<const float> block) {
  const float e = block.front();
  if (e != 0 && e != 1) return -1;
  return std::all_of(block.begin(), block.end(), [&](float x) { return x == e; })
             ? static_cast<int>(e)
             : -1;
}

void filter_block(const FilterCurve* curve, std::span<const float> raw, std::span<float> block) {
  for (std::size_t lane = 0; lane < tile_size; ++lane) {
    block[lane] = curve == nullptr || curve->is_identity()
                      ? raw[lane]
                      : static_cast<float>(evaluate(*curve, static_cast<double>(raw[lane])));
  }
}

// How steep the curve is about e: across about as much of it as an edge of a mesh spans, as the
// reference sees it.
float steepness(const FilterCurve& curve, double e) {
  if (curve.is_identity()) return 1;
  constexpr double reach = 1.0 / 64;
  const double low = std::max(e - reach, 0.0), high = std::min(e + reach, 1.0);
  return static_cast<float>((evaluate(curve, high) - evaluate(curve, low)) / (high - low));
}

void filter_slopes(PackedRig& packed, std::span<const BoneFilter> filters) {
  constexpr std::size_t size = 2 * tile_size;
  packed.stretch_slopes.assign(packed.raw_stretch_slopes.begin(), packed.raw_stretch_slopes.end());
  packed.twist_slopes.assign(packed.raw_twist_slopes.begin(), packed.raw_twist_slopes.end());
  for (const Slope& slope : packed.slopes) {
    const std::uint32_t bone = packed.entries[slope.entry].bone;
    if (slope.endpoints == no_endpoints || bone >= filters.size()) continue;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t at = slope.endpoints * size + i;
      const std::size_t raw = slope.entry * tile_size + i % tile_size;
      const auto twist = packed.raw_twist.empty() ? packed.raw_stretch[raw] : packed.raw_twist[raw];
      packed.stretch_slopes[at] *=
          steepness(filters[bone].stretch, static_cast<double>(packed.raw_stretch[raw]));
      packed.twist_slopes[at] *= steepness(filters[bone].twist, static_cast<double>(twist));
    }
  }
  if (packed.twist_slopes == packed.stretch_slopes) packed.twist_slopes = {};
}

}  // namespace

void pack_endpoints(PackedRig& packed, std::span<const BoneFilter> filters) {
  if (!filters.empty() && filters.size() != packed.bone_count) {
    throw UsageError("there must be one filter for each bone, or none");
  }
  const std::vector<float>& raw_twist =
      packed.raw_twist.empty() ? packed.raw_stretch : packed.raw_twist;
  packed.stretch_endpoints.clear();
  packed.twist_endpoints.clear();
  bool differ = false;
  std::array<float, tile_size> stretch{}, twist{};
  for (std::size_t i = 0; i < packed.entries.size(); ++i) {
    Entry& entry = packed.entries[i];
    const BoneFilter* filter = entry.bone < filters.size() ? &filters[entry.bone] : nullptr;
    filter_block(filter ? &filter->stretch : nullptr,
                 std::span(packed.raw_stretch).subspan(i * tile_size, tile_size), stretch);
    filter_block(filter ? &filter->twist : nullptr,
                 std::span(raw_twist).subspan(i * tile_size, tile_size), twist);
    const int stretch_end = constant_end(stretch), twist_end = constant_end(twist);
    entry.corner = static_cast<std::uint8_t>(std::max(stretch_end, 0) + 2 * std::max(twist_end, 0));
    entry.varies = static_cast<std::uint8_t>((stretch_end < 0 ? stretch_varies : 0) |
                                             (twist_end < 0 ? twist_varies : 0));
    entry.endpoints = no_endpoints;
    if (entry.varies == 0) continue;
    entry.endpoints = static_cast<std::uint32_t>(packed.stretch_endpoints.size() / tile_size);
    packed.stretch_endpoints.insert(packed.stretch_endpoints.end(), stretch.begin(), stretch.end());
    packed.twist_endpoints.insert(packed.twist_endpoints.end(), twist.begin(), twist.end());
    differ = differ || stretch != twist;
  }
  if (!differ) packed.twist_endpoints.clear();
  filter_slopes(packed, filters);
}

}  // namespace sinew::kernels
