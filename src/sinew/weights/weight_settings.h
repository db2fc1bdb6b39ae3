// SPDX-License-Identifier: Apache-2.0
// Computes a skin's weights by methods and options that are given by name, as users give them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "sinew/core/progress.h"
#include "sinew/mesh/mesh.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/skin.h"
#include "sinew/weights/carry_endpoints.h"
#include "sinew/weights/compute_weights.h"
#include "sinew/weights/prune.h"
#include "sinew/weights/report.h"

namespace sinew {

// What is empty or 0 stays as the method has it.
struct WeightSettings {
  std::string method{};           // empty: keep the skin's own weights; bbw if it has none
  std::string endpoints = "bbw";  // or none
  std::string endpoints_from{};   // bbw, idw: bones or joints
  std::size_t influences = 0;     // at most per vertex; 0: any number
  std::size_t lattice_nodes = 0;  // bbw
  int voxels = 0;                 // voxel: cells along the longest side
  double power = 0;               // voxel, shepard, idw: of the distance
  int joints = 0;                 // shepard: how many move a vertex
  double heat = 0;                // heat: how much bones give off
};

// What came of it.
struct WeightResult {
  WeightReport report;  // peak_memory is left to the caller
  CarriedSkin carried;
  std::size_t influences = 0;  // at most per vertex; 0: any number
  std::optional<PruneError> pruned;
};

// Computes weights for a mesh and a skeleton, which must be valid, and replaces those of the skin;
// what they do not determine stays, twist endpoint weights with their influences (see
// replace_weights). If it throws, the skin is as it was.
// Throws UsageError for a name that is not known, and for an option that has no effect on what is
// computed, with `dashes` before the names of options ("--" for a command line); InputError for a
// mesh without vertices or a skeleton without bones; and as compute_weights().
WeightResult compute_weights(const Mesh& mesh, const Skeleton& skeleton, Skin& skin,
                             const WeightSettings& settings, const Progress& progress = {},
                             std::string_view dashes = "");

// As to_text() and report_to_json() of the report; and what was kept and pruned, in JSON as
// "twist_endpoints" {"kept", "added"} and "pruned" {"influences", "largest_change", "mean_change",
// "vertices"}.
std::string to_text(const WeightResult& result);
std::string to_json(const WeightResult& result);

}  // namespace sinew
