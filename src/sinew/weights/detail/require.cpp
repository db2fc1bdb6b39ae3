// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/require.h"

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew::detail {

void require_rows(const Weights& weights, std::size_t vertex_count, std::size_t bone_count) {
  if (weights.vertex_count() != vertex_count) {
    throw InputError("weights", fmt::format("there are {} rows for {} vertices; weigh this mesh",
                                            weights.vertex_count(), vertex_count));
  }
  for (std::size_t v = 0; v < vertex_count; ++v) {
    for (const Influence& influence : weights.row(v)) {
      if (influence.bone < 0 || static_cast<std::size_t>(influence.bone) >= bone_count) {
        throw InputError(
            fmt::format("weights of vertex {}", v),
            fmt::format("bone {} does not exist; there are {}", influence.bone, bone_count));
      }
    }
  }
}

void require_smallest(double smallest) {
  if (!(smallest >= 0 && smallest <= 0.01)) {
    throw UsageError(
        fmt::format("the smallest weight to keep is {}; it must be in [0, 0.01]", smallest));
  }
}

}  // namespace sinew::detail
