// SPDX-License-Identifier: Apache-2.0
// One function for each sample, or family of samples.
#pragma once

#include <cstddef>

#include "sinew/core/progress.h"
#include "sinew/rig/rig.h"
#include "sinew/samples/detail/chart.h"

namespace sinew::samples {

// Along +y from the origin, metres.
Rig make_cigar(std::size_t vertex_target, const Progress& progress);
Rig make_tube(int bones, std::size_t vertex_target, const Progress& progress);
Rig make_box(std::size_t vertex_target, const Progress& progress);
// A left arm along +x from the shoulder at the origin, palm down.
Rig make_arm(std::size_t vertex_target, const Progress& progress);
// From the neck at y = 0 up, facing +z.
Rig make_head(std::size_t vertex_target, const Progress& progress);
Chart head_chart();
// Standing on y = 0, facing +z.
Rig make_mannequin(std::size_t vertex_target, const Progress& progress);
Rig make_beast(std::size_t vertex_target, const Progress& progress);
// Flat, in the plane z = 0, looking to +x.
Rig make_giraffe(std::size_t vertex_target, const Progress& progress);

}  // namespace sinew::samples
