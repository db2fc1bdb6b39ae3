// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/smooth.h"

#include <algorithm>
#include <span>

#include "sinew/core/error.h"
#include "sinew/mesh/adjacency.h"
#include "sinew/mesh/weld.h"
#include "sinew/weights/detail/row_mixer.h"
#include "sinew/weights/detail/welded_rows.h"
#include "sinew/weights/prune.h"

namespace sinew {

Skin smooth(const Mesh& mesh, const Skin& skin, const SmoothOptions& options) {
  if (!(options.strength >= 0 && options.strength <= 1)) {
    throw UsageError("the strength of smoothing is a number from 0 to 1");
  }
  const std::vector<bool>& where = options.where;
  if (!where.empty() && where.size() != mesh.vertex_count()) {
    throw UsageError("vertices to be smoothed are marked one by one, or not at all");
  }
  const std::size_t bone_count = bones_used(skin);
  validate(skin, mesh.vertex_count(), bone_count);
  Skin result = skin;
  if (options.iterations > 0) {
    const detail::WeldedMesh welded(mesh);
    detail::RowMixer mixer(bone_count);
    std::vector<detail::SkinRow> rows = welded.gather(skin, mixer);
    const auto stays = [&](std::size_t v) {
      const std::span<const Index> copies = welded.copies[v];
      return !where.empty() &&
             !std::all_of(copies.begin(), copies.end(), [&](Index copy) { return where[copy]; });
    };
    std::vector<std::size_t> moving;
    for (std::size_t v = 0; v < rows.size(); ++v) {
      if (!stays(v)) moving.push_back(v);
    }
    std::vector<detail::SkinRow> next = rows;
    detail::RowSmoother smoother(bone_count, options.locks, options.bone_weights,
                                 options.endpoints);
    for (std::size_t i = 0; i < options.iterations; ++i) {
      for (const std::size_t v : moving) {
        smoother.smooth(rows, v, welded.neighbors[v], options.strength, next[v]);
      }
      rows.swap(next);
    }
    result = welded.scatter(rows, skin);
  }
  if (options.max_influences > 0)
    result = prune(result, options.max_influences, options.locks).skin;
  return result;
}

}  // namespace sinew
