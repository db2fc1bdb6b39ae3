// SPDX-License-Identifier: Apache-2.0
// Converts stretch and twist to ordinary helper joints, which any engine can play with linear blend
// skinning.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sinew/bake/live_table.h"
#include "sinew/bake/report.h"
#include "sinew/core/progress.h"
#include "sinew/rig/rig.h"
#include "sinew/skeleton/constraints.h"
#include "sinew/weights/compute_weights.h"

namespace sinew {

// What moves the helpers in poses outside the clips: nothing, a script that reads the table, or the
// script or VRM constraints.
enum class LiveHelpers { none, table, vrm };

// How much of the rig is baked, and how exactly.
struct BakeOptions {
  // Segments per bone. If empty, as many as the error bound requires, at most `most_segments`.
  std::optional<int> segments{};
  // Bound on each vertex's distance from the true result, in per cent of the limb's radius. If
  // empty: no bound if `segments` is given, 2 otherwise.
  std::optional<double> max_error_percent{};
  std::size_t influences = 4;  // at most per vertex; 0: no limit
  // The bones to split: joint names or bone numbers. Empty: the bones that twist or stretch.
  std::vector<std::string> joints{};
  bool all_bones = false;
  WeightMethod weights = BbwOptions{};  // used if the rig has no bone weights
  // Used if it has no endpoint weights; where no bone is split they are projected, since only the
  // measured errors depend on them, by less than a quarter of the bound.
  EndpointMethod endpoints = BbwEndpointOptions{};
  bool replace_endpoints = false;  // recompute existing endpoint weights too
  // Tolerance of animation keys, as a fraction of the bounding box diagonal.
  double key_tolerance = 1e-4;
  LiveHelpers live = LiveHelpers::none;
  // Bones that get longer get thinner and keep their volume (StateOptions::squash). Not with live
  // helpers, whose scale nothing moves.
  bool squash = false;
};

// The largest number of segments that a bone is split into.
inline constexpr int most_segments = 64;

// The rig with missing weights and endpoint weights computed by the options' methods. Throws as
// compute_weights().
Rig with_weights(const Rig& rig, const BakeOptions& options = {}, const Progress& progress = {});

// What bake() makes: the rig to write, what was lost, and what moves its helpers at run time.
struct Baked {
  Rig rig;
  BakeReport report;
  LiveTable table;                           // of all helpers
  std::vector<JointConstraint> constraints;  // with LiveHelpers::vrm
};

// The map of a bone is a function of the endpoint weight e alone, T(e) = R K(e) with e s along the
// bone (Jacobson and Sorkine 2011, eq. 5). With N segments it is close to sum_k B_k(e) T(k/N), B_k
// hat functions: so weight w becomes w B_k(e), filters applied first, over N + 1 helper joints that
// each carry one rigid motion T(k/N).
//
// The result keeps the rig's joints, bones, names and clips in their order; helper joints and their
// bones follow. Helpers are leaves below their bone's joint and have tracks in every clip. They
// only rotate and translate, except that helpers of a bone that clips scale across its axis carry
// that scale. Muscles become blend shapes at the end of the list, whose weights are the drives
// and have tracks. The result has no endpoint weights, filters or muscles. If a clip scales bones
// away from their size in the bind pose, joints get tracks without scale that keep every bone's
// ends in place; generalized bones and driven blend shapes become tracks. Both apply only to rigs
// with clips: without clips, the error is measured over generic twists and stretches, and nothing
// moves the helpers.
//
// Live helpers: bones are chosen as above or, if no clip needs any, by generic poses. There are
// enough segments for twists of half a turn at both ends. The error is also measured in poses that
// twist by half a turn, and stretch, the joints at the tails of split bones (only those whose twist
// affects no other bones, if there are any). Unnamed joints get a name. With constraints, helpers
// may be children of nodes added below the joint, which come last in the list (see
// baking::add_rolls). Constraints handle twists of less than half a turn and no stretch.
//
// Throws UsageError for options out of range and joints that do not exist, InputError for a rig
// that is not valid or has no bones or vertices, or whose rest pose differs in size from its bind
// pose.
Baked bake(const Rig& rig, const BakeOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
