// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/bake.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "sinew/bake/detail/describe.h"
#include "sinew/bake/detail/influences.h"
#include "sinew/bake/detail/live.h"
#include "sinew/bake/detail/remedy.h"
#include "sinew/bake/detail/trial.h"
#include "sinew/core/error.h"
#include "sinew/skeleton/bones.h"
#include "sinew/weights/carry_endpoints.h"

namespace sinew {
namespace {

using namespace baking;

constexpr double default_max_error = 2;

void check(const Rig& rig, const BakeOptions& options) {
  if (options.segments && (*options.segments < 1 || *options.segments > most_segments)) {
    throw UsageError(
        fmt::format("{} segments: it takes 1 to {}", *options.segments, most_segments));
  }
  if (options.max_error_percent &&
      !(*options.max_error_percent > 0 && *options.max_error_percent <= 100)) {
    throw UsageError("the largest error is above 0 and at most 100 per cent of a limb's radius");
  }
  if (options.squash && options.live != LiveHelpers::none) {
    throw UsageError("live helpers cannot get thinner: bake them without squash");
  }
  if (!(options.key_tolerance > 0 && options.key_tolerance < 1)) {
    throw UsageError("the tolerance of keys is a share of the bounding box between 0 and 1");
  }
  validate(rig);
  if (rig.skeleton.bones.empty()) throw InputError("skeleton", "there are no bones to bake");
  if (rig.mesh.positions.empty()) throw InputError("mesh", "there are no vertices to bake");
}

// Bones of frames carry rigid meshes, in which scale is nothing odd.
void check_rest_size(const Rig& rig) {
  const std::vector<BoneState> states = bone_states(rig, rest_pose(rig));
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < states.size(); ++b) {
    const std::size_t joint = rig.skeleton.bones[b].joint;
    if (!rig.skeleton.joints[joint].is_frame) least = std::min(least, scale_of(states[b]));
  }
  if (least < 0.01 || !std::isfinite(least)) return;
  throw InputError("skeleton",
                   "all its bones differ in size between the rest pose and the bind pose; first "
                   "apply the scale of the nodes above it to the mesh and the skeleton");
}

std::vector<bool> asked_for(const Rig& rig, const BakeOptions& options) {
  const Skeleton& skeleton = rig.skeleton;
  if (options.all_bones) return std::vector<bool>(skeleton.bones.size(), true);
  if (options.joints.empty()) return {};
  std::vector<bool> asked(skeleton.bones.size(), false);
  for (const std::string& name : options.joints) {
    for (const int b : find_bones(skeleton, name)) asked[b] = true;
  }
  return asked;
}

struct Plan {
  PoseSet poses;
  std::vector<SplitBone> splits;
};

// Whether missing endpoint weights matter only if bones are split.
bool is_only_for_splits(const Rig& rig, const BakeOptions& options) {
  return rig.skin.weights.vertex_count() > 0 && rig.skin.endpoints.empty() &&
         rig.skin.muscles.empty() && !options.replace_endpoints &&
         options.live == LiveHelpers::none;
}

// Which poses the bake is for, and which bones are split for them.
Plan plan(const Rig& source, const SkinRows& rows, const Limbs& limbs, SplitRule rule,
          const BakeOptions& options) {
  const bool live = options.live != LiveHelpers::none;
  const StateOptions states{.squash = options.squash};
  // Just short of half a turn: beyond it, a pose alone does not tell which way a joint was turned.
  GenericPoses code{{120, 179}, true, 45, false, {}};
  Plan result;
  if (!source.clips.empty()) {
    result.poses = poses_of_clips(source, states);
  } else if (!live) {
    result.poses = generic_poses(source, {}, states);
  }
  if (!live) {
    result.splits = split_bones(source, rows, limbs, result.poses.extents, rule);
    return result;
  }
  const PoseSet all = generic_poses(source, code);
  for (const Extent& extent : all.extents) rule.least_twist.push_back(extent.twist_difference);
  if (!source.clips.empty()) {
    result.splits = split_bones(source, rows, limbs, result.poses.extents, rule);
  }
  if (result.splits.empty()) {
    result.splits = split_bones(source, rows, limbs, all.extents, rule);
  }
  code.moved = live_joints(source, rows, result.splits);
  append(result.poses, generic_poses(source, code));
  return result;
}

}  // namespace

Rig with_weights(const Rig& rig, const BakeOptions& options, const Progress& progress) {
  Rig result = rig;
  const bool has_weights = rig.skin.weights.vertex_count() > 0;
  if (has_weights && !rig.skin.endpoints.empty() && !options.replace_endpoints) return result;
  std::optional<WeightMethod> method;
  if (!has_weights) method = options.weights;
  ComputedWeights weights = compute_weights(rig.mesh, rig.skeleton, method, options.endpoints,
                                            rig.skin.weights, progress);
  replace_weights(result.skin, std::move(weights.skin.weights), std::move(weights.skin.endpoints),
                  rig.mesh.positions, rig.skeleton);
  return result;
}

Baked bake(const Rig& rig, const BakeOptions& options, const Progress& progress) {
  check(rig, options);
  check_rest_size(rig);
  // Which bones are split depends on neither endpoint weights nor, without live helpers, do the
  // poses: they are projected, and computed only for bones that are split.
  const bool projected = is_only_for_splits(rig, options);
  const BakeOptions by_projection{.endpoints = ProjectionOptions{}};
  Rig source = with_weights(rig, projected ? by_projection : options, progress.part(0, 0.4));
  if (options.live != LiveHelpers::none) name_joints(source.skeleton);
  progress.report("reading clips", 0.4);
  SkinRows rows = skin_rows(source);
  Limbs limbs = limbs_of(source, rows);
  std::optional<double> bound = options.max_error_percent;
  if (!bound && !options.segments) bound = default_max_error;
  const SplitRule rule{options.segments, bound.value_or(default_max_error) / 100,
                       asked_for(source, options)};
  auto [poses, splits] = plan(source, rows, limbs, rule, options);
  if (projected && !splits.empty()) {
    source = with_weights(rig, options, progress.part(0.4, 0.5));
    rows = skin_rows(source);
    limbs = limbs_of(source, rows);
    splits = split_bones(source, rows, limbs, poses.extents, rule);
  }
  const Work work{source, poses, rows, limbs, splits};

  progress.report("measuring", 0.5);
  std::vector<Target> targets = targets_of(source, rows, poses.tests);
  const double box = bounding_box(source.mesh.positions).diagonal();
  const double percent_of_box = box > 0 ? 100 / box : 0;
  const double plain = plain_error(work, poses.tests, targets);
  progress.report("making tracks", 0.7);
  Trial trial = run_trial(work, splits, options, std::move(targets));
  progress.report("limiting influences", 0.85);
  Baked result = std::move(trial.baked);
  result.rig.skin.weights =
      options.influences > 0 ? limit_influences(trial.unlimited, options.influences, trial.targets)
                             : trial.unlimited;

  BakeReport& report = result.report;
  report.influence_limit = options.influences;
  report.bound = bound;
  report.plain_error_box = percent_of_box * plain;
  if (options.live != LiveHelpers::none) {
    describe_live(work, trial.targets, percent_of_box, result);
  }
  describe_rig(work, result.rig, trial.unlimited, report);
  describe_errors(work, measure(result.rig.skin.weights, trial.targets, rows, limbs),
                  percent_of_box, report);
  if (!is_within_bound(report)) {
    report.remedy = remedy_for(work, options, report, std::move(trial));
  }
  progress.report("done", 1);
  return result;
}

}  // namespace sinew
