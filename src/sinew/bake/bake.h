// SPDX-License-Identifier: Apache-2.0
// Stretch and twist as ordinary helper joints that linear blend skinning plays in any engine.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sinew/bake/report.h"
#include "sinew/core/progress.h"
#include "sinew/rig/rig.h"
#include "sinew/weights/weigh.h"

namespace sinew {

struct BakeOptions {
  // Segments per bone; missing: as many as the error bound asks for, at most `most_segments`.
  std::optional<int> segments{};
  // Bound on each vertex's distance from the true result, in per cent of the limb's radius. Missing
  // with `segments`: nothing is bounded; without: 2.
  std::optional<double> max_error{};
  std::size_t influences = 4;         // per vertex at most; 0: as many as it takes
  std::vector<std::string> joints{};  // whose bones are split; empty: those that twist or stretch
  bool all_bones = false;
  WeightMethod weights = BbwOptions{};              // where the rig has no bone weights
  EndpointMethod endpoints = BbwEndpointOptions{};  // where it has no endpoint weights
  // How far keys may be off, as a share of the bounding box's diagonal.
  double key_tolerance = 1e-4;
};

inline constexpr int most_segments = 64;

struct Baked {
  Rig rig;
  BakeReport report;
};

// The map of a bone is a function of the endpoint weight e alone, T(e) = R K(e) with e s along the
// bone (seed 000 eq. 5). With N segments it is close to sum_k B_k(e) T(k/N), B_k hat functions: so
// weight w becomes w B_k(e), filters applied first, over N + 1 helper joints that each carry one
// rigid motion T(k/N).
//
// The result has the rig's joints, bones, names and clips, in their order; helper joints and their
// bones come after them. Helpers are leaves below the joint of their bone, only rotate and
// translate, and have tracks in every clip. Endpoint weights and filters are used up. Where a clip
// scales bones away from their size at bind, joints get tracks without scale that put every bone's
// ends where they were; generalized bones become tracks. Both only in rigs that have clips: without
// any, the error is measured over generic twists and stretches, and nothing moves the helpers.
//
// Throws UsageError for options out of range and joints that do not exist, InputError for a rig
// without bones or vertices, or one whose rest pose is not of the size that it was bound at.
Baked bake(const Rig& rig, const BakeOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
