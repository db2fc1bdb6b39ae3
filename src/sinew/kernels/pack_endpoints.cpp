// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
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
  const std::vector<float>& raw_twist =
      packed.raw_twist.empty() ? packed.raw_stretch : packed.raw_twist;
  const std::vector<float>& raw_twist_slopes =
      packed.raw_twist_slopes.empty() ? packed.raw_stretch_slopes : packed.raw_twist_slopes;
  const bool may_differ = !packed.raw_twist_slopes.empty() ||
                          std::any_of(filters.begin(), filters.end(), [](const BoneFilter& filter) {
                            return filter.stretch != filter.twist;
                          });
  packed.stretch_slopes.assign(packed.raw_stretch_slopes.begin(), packed.raw_stretch_slopes.end());
  packed.twist_slopes = {};
  if (may_differ) packed.twist_slopes.assign(raw_twist_slopes.begin(), raw_twist_slopes.end());
  parallel_for(packed.slopes.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (const Slope& slope : std::span(packed.slopes).subspan(begin, end - begin)) {
      const std::uint32_t bone = packed.entries[slope.entry].bone;
      if (slope.endpoints == no_endpoints || bone >= filters.size()) continue;
      for (std::size_t i = 0; i < size; ++i) {
        const std::size_t at = slope.endpoints * size + i;
        const std::size_t raw = slope.entry * tile_size + i % tile_size;
        packed.stretch_slopes[at] *=
            steepness(filters[bone].stretch, static_cast<double>(packed.raw_stretch[raw]));
        if (!may_differ) continue;
        packed.twist_slopes[at] *=
            steepness(filters[bone].twist, static_cast<double>(raw_twist[raw]));
      }
    }
  });
  if (packed.twist_slopes == packed.stretch_slopes) packed.twist_slopes = {};
}

// The endpoint weights of one entry after the filters.
struct FilteredBlock {
  std::array<float, tile_size> stretch, twist;

  FilteredBlock(const PackedRig& packed, std::size_t entry, std::span<const BoneFilter> filters) {
    const std::uint32_t bone = packed.entries[entry].bone;
    const BoneFilter* filter = bone < filters.size() ? &filters[bone] : nullptr;
    const std::vector<float>& raw_twist =
        packed.raw_twist.empty() ? packed.raw_stretch : packed.raw_twist;
    filter_block(filter ? &filter->stretch : nullptr,
                 std::span(packed.raw_stretch).subspan(entry * tile_size, tile_size), stretch);
    filter_block(filter ? &filter->twist : nullptr,
                 std::span(raw_twist).subspan(entry * tile_size, tile_size), twist);
  }
};

}  // namespace

void pack_endpoints(PackedRig& packed, std::span<const BoneFilter> filters) {
  if (!filters.empty() && filters.size() != packed.bone_count) {
    throw UsageError("there must be one filter for each bone, or none");
  }
  // First how many vary, so that their blocks are allocated once.
  constexpr std::size_t grain = 1024;
  struct Found {
    std::uint32_t varying = 0;  // then: how many before these
    bool differ = false;
  };
  std::vector<Found> found(packed.entries.size() / grain + 1);
  parallel_for(packed.entries.size(), grain, [&](std::size_t begin, std::size_t end) {
    Found& here = found[begin / grain];
    for (std::size_t i = begin; i < end; ++i) {
      Entry& entry = packed.entries[i];
      const FilteredBlock block(packed, i, filters);
      const int stretch_end = constant_end(block.stretch), twist_end = constant_end(block.twist);
      entry.corner =
          static_cast<std::uint8_t>(std::max(stretch_end, 0) + 2 * std::max(twist_end, 0));
      entry.varies = static_cast<std::uint8_t>((stretch_end < 0 ? stretch_varies : 0) |
                                               (twist_end < 0 ? twist_varies : 0));
      if (entry.varies == 0) continue;
      ++here.varying;
      here.differ = here.differ || block.stretch != block.twist;
    }
  });
  std::uint32_t total = 0;
  bool differ = false;
  for (Found& here : found) {
    total += std::exchange(here.varying, total);
    differ = differ || here.differ;
  }
  packed.stretch_endpoints = AlignedFloats(total * tile_size);
  packed.twist_endpoints = AlignedFloats(differ ? total * tile_size : 0);
  parallel_for(packed.entries.size(), grain, [&](std::size_t begin, std::size_t end) {
    std::uint32_t next = found[begin / grain].varying;
    for (std::size_t i = begin; i < end; ++i) {
      Entry& entry = packed.entries[i];
      entry.endpoints = entry.varies != 0 ? next++ : no_endpoints;
      if (entry.varies == 0) continue;
      const FilteredBlock block(packed, i, filters);
      const auto first = static_cast<std::ptrdiff_t>(entry.endpoints * tile_size);
      std::copy(block.stretch.begin(), block.stretch.end(),
                packed.stretch_endpoints.begin() + first);
      if (!differ) continue;
      std::copy(block.twist.begin(), block.twist.end(), packed.twist_endpoints.begin() + first);
    }
  });
  filter_slopes(packed, filters);
}

}  // namespace sinew::kernels
