// SPDX-License-Identifier: Apache-2.0
// The built-in characters and shapes: procedurally generated rigs with weights and clips.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/core/sample_info.h"
#include "sinew/mesh/part_look.h"
#include "sinew/rig/rig.h"

namespace sinew {

// Those that there are.
std::span<const SampleInfo> sample_list();

// How many vertices they have if nothing is said.
inline constexpr std::size_t default_resolution = 5000;

// The sample of that name with about `vertex_target` vertices (clamped to 64 to 4 million; if that
// is too few for a shape with many limbs to be recognisable, it gets some hundreds more). Metres, y
// up, facing +z, its left at +x. Throws UsageError listing the names.
Rig make_sample(std::string_view name, std::size_t vertex_target, const Progress& progress = {});

// What the parts of a sample look like, where pictures say more than the colours of its vertices:
// one for each part, or none. Throws UsageError as make_sample().
std::vector<PartLook> sample_looks(std::string_view name);

}  // namespace sinew
