// SPDX-License-Identifier: Apache-2.0
// Stretch and twist as ordinary helper joints that linear blend skinning plays in any engine.
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
#include "sinew/weights/weigh.h"

namespace sinew {

// What moves helpers in poses that no clip has: nothing, a script with the table, or the script or
// constraints as VRM has them.
enum class LiveHelpers { none, table, vrm };

// How much of the rig is baked, and how exactly.
struct BakeOptions {
  // Segments per bone; missing: as many as the error bound asks for, at most `most_segments`.
  std::optional<int> segments{};
  // Bound on each vertex's distance from the true result, in per cent of the limb's radius. Missing
  // with `segments`: nothing is bounded; without: 2.
  std::optional<double> max_error{};
  std::size_t influences = 4;  // per vertex at most; 0: as many as it takes
  // Whose bones are split, by name, or bones by number; empty: those that twist or stretch.
  std::vector<std::string> joints{};
  bool all_bones = false;
  WeightMethod weights = BbwOptions{};              // where the rig has no bone weights
  EndpointMethod endpoints = BbwEndpointOptions{};  // where it has no endpoint weights
  bool replace_endpoints = false;                   // also where it has
  // How far keys may be off, as a share of the bounding box's diagonal.
  double key_tolerance = 1e-4;
  LiveHelpers live = LiveHelpers::none;
};

// The largest number of segments that a bone is split into.
inline constexpr int most_segments = 64;

// The rig with the weights and endpoint weights that it lacks, by the options' methods. Throws as
// weigh().
Rig weighed(const Rig& rig, const BakeOptions& options = {}, const Progress& progress = {});

// What bake() makes: the rig to write, what was lost, and what moves its helpers at run time.
struct Baked {
  Rig rig;
  BakeReport report;
  LiveTable table;                           // of all helpers
  std::vector<JointConstraint> constraints;  // with LiveHelpers::vrm
};

// The map of a bone is a function of the endpoint weight e alone, T(e) = R K(e) with e s along the
// bone (seed 000 eq. 5). With N segments it is close to sum_k B_k(e) T(k/N), B_k hat functions: so
// weight w becomes w B_k(e), filters applied first, over N + 1 helper joints that each carry one
// rigid motion T(k/N).
//
// The result has the rig's joints, bones, names and clips, in their order; helper joints and their
// bones come after them. Helpers are leaves below the joint of their bone, only rotate and
// translate (those of a bone that clips scale across also carry that scale), and have tracks in
// every clip. Endpoint weights and filters are used up. Where a clip
// scales bones away from their size at bind, joints get tracks without scale that put every bone's
// ends where they were; generalized bones become tracks. Both only in rigs that have clips: without
// any, the error is measured over generic twists and stretches, and nothing moves the helpers.
//
// Live helpers: bones are chosen as above, or where no clip needs any, those that generic poses
// need; segments are enough for twists of half a turn at both ends; the error is measured also in
// poses that turn by half a turn, and stretch, the joints at the split bones' tails (those whose
// twist falls on split bones alone, if there are any). Joints without a name get one. With
// constraints, helpers may hang from added nodes below the joint, and such nodes follow in the list
// (see baking::add_rolls). Constraints turn helpers by twists of less than half a turn; they know
// no stretch.
//
// Throws UsageError for options out of range and joints that do not exist, InputError for a rig
// that is not valid or has no bones or vertices, or one whose rest pose is not of the size that it
// was bound at.
Baked bake(const Rig& rig, const BakeOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
