// SPDX-License-Identifier: Apache-2.0
// Builds sparse weights row by row on several threads.
#pragma once

#include <algorithm>
#include <vector>

#include "sinew/core/parallel.h"
#include "sinew/skin/weights.h"

namespace sinew::detail {

// `make(v, influences)` appends the influences of vertex v. make_scratch() is called once per block
// of vertices; its result is passed to `make` as the third argument.
template <class MakeScratch, class Make>
Weights collect_rows(std::size_t vertex_count, MakeScratch&& make_scratch, Make&& make) {
  constexpr std::size_t grain = 2048;
  std::vector<std::vector<Influence>> blocks((vertex_count + grain - 1) / grain);
  Weights weights;
  weights.offsets.assign(vertex_count + 1, 0);
  sinew::parallel_for(vertex_count, grain, [&](std::size_t begin, std::size_t end) {
    auto scratch = make_scratch();
    std::vector<Influence>& block = blocks[begin / grain];
    for (std::size_t v = begin; v < end; ++v) {
      make(v, block, scratch);
      weights.offsets[v + 1] = block.size();
    }
  });
  std::size_t total = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const std::size_t end = std::min(vertex_count, (b + 1) * grain);
    for (std::size_t v = b * grain; v < end; ++v) weights.offsets[v + 1] += total;
    total += blocks[b].size();
  }
  weights.influences.resize(total);
  sinew::parallel_for(blocks.size(), 1, [&](std::size_t begin, std::size_t) {
    std::copy(
        blocks[begin].begin(), blocks[begin].end(),
        weights.influences.begin() + static_cast<std::ptrdiff_t>(weights.offsets[begin * grain]));
  });
  return weights;
}

// Drops the influences from `first` on that are below `smallest` times the largest of them, and
// scales the others to sum 1.
inline void finish_row(std::vector<Influence>& influences, std::size_t first, double smallest) {
  const auto begin = influences.begin() + static_cast<std::ptrdiff_t>(first);
  double largest = 0;
  for (auto i = begin; i != influences.end(); ++i) largest = std::max(largest, i->weight);
  influences.erase(std::remove_if(begin, influences.end(),
                                  [&](const Influence& i) {
                                    return !(i.weight > 0) || i.weight < smallest * largest;
                                  }),
                   influences.end());
  double sum = 0;
  for (auto i = begin; i != influences.end(); ++i) sum += i->weight;
  for (auto i = begin; i != influences.end(); ++i) i->weight /= sum;
}

}  // namespace sinew::detail
