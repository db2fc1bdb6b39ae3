// SPDX-License-Identifier: Apache-2.0
// Weight reports as JSON.
#pragma once

#include <string>

#include "sinew/weights/report.h"

namespace sinew {

// One object, indented by two spaces: "vertices", "bones", "uncovered", "finite",
// "largest_sum_error", "influences" {"min", "mean", "max", "histogram"}, "bleeding" {"count",
// "vertices" (all of them), "bones" [{"bone", "name", "vertices" (how many)}]}, "smoothness"
// {"total", "per_bone"}, "solve" and "solve_endpoints" {"converged", "residual", "unknowns",
// "iterations", "repairs"}, "method", "seconds", "peak_memory_bytes", "findings", "poor". Numbers
// that are not finite are null. Also "cannot_stretch": the bones in WeightReport::cannot_stretch,
// and "idle_bones" [{"bone", "name"}].
std::string report_to_json(const WeightReport& report);

}  // namespace sinew
