// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/nearest_rows.h"

#include <algorithm>
#include <map>

#include "sinew/core/parallel.h"
#include "sinew/geometry/bvh.h"

namespace sinew::detail {

std::size_t fill_from_nearest(const std::vector<Vec3>& positions,
                              const std::vector<Triangle>& triangles,
                              std::vector<std::vector<Influence>>& rows) {
  std::vector<Index> empty;
  for (std::size_t v = 0; v < rows.size(); ++v) {
    if (rows[v].empty()) empty.push_back(static_cast<Index>(v));
  }
  if (empty.empty() || empty.size() == rows.size()) return 0;
  std::vector<Triangle> known;
  std::copy_if(triangles.begin(), triangles.end(), std::back_inserter(known),
               [&](const Triangle& t) {
                 return std::none_of(t.begin(), t.end(), [&](Index v) { return rows[v].empty(); });
               });
  if (known.empty()) {
    for (std::size_t v = 0; v < rows.size(); ++v) {
      if (!rows[v].empty()) known.push_back({Index(v), Index(v), Index(v)});
    }
  }
  const Bvh bvh(positions, known);
  std::vector<std::vector<Influence>> filled(empty.size());
  parallel_for(empty.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto point = bvh.closest(positions[empty[i]]);
      std::map<int, double> blend;
      for (std::size_t k = 0; k < 3; ++k) {
        for (const Influence& influence : rows[known[point->triangle][k]]) {
          blend[influence.bone] += point->barycentric[k] * influence.weight;
        }
      }
      double sum = 0;
      for (const auto& [bone, weight] : blend) sum += weight;
      for (const auto& [bone, weight] : blend) {
        if (weight > 0) filled[i].push_back({bone, weight / sum});
      }
    }
  });
  for (std::size_t i = 0; i < empty.size(); ++i) rows[empty[i]] = std::move(filled[i]);
  return empty.size();
}

}  // namespace sinew::detail
